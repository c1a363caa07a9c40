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
}
