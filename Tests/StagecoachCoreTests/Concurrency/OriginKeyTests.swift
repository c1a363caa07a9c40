import HTTPTypes
import Testing

@testable import StagecoachCore

@Suite struct OriginKeyTests {
  @Test(
    arguments: [
      ("http", "h", "http://h"), ("HTTP", "h", "http://h"), ("https", "h", "https://h"),
      ("HTTPS", "H.Example", "https://h.example"), ("http", "h:80", "http://h"),
      ("https", "h:443", "https://h"),
      ("http", "h:443", "http://h:443"), ("http", "h:8080", "http://h:8080"),
      ("http", "h:080", "http://h"), ("http", "h:", "http://h"), ("http", "h:65535", "http://h:65535"),
      ("http", "h:65536", "http://h:65536"), ("http", "h:1:2", "http://h:1:2"),
      ("http", "h:8x", "http://h:8x"),
      ("http", "h:8/", "http://h:8"), ("http", "h:008", "http://h:8"),
      ("http", "[::1]:80", "http://[::1]"),
      ("http", "[::1]:81", "http://[::1]:81"), ("http", "user:pw@h", "http://h"), ("http", "", "http://"),
      ("http", "NOT an authority", "http://not an authority"),
    ]
  )
  func isTheOriginOfTheHead(scheme: String, authority: String, expected: String) {
    let head = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
    #expect(OriginKey(head).description == expected)
  }

  @Test(arguments: ["http://h/", "https://H:8443/x", "http://[::1]:8080/", "https://h:443/"])
  func agreesWithTheOriginOfTheURI(url: String) throws {
    let uri = try TargetURI(parsing: url)
    let head = HTTPRequest(method: .get, scheme: uri.scheme, authority: uri.authority, path: "/")
    #expect(OriginKey(head) == OriginKey(uri.origin))
    #expect(OriginKey(head).origin == uri.origin)
  }
}
