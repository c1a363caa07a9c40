import HTTPTypes
import StagecoachCore
import Testing

@testable import StagecoachCache

/// RFC 9111 4.4: which URLs a response invalidates.
@Suite struct InvalidationTests {
  private func invalidated(
    _ method: HTTPRequest.Method,
    _ status: Int,
    _ text: String = "",
    url: String = "https://example.com/a?b#c"
  ) throws -> [String] {
    try privateRules.invalidated(
      by: response(text, status),
      to: request("", method),
      url: TargetURI(parsing: url).storedURL
    )
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH", "LOCK", "PROPPATCH", "FOO", "get"])
  func unsafeAndUnknownMethodsInvalidateTheTarget(method: String) throws {
    let method = try #require(HTTPRequest.Method(method))
    for status in [200, 201, 204, 299, 301, 303, 304, 399] {
      #expect(try invalidated(method, status) == ["https://example.com/a?b"])
    }
    for status in [400, 404, 409, 500, 503, 599] { #expect(try invalidated(method, status) == []) }
  }

  @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PRI", "PROPFIND", "REPORT", "SEARCH"])
  func safeMethodsInvalidateNothing(method: String) throws {
    #expect(
      try invalidated(#require(HTTPRequest.Method(method)), 200, "Location: /x\nContent-Location: /y") == []
    )
  }

  @Test(arguments: [
    ("Location: /x", ["https://example.com/x"]), ("Content-Location: y", ["https://example.com/y"]),
    ("Location: /x\nContent-Location: /y", ["https://example.com/x", "https://example.com/y"]),
    ("Location: https://EXAMPLE.com:443/x#f", ["https://example.com/x"]),
    ("Location: //example.com/x", ["https://example.com/x"]),
    ("Location: http://example.com/x", []), ("Location: https://example.net/x", []),
    ("Location: https://example.com:444/x", []), ("Location: https://example.com.evil/x", []),
    ("Location: https://user@example.com/x", []), ("Location: mailto:a@b", []), ("Location: https://[", []),
    ("Location: /a?b", []), ("Location:", []),
    ("Location: /x\nLocation: /y", ["https://example.com/x", "https://example.com/y"]),
  ])
  func locationsOfTheSameOriginAreInvalidatedToo(text: String, others: [String]) throws {
    #expect(try invalidated(.post, 201, text) == ["https://example.com/a?b"] + others)
  }

  /// Keys of equal URLs are equal (RFC 9110 4.2.3), and those that only mean the same are not.
  @Test(arguments: [
    ("https://EXAMPLE.com:443", "https://example.com/"),
    ("http://example.com:80/?q#f", "http://example.com/?q"),
    ("https://example.com:8443/a", "https://example.com:8443/a"),
    ("https://example.com/%7Ea", "https://example.com/%7Ea"),
    ("https://example.com/~a", "https://example.com/~a"),
    ("https://example.com/a/../b", "https://example.com/b"),
  ])
  func normalizesURLsToKeys(url: String, key: String) throws {
    #expect(try TargetURI(parsing: url).storedURL == key)
  }

  @Test func theKeyComesFromTheHeadOfTheRequest() {
    #expect(request(path: "/x?y").targetURI?.storedURL == "https://example.com/x?y")
    var connect = request()
    connect.path = nil
    #expect(connect.targetURI == nil)
  }
}
