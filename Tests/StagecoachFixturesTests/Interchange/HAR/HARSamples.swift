/// Small files with the deviations of browsers and tools from HAR 1.2, written for these tests.
enum HARSamples {
  static let all: [(name: String, text: String)] = [
    ("chrome", chrome), ("chrome-failures", chromeFailures), ("firefox", firefox), ("safari", safari),
    ("insomnia", insomnia), ("charles", charles), ("pairs", pairs), ("mark", "\u{feff}" + safari),
    ("bidi", bidi), ("charset", charset),
    ("explorer", explorer), ("fiddler", fiddler), ("chrome-status", chromeStatus),
  ]

  /// Float times, members with `_`, pseudo-header fields, HTTP versions of all kinds, decoded gzip, joined cookies.
  static let chrome = #"""
    {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"},
    "pages": [{"startedDateTime": "2026-03-01T10:00:00.123Z", "id": "page_1", "title": "https://shop.test/",
      "pageTimings": {"onContentLoad": 181.4, "onLoad": 202.1}}],
    "entries": [
     {"_connectionId": "52", "_initiator": {"type": "other"}, "_priority": "VeryHigh", "_resourceType": "document",
      "cache": {}, "connection": "443", "pageref": "page_1",
      "request": {"method": "GET", "url": "https://shop.test/cart?item=1&item=2#top", "httpVersion": "http/2.0",
       "headers": [{"name": ":authority", "value": "shop.test"}, {"name": ":method", "value": "GET"},
        {"name": ":path", "value": "/cart?item=1&item=2"}, {"name": ":scheme", "value": "https"},
        {"name": "accept", "value": "text/html"}, {"name": "accept-encoding", "value": "gzip, br, zstd"}],
       "queryString": [{"name": "item", "value": "1"}, {"name": "item", "value": "2"}],
       "cookies": [{"name": "lang", "value": "en", "path": "/", "domain": "shop.test", "sameSite": "Lax"}],
       "headersSize": -1, "bodySize": 0},
      "response": {"status": 200, "statusText": "", "httpVersion": "http/2.0",
       "headers": [{"name": "content-encoding", "value": "gzip"}, {"name": "content-type", "value": "text/html"},
        {"name": "x-twice", "value": "one\ntwo"}, {"name": "vary", "value": "Accept"}, {"name": "vary", "value": "Origin"}],
       "cookies": [], "content": {"size": 27, "mimeType": "text/html", "text": "<p>Grüße, \"Ada\" ☃</p>\n"},
       "redirectURL": "", "headersSize": -1, "bodySize": -1, "_transferSize": 402, "_error": null},
      "serverIPAddress": "192.0.2.1", "startedDateTime": "2026-03-01T10:00:00.123Z", "time": 53.26999999917461,
      "timings": {"blocked": 2.1, "dns": -1, "ssl": -1, "connect": -1, "send": 0.135, "wait": 49.5,
       "receive": 1.5, "_blocked_queueing": 1.2}},
     {"request": {"method": "GET", "url": "https://shop.test/pixel.png", "httpVersion": "h3",
       "headers": [{"name": "accept", "value": "image/png"}], "queryString": [], "cookies": [], "headersSize": -1,
       "bodySize": 0},
      "response": {"status": 200, "statusText": "", "httpVersion": "h3",
       "headers": [{"name": "content-type", "value": "image/png"}, {"name": "content-length", "value": "8"}],
       "cookies": [], "content": {"size": 8, "mimeType": "image/png", "text": "iVBORw0KGgo=", "encoding": "base64"},
       "redirectURL": "", "headersSize": -1, "bodySize": 8}, "cache": {},
      "startedDateTime": "2026-03-01T10:00:00.201Z", "time": 4.5,
      "timings": {"blocked": -1, "dns": -1, "connect": -1, "send": 0, "wait": 4, "receive": 0.5}},
     {"request": {"method": "POST", "url": "https://shop.test/order", "httpVersion": "",
       "headers": [{"name": "Content-Type", "value": "application/json"}], "queryString": [], "cookies": [],
       "headersSize": 120, "bodySize": 14, "postData": {"mimeType": "application/json", "text": "{\"amount\": 3.50}"}},
      "response": {"status": 303, "statusText": "See Other", "httpVersion": "",
       "headers": [{"name": "Location", "value": "/done"}, {"name": "Content-Length", "value": "0"}], "cookies": [],
       "content": {"size": 0, "mimeType": "x-unknown"}, "redirectURL": "/done", "headersSize": 90, "bodySize": 0},
      "cache": {}, "startedDateTime": "2026-03-01T10:00:01.000Z", "time": 9,
      "timings": {"send": 0, "wait": 9, "receive": 0}}
    ]}}
    """#

  /// Failed requests: status 0, no text; and one that broke off.
  static let chromeFailures = #"""
    {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "entries": [
     {"request": {"method": "GET", "url": "https://gone.test/", "httpVersion": "", "headers": [], "queryString": [],
       "cookies": [], "headersSize": -1, "bodySize": 0},
      "response": {"status": 0, "statusText": "", "httpVersion": "", "headers": [], "cookies": [],
       "content": {"size": 0, "mimeType": "x-unknown"}, "redirectURL": "", "headersSize": -1, "bodySize": -1,
       "_transferSize": 0, "_error": "net::ERR_NAME_NOT_RESOLVED"},
      "cache": {}, "startedDateTime": "2026-03-01T10:00:00.000Z", "time": 1.5,
      "timings": {"blocked": 1.5, "dns": -1, "connect": -1, "send": 0, "wait": 0, "receive": 0}},
     {"request": {"method": "GET", "url": "https://shop.test/feed", "httpVersion": "HTTP/1.1", "headers": [],
       "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
      "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1",
       "headers": [{"name": "Transfer-Encoding", "value": "chunked"}], "cookies": [],
       "content": {"size": 4, "mimeType": "text/plain", "text": "part"}, "redirectURL": "", "headersSize": 60,
       "bodySize": 4, "_error": "net::ERR_INCOMPLETE_CHUNKED_ENCODING"},
      "cache": {}, "startedDateTime": "2026-03-01T10:00:00.000Z", "time": 12,
      "timings": {"send": 0, "wait": 10, "receive": 2}},
     {"request": {"method": "GET", "url": "https://ads.test/a.js", "httpVersion": "", "headers": [],
       "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
      "response": {"status": 0, "statusText": "", "httpVersion": "", "headers": [], "cookies": [],
       "content": {"size": 0, "mimeType": "x-unknown"}, "redirectURL": "", "headersSize": -1, "bodySize": -1,
       "_error": "net::ERR_BLOCKED_BY_CLIENT"},
      "cache": {}, "startedDateTime": "2026-03-01T10:00:00.000Z", "time": 0.2, "timings": {}}
    ]}}
    """#

  /// A blocked entry without sizes and times, an image without content, names of its own in `cache`.
  static let firefox = #"""
    {"log": {"version": "1.2", "creator": {"name": "Firefox", "version": "111.0"},
     "browser": {"name": "Firefox", "version": "111.0"}, "entries": [
     {"startedDateTime": "2026-03-01T11:00:00.000+01:00",
      "request": {"bodySize": 0, "method": "GET", "url": "https://tracker.test/t.js", "httpVersion": "", "headers": [],
       "cookies": [], "queryString": []},
      "response": {"status": 0, "statusText": "", "httpVersion": "", "headers": [], "cookies": [],
       "content": {"mimeType": "text/plain"}, "redirectURL": "", "bodySize": -1},
      "cache": {}, "timings": {"blocked": 0}, "time": 0, "_securityState": "insecure"},
     {"startedDateTime": "2026-03-01T11:00:01.000+01:00",
      "request": {"bodySize": 0, "method": "GET", "url": "https://shop.test/photo.jpg", "httpVersion": "HTTP/3",
       "headers": [{"name": "Host", "value": "shop.test"}], "cookies": [], "queryString": [], "headersSize": 300},
      "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/3",
       "headers": [{"name": "content-type", "value": "image/jpeg"}], "cookies": [],
       "content": {"mimeType": "image/jpeg", "size": 5120}, "redirectURL": "", "headersSize": 100, "bodySize": 5220},
      "cache": {"afterRequest": {"expires": "4294967295", "fetchCount": "2", "_dataSize": "5120", "eTag": "",
       "_lastModified": "", "_lastFetched": "1677660000", "_device": "disk"}},
      "timings": {"blocked": 0, "dns": 0, "connect": 0, "ssl": 0, "send": 0, "wait": 31, "receive": 2},
      "time": 33, "_securityState": "secure", "serverIPAddress": "192.0.2.1", "connection": "443", "pageref": "page_1"}
    ]}}
    """#

  /// No HTTP version, members with `_`, float times.
  static let safari = #"""
    {"log": {"version": "1.2", "creator": {"name": "WebKit Web Inspector", "version": "1.0"}, "entries": [
     {"pageref": "page_0", "startedDateTime": "2026-03-01T12:00:00.500Z", "time": 12.75207,
      "request": {"method": "HEAD", "url": "https://shop.test/a.css", "httpVersion": "", "cookies": [],
       "headers": [{"name": "Accept", "value": "text/css,*/*;q=0.1"}], "queryString": [], "headersSize": -1,
       "bodySize": -1},
      "response": {"status": 200, "statusText": "OK", "httpVersion": "", "cookies": [],
       "headers": [{"name": "Content-Type", "value": "text/css"}, {"name": "Content-Length", "value": "1234"}],
       "content": {"size": 0, "compression": 0, "mimeType": "text/css", "text": ""}, "redirectURL": "",
       "headersSize": -1, "bodySize": -1, "_transferSize": 99},
      "cache": {}, "timings": {"blocked": 1.1, "dns": -1, "connect": -1, "ssl": -1, "send": 0.2, "wait": 10.4,
       "receive": 1.05207}, "serverIPAddress": "192.0.2.7", "_serverPort": 443, "connection": "3",
      "_fetchType": "Network Load", "_priority": "high"}
    ]}}
    """#
}
