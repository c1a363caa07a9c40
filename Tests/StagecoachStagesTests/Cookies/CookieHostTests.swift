import Testing

@testable import StagecoachCore
@testable import StagecoachStages

@Suite struct CookieHostTests {
  /// RFC 6265bis 5.1.3
  @Test(
    "3.1 domain-match",
    arguments: [
      ("a.example", "a.example", true), ("b.a.example", "a.example", true),
      ("ba.example", "a.example", false),
      ("a.example", "b.a.example", false), ("example", "example", true), ("a.example.", "a.example", false),
      ("xample", "example", false), (".example", "example", true),
    ]
  )
  func matchesAHostAgainstADomain(host: String, domain: String, expected: Bool) {
    #expect(CookieHost.matches(host, domain: domain) == expected)
  }

  @Test(
    "3.1 domain-match: addresses",
    arguments: [
      ("10.0.0.1", true), ("[::1]", true), ("127.1", true), ("2130706433", true), ("0x7f.1", true),
      ("a.0x7F.", true), ("1.2.3.4.", true), ("a.0x", true), ("1a", false), ("a1", false),
      ("a.example", false), ("", false),
      (".", false), ("0y1", false), ("0xg", false),
    ]
  )
  func recognizesAddresses(host: String, expected: Bool) {
    #expect(CookieHost.isAddress(host) == expected)
  }

  @Test(
    arguments: [
      ("a.Example", "a.example"), ("[::1]", "[::1]"), ("a:80", nil), ("a:", nil), ("a/b", nil), ("", nil),
      ("a?", nil),
      ("a#b", nil), ("u@a", nil), ("bücher", nil), ("a b", nil), ("%41", nil),
    ] as [(String, String?)]
  )
  func canonicalizesHostsOrRefusesThem(text: String, expected: String?) {
    #expect(CookieHost.canonical(text) == expected)
  }

  /// RFC 6265bis 5.1.4
  @Test(
    "3.1 default-path",
    arguments: [
      ("/", "/"), ("/x", "/"), ("/x/", "/x"), ("/x/y", "/x"), ("/x/y/z", "/x/y"), ("//", "/"), ("", "/"),
      ("*", "/"),
      ("x/y", "/"),
    ]
  )
  func derivesTheDefaultPath(path: String, expected: String) {
    #expect(CookiePath.byDefault(of: path[...]) == expected)
  }

  @Test(
    "3.1 path-match",
    arguments: [
      ("/x", "/x", true), ("/x/y", "/x/", true), ("/x/y", "/x", true), ("/xy", "/x", false),
      ("/x", "/x/", false),
      ("/", "/", true), ("/x", "/", true), ("/X", "/x", false), ("/%78", "/x", false),
    ]
  )
  func matchesAPathAgainstACookiePath(path: String, cookiePath: String, expected: Bool) {
    #expect(CookiePath.matches(path.utf8, cookiePath: cookiePath) == expected)
  }
}
