extension HARSamples {
  /// A custom member without `_`, and a body of a request as parameters only.
  static let insomnia = #"""
    {"log": {"version": "1.2", "creator": {"name": "Insomnia REST Client", "version": "insomnia.desktop.app:v2023.1.0"},
     "entries": [
     {"startedDateTime": "2026-03-01T12:00:00.000Z", "time": 210.5,
      "request": {"method": "PATCH", "url": "http://api.test:8080/users/42", "httpVersion": "HTTP/1.1", "cookies": [],
       "headers": [{"name": "Content-Type", "value": "application/x-www-form-urlencoded"}], "queryString": [],
       "postData": {"mimeType": "application/x-www-form-urlencoded",
        "params": [{"name": "name", "value": "Ada Lovelace"}, {"name": "note", "value": "a&b=c"}]},
       "headersSize": -1, "bodySize": -1, "settingEncodeUrl": true},
      "response": {"status": 422, "statusText": "Unprocessable Entity", "httpVersion": "HTTP/1.1", "cookies": [],
       "headers": [{"name": "Content-Type", "value": "application/problem+json"}],
       "content": {"size": 18, "mimeType": "application/problem+json", "text": "{\"title\":\"no\",\"n\":1.0}"},
       "redirectURL": "", "headersSize": -1, "bodySize": -1},
      "cache": {}, "timings": {"blocked": -1, "dns": -1, "connect": -1, "send": 0, "wait": 210.5, "receive": 0,
       "ssl": -1}}
    ]}}
    """#

  /// `redirectURL` is null, sizes are missing, numbers are text.
  static let charles = #"""
    {"log": {"version": "1.2", "creator": {"name": "Charles Proxy", "version": "4.6.3"}, "entries": [
     {"startedDateTime": "2026-03-01T13:00:00.000+01:00", "time": 44,
      "request": {"method": "PUT", "url": "http://api.test/notes/1?q=a%20b", "httpVersion": "HTTP/1.1", "cookies": [],
       "headers": [{"name": "Host", "value": "api.test"}, {"name": "Content-Type", "value": "text/plain"},
        {"name": "Content-Length", "value": "5"}], "queryString": [{"name": "q", "value": "a b"}],
       "postData": {"mimeType": "text/plain", "text": "hello"}, "headersSize": 90, "bodySize": 5},
      "response": {"_charlesStatus": "COMPLETE", "status": 204, "statusText": "No Content", "httpVersion": "HTTP/1.1",
       "cookies": [], "headers": [{"name": "Server", "value": "x"}], "content": {"size": 0, "mimeType": null},
       "redirectURL": null, "headersSize": 30, "bodySize": 0},
      "serverIPAddress": "192.0.2.9", "cache": {},
      "timings": {"dns": -1, "connect": -1, "ssl": -1, "send": 1, "wait": 40, "receive": 3}}
    ]}}
    """#

  /// Fields are pairs of a name and a value.
  static let pairs = #"""
    {"log": {"version": "1.1", "creator": {"name": "chat", "version": "1"}, "entries": [
     {"startedDateTime": "2026-03-01T12:00:00Z", "time": 3,
      "request": {"method": "GET", "url": "http://api.test/pairs", "httpVersion": "HTTP/1.0",
       "headers": [["Accept", "*/*"], ["X-B", "2"], ["X-A", "1"], ["x-b", "3"]]},
      "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.0",
       "headers": [["Content-Type", "text/plain"], ["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"]],
       "content": {"text": "pairs"}}}
    ]}}
    """#

  /// `compression` is text, and so is an empty content.
  static let bidi = #"""
    {"log": {"version": "1.2", "creator": {"name": "bidi-har-export", "version": "0.0.15"}, "entries": [
     {"startedDateTime": "2026-03-01T12:00:00.000Z", "time": 3,
      "request": {"method": "GET", "url": "http://api.test/empty", "httpVersion": "h2", "headers": [], "cookies": [],
       "queryString": [], "headersSize": 0, "bodySize": 0},
      "response": {"status": 200, "statusText": "", "httpVersion": "h2",
       "headers": [{"name": "content-type", "value": "text/plain"}], "cookies": [],
       "content": {"size": 0, "mimeType": "text/plain", "compression": "12", "text": ""}, "redirectURL": "",
       "headersSize": 10, "bodySize": 0},
      "cache": {}, "timings": {"send": 0, "wait": 3, "receive": 0}}
    ]}}
    """#

  /// Text in Latin-1, which stands in UTF-8 here, and a coding that no replay can apply.
  static let charset = #"""
    {"log": {"version": "1.2", "creator": {"name": "proxy", "version": "1"}, "entries": [
     {"startedDateTime": "2026-03-01T12:00:00.000Z", "time": 3,
      "request": {"method": "GET", "url": "http://api.test/latin", "httpVersion": "HTTP/1.1", "headers": [],
       "cookies": [], "queryString": [], "headersSize": 0, "bodySize": 0},
      "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1",
       "headers": [{"name": "Content-Type", "value": "text/plain; charset=iso-8859-1"},
        {"name": "Content-Encoding", "value": "compress"}], "cookies": [],
       "content": {"size": 7, "mimeType": "text/plain; charset=iso-8859-1", "text": "Grüße\r\n"}, "redirectURL": "",
       "headersSize": 10, "bodySize": 0},
      "cache": {}, "timings": {"send": 0, "wait": 3, "receive": 0}}
    ]}}
    """#

  /// Lengths with separators of thousands, cookies that are no list, and the older version.
  static let explorer = #"""
    {"log": {"version": "1.1", "creator": {"name": "Internet Explorer Network Inspector", "version": "11.0.9600"},
     "browser": {"name": "Internet Explorer", "version": "11.0.9600"}, "entries": [
     {"pageref": "0", "startedDateTime": "2026-03-01T12:00:00.810+00:00", "time": 46,
      "request": {"method": "GET", "url": "http://api.test/css", "httpVersion": "HTTP/1.1",
       "cookies": {"name": "a", "value": "1"}, "headers": [{"name": "Cookie", "value": "a=1"}], "queryString": [],
       "headersSize": 333, "bodySize": 0},
      "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [],
       "headers": [{"name": "Content-Type", "value": "text/css"}, {"name": "Content-Length", "value": "1,006,219"}],
       "content": {"size": 4, "mimeType": "text/css", "text": "a{}\n"}, "redirectionURL": "", "headersSize": 514,
       "bodySize": 4, "redirectURL": ""},
      "cache": {}, "timings": {"send": 31, "wait": 0, "receive": 15, "blocked": -1, "dns": -1, "ssl": -1,
       "connect": -1}}
    ]}}
    """#

  /// Times to a ten-millionth, an empty body of each GET, and neither version nor creator.
  static let fiddler = #"""
    {"log": {"pages": [], "comment": "exported @ 01/03/2026 12:00:11", "entries": [
     {"pageref": "0", "time": 28, "connection": "ClientPort:19719;EgressPort:19742",
      "request": {"headersSize": 361, "postData": {"text": "", "mimeType": ""}, "queryString": [],
       "headers": [{"name": "Host", "value": "api.test"}], "bodySize": 0, "url": "http://api.test/", "cookies": [],
       "method": "GET", "httpVersion": "HTTP/1.1"},
      "timings": {"blocked": -1, "ssl": 0, "receive": 0, "wait": 14, "dns": 0, "send": 0, "connect": 14},
      "response": {"headersSize": 584, "bodySize": 20, "statusText": "OK", "redirectURL": "", "status": 200,
       "httpVersion": "HTTP/1.1", "cookies": [], "content": {"compression": -18, "text": "ok", "size": 2,
        "mimeType": "text/plain"}, "headers": [{"name": "Content-Type", "value": "text/plain"},
        {"name": "Content-Encoding", "value": "gzip"}, {"name": "Content-Length", "value": "20"}]},
      "startedDateTime": "2026-03-01T13:00:02.7221474+01:00", "cache": {}}
    ]}}
    """#

  /// Chrome since 2024: a complete response without content whose status is an error is called a failure.
  static let chromeStatus = #"""
    {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": [], "entries": [
     {"_connectionId": "71", "_initiator": {"type": "other"}, "_priority": "VeryHigh", "_resourceType": "document",
      "cache": {}, "connection": "443",
      "request": {"method": "GET", "url": "https://api.test/login", "httpVersion": "h3", "headers": [],
       "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
      "response": {"status": 502, "statusText": "", "httpVersion": "h3",
       "headers": [{"name": "content-length", "value": "0"}], "cookies": [],
       "content": {"size": 0, "mimeType": "x-unknown"}, "redirectURL": "", "headersSize": -1, "bodySize": -1,
       "_transferSize": 438, "_error": "net::ERR_HTTP_RESPONSE_CODE_FAILURE", "_fetchedViaServiceWorker": false},
      "serverIPAddress": "192.0.2.3", "startedDateTime": "2026-03-01T12:00:00.743Z", "time": 30.1,
      "timings": {"blocked": 1.1, "dns": -1, "ssl": -1, "connect": -1, "send": 1, "wait": 28, "receive": 0,
       "_blocked_queueing": 1, "_workerStart": -1, "_workerReady": -1, "_workerFetchStart": -1,
       "_workerRespondWithSettled": -1}}
    ]}}
    """#
}
