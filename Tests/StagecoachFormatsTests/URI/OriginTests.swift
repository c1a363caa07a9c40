import HTTPTypes
import TestSupport
import Testing

@testable import StagecoachFormats

/// The boundary of credentials, cookies, connections, limits and circuits.
@Suite struct OriginTests {
  private static func origin(_ scheme: String?, _ authority: String?) -> TargetURI.Origin? {
    TargetURI.Origin(HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/"))
  }

  @Test(
    arguments: [
      ("http", "h", "http://h", "h", 80), ("HTTP", "h", "http://h", "h", 80),
      ("https", "h", "https://h", "h", 443),
      ("HttpS", "H.Example", "https://h.example", "h.example", 443), ("http", "h:80", "http://h", "h", 80),
      ("https", "h:443", "https://h", "h", 443), ("http", "h:443", "http://h:443", "h", 443),
      ("https", "h:80", "https://h:80", "h", 80), ("http", "h:8080", "http://h:8080", "h", 8080),
      ("http", "h:080", "http://h", "h", 80), ("http", "h:", "http://h", "h", 80),
      ("http", "h:65535", "http://h:65535", "h", 65535), ("http", "h:008", "http://h:8", "h", 8),
      ("http", "[::1]", "http://[::1]", "[::1]", 80), ("http", "[::1]:80", "http://[::1]", "[::1]", 80),
      ("http", "[2001:DB8::1]:81", "http://[2001:db8::1]:81", "[2001:db8::1]", 81),
      ("http", "[fe80::1%25eth0]:81", "http://[fe80::1%25eth0]:81", "[fe80::1%25eth0]", 81),
      ("http", "127.0.0.1:81", "http://127.0.0.1:81", "127.0.0.1", 81),
      ("http", "a_b", "http://a_b", "a_b", 80),
      ("http", "1:2", "http://1:2", "1", 2), ("http", "h.", "http://h.", "h.", 80),
    ]
  )
  func readsTheOriginOfAHead(scheme: String, authority: String, text: String, host: String, port: Int) throws
  {
    let origin = try #require(Self.origin(scheme, authority))
    #expect(origin.description == text)
    #expect(origin.host == host)
    #expect(origin.port == port)
    #expect(origin.isSecure == text.hasPrefix("https:"))
    #expect(TargetURI.Origin(isSecure: origin.isSecure, host: host, port: port) == origin)
  }

  @Test(
    arguments: [
      "", ":80", "h:65536", "h:0", "h:1:2", "h:8x", "h:-1", "h:+1", "user:pw@h", "user@h", "@h", "a b", "h/",
      "h?", "h#",
      "h\\", "h\0", "h\n", "[::1", "::1", "[::1]x", "[h]", "[::1]:x", "h%20", "ä",
      String(repeating: "h", count: 256),
    ]
  )
  func aMalformedAuthorityHasNoOrigin(authority: String) {
    #expect(TargetURI.Origin(scheme: "http", authority: authority) == nil)
  }

  @Test func aHeadWithoutServerHasNoOrigin() {
    #expect(Self.origin(nil, "h") == nil)
    #expect(Self.origin("http", nil) == nil)
    for scheme in ["", "ftp", "ws", "httpss", "http "] {
      #expect(TargetURI.Origin(scheme: scheme, authority: "h") == nil)
    }
  }

  /// The short way to it and the long one do not differ.
  @Test(arguments: 1...8)
  func agreesWithTheURI(seed: UInt64) {
    var random = SplitMix(state: seed)
    let pieces = [
      "a", "Z", "0", "1", "80", "443", ":", ":", ".", "-", "_", "@", "[", "]", "::1", "%25", "é", "65535",
    ]
    for _ in 0..<2_000 {
      let authority = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }.joined()
      let scheme = ["http", "https"][Int.random(in: 0...1, using: &random)]
      let uri = try? TargetURI(parsing: "\(scheme)://\(authority)/")
      #expect(Self.origin(scheme, authority) == uri?.origin, "\(scheme)://\(authority)/")
      guard let uri else { continue }
      #expect(uri.origin.host == uri.host)
      #expect(uri.origin.port == uri.effectivePort)
    }
  }
}
