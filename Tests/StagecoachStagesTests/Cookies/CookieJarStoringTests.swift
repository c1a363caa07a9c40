import Foundation
import Stagecoach
import Testing

/// How cookies look in the tables of these tests.
enum Shown {
  /// 2026-05-28 20:26:40 UTC
  static let now = Date(timeIntervalSince1970: 1_780_000_000)

  /// `name=value domain path`, attributes, and the life in seconds; a domain cookie has a dot in front.
  static func text(_ cookie: Cookie) -> String {
    var text =
      "\(cookie.name)=\(cookie.revealedValue) \(cookie.isHostOnly ? "" : ".")\(cookie.domain) \(cookie.path)"
    if cookie.isSecure { text += " Secure" }
    if cookie.isHTTPOnly { text += " HttpOnly" }
    if cookie.sameSite != .unspecified { text += " \(cookie.sameSite.rawValue)" }
    if let expires = cookie.expires { text += " \(Int(expires.timeIntervalSince(now)))s" }
    return text
  }

  /// What a request sends.
  static func line(_ jar: CookieJar, _ uri: String, at date: Date = now) throws -> String {
    try jar.cookies(for: TargetURI(parsing: uri), at: date)
      .map { $0.name.isEmpty ? $0.revealedValue : "\($0.name)=\($0.revealedValue)" }
      .joined(separator: "; ")
  }
}

@Suite struct CookieJarStoringTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let id: String
    /// Those before the last one may come from another URI, in front of the field: `http://h/ n=v`.
    let fields: [String]
    let from: String
    /// The cookies of the jar.
    let stored: [String]
    let rejection: CookieRejection?

    init(
      _ id: String,
      _ fields: String...,
      from: String = "https://a.b.example/x/y?q",
      stored: [String] = [],
      because rejection: CookieRejection? = nil
    ) {
      (self.id, self.fields, self.from, self.stored, self.rejection) = (id, fields, from, stored, rejection)
    }

    var testDescription: String { id }
  }

  @Test(
    arguments: [
      Case("3.6 #1", "n=v", stored: ["n=v a.b.example /x"]),
      Case("3.6 #2", "n=v; Domain=b.example", stored: ["n=v .b.example /x"]),
      Case("3.6 #3", "n=v; Domain=.B.Example", stored: ["n=v .b.example /x"]),
      Case("3.6 #4", "n=v; Domain=z.b.example", because: .domainMismatch),
      Case("3.6 #5", "n=v; Domain=example", because: .publicSuffix),
      Case("3.6 #6", "n=v; Domain=", stored: ["n=v a.b.example /x"]),
      Case("3.6 #7", "n=v; Domain=c.example; Domain=b.example", stored: ["n=v .b.example /x"]),
      Case("3.6 #8", "n=v; Domain=10.0.0.1", from: "https://10.0.0.1/", stored: ["n=v 10.0.0.1 /"]),
      Case("3.6 #9", "n=v; Domain=0.0.1", from: "https://10.0.0.1/", because: .domainMismatch),
      Case("3.6 #10", "n=v; Domain=example", from: "https://example/", stored: ["n=v example /"]),
      Case("3.6 #11", "n=v; Path=/x/", stored: ["n=v a.b.example /x/"]),
      Case("3.6 #12", "n=v; Path=/x", stored: ["n=v a.b.example /x"]),
      Case("3.6 #13", "n=v; Path=zz", stored: ["n=v a.b.example /x"]),
      Case("3.6 #14", "n=v; Path=/; Path=/q", stored: ["n=v a.b.example /q"]),
      Case("3.6 #15", "n=v", from: "https://a.b.example/", stored: ["n=v a.b.example /"]),
      Case("3.6 #16", "=v", stored: ["=v a.b.example /x"]),
      Case("3.6 #17", "=u", "v", stored: ["=v a.b.example /x"]),
      Case("3.6 #18 =", "=", because: .empty), Case("3.6 #18 empty", "", because: .empty),
      Case("3.6 #18 ;", "; Path=/", because: .empty),
      Case("3.6 #19", "n=", stored: ["n= a.b.example /x"]),
      Case("3.6 #20", "  n  =  a b  ; Path=/", stored: ["n=a b a.b.example /"]),
      Case("3.6 #21", "n=\"x, y\"", stored: ["n=\"x, y\" a.b.example /x"]),
      Case("3.6 #22", "n=a=b", stored: ["n=a=b a.b.example /x"]),
      Case("3.6 #23", "n=a\u{1}b", because: .controlCharacter),
      Case("3.6 #23 DEL", "n=v; Path=/\u{7f}", because: .controlCharacter),
      Case("3.6 #23 HTAB", "n=a\tb", stored: ["n=a\tb a.b.example /x"]),
      Case(
        "3.6 #24",
        "n=\(String(repeating: "v", count: 4095))",
        stored: ["n=\(String(repeating: "v", count: 4095)) a.b.example /x"]
      ), Case("3.6 #24 longer", "n=\(String(repeating: "v", count: 4096))", because: .tooLong),
      Case("3.6 #25", "n=v", "n=v; Max-Age=0"),
      Case(
        "3.6 #26",
        "n=v; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        stored: ["n=v a.b.example /x 60s"]
      ), Case("3.6 #27", "n=v; Max-Age=1.5", stored: ["n=v a.b.example /x"]),
      Case("3.6 #28", "n=v; Max-Age=99999999999999", stored: ["n=v a.b.example /x 34560000s"]),
      Case("3.6 #28 64 bits", "n=v; Max-Age=99999999999999999999", stored: ["n=v a.b.example /x 34560000s"]),
      Case("3.6 #29", "n=v", "n=v; Max-Age=-1"),
      Case("3.6 #29 64 bits", "n=v", "n=v; Max-Age=-99999999999999999999"),
      Case("3.6 #30", "n=v", "n=v; Expires=Wed, 09-Nov-98 23:12:40 GMT"),
      Case(
        "3.6 #31",
        "n=v; Expires=9 nov 2098 1:2:3 +0200",
        stored: ["n=v a.b.example /x 34560000s"]
      ), Case("3.6 #32", "n=v; Expires=31 Feb 2098 00:00:00", stored: ["n=v a.b.example /x"]),
      Case("3.6 #33", "n=v; Expires=tomorrow", stored: ["n=v a.b.example /x"]),
      Case("3.6 #34", "n=v; Secure", from: "http://a.b.example/", because: .insecureSource),
      Case(
        "3.6 #35",
        "https://a.b.example/ n=s; Secure; Path=/x",
        "n=v",
        from: "http://a.b.example/x/y",
        stored: ["n=s a.b.example /x Secure"],
        because: .shadowsSecure
      ),
      Case(
        "3.6 #35 Path=/",
        "https://a.b.example/ n=s; Secure; Path=/x",
        "n=v; Path=/",
        from: "http://a.b.example/x/y",
        stored: ["n=s a.b.example /x Secure", "n=v a.b.example /"]
      ), Case("3.6 #36", "__Host-n=v; Secure; Path=/", stored: ["__Host-n=v a.b.example / Secure"]),
      // The request is for /, so that the path is the same as with an attribute.
      Case("3.6 #37", "__Host-n=v; Secure", from: "https://a.b.example/", because: .prefix),
      Case("3.6 #38", "__HOST-n=v; Secure; Path=/; Domain=a.b.example", because: .prefix),
      Case("3.6 #39", "__secure-n=v", because: .prefix), Case("3.6 #40", "=__Host-n=v", because: .prefix),
      Case("3.6 #41", "n=v; SameSite=None", because: .sameSiteNone),
      Case("3.6 #42", "n=v; SameSite=Foo; HttpOnly;;;", stored: ["n=v a.b.example /x HttpOnly"]),
      Case("3.6 #43", "n=1", "n=2; Path=/", stored: ["n=1 a.b.example /x", "n=2 a.b.example /"]),
      Case("3.6 #44", "a=1", "b=1", "a=2", stored: ["a=2 a.b.example /x", "b=1 a.b.example /x"]),
      Case(
        "3.6 #45",
        "n=v; Path=/\(String(repeating: "p", count: 1024)); Secure",
        stored: ["n=v a.b.example /x Secure"]
      ),

      Case("3.1 fields", "n=1, m=2; Path=/", stored: ["n=1, m=2 a.b.example /"]),
      Case("3.1 octets", "n=v; Unknown=\u{0}", because: .controlCharacter),
      Case("3.1 split, no =", " v ; Path=/", stored: ["=v a.b.example /"]),
      Case("3.1 both empty", " = ; Secure", because: .empty),
      Case(
        "3.1 name + value",
        "\(String(repeating: "n", count: 4000))=\(String(repeating: "v", count: 97))",
        because: .tooLong
      ),
      Case("3.1 no domain match", "n=v; Domain=xb.example", because: .domainMismatch),
      Case("3.1 Path", "n=v; Path=/p; Path=q", stored: ["n=v a.b.example /x"]),
      Case("3.1 Secure", "n=v; secure", stored: ["n=v a.b.example /x Secure"]),
      Case(
        "3.1 Secure, insecure request",
        "n=v; Secure",
        from: "http://a.b.example/",
        because: .insecureSource
      ),
      Case("3.1 __Host-", "__host-n=v; Secure; Path=/", stored: ["__host-n=v a.b.example / Secure"]),
      Case("3.1 SameSite=None without Secure", "n=v; SameSite=None", because: .sameSiteNone),
      Case("3.1 split", "\t n \t=\t v \t", stored: ["n=v a.b.example /x"]),
      Case(
        "3.1 attribute",
        "n=v; X=1; SECURE=no; path = /p ; Max-Age=60; max-age=x; SameSite=Strict; SameSite=Lax",
        stored: ["n=v a.b.example /p Secure Lax 60s"]
      ),
      Case(
        "3.1 attribute, longest",
        "n=v; Path=/\(String(repeating: "p", count: 1023))",
        stored: ["n=v a.b.example /\(String(repeating: "p", count: 1023))"]
      ), Case("3.1 attribute, last empty", "n=v; Path=/; Path=", stored: ["n=v a.b.example /x"]),
      Case("3.1 Partitioned", "n=v; Secure; Partitioned", stored: ["n=v a.b.example /x Secure"]),
      Case("3.1 Max-Age", "n=v; Max-Age=+5; Max-Age=; Max-Age=-", stored: ["n=v a.b.example /x"]),
      Case(
        "3.1 Expires",
        "n=v; Expires=Thu, 28 May 2026 20:27:40 GMT; Expires=?",
        stored: ["n=v a.b.example /x 60s"]
      ),
      Case("3.1 cap", "n=v; Expires=Thu, 28 May 2099 20:27:40 GMT", stored: ["n=v a.b.example /x 34560000s"]),
      Case("3.1 Domain, dot", "n=v; Domain=.", stored: ["n=v a.b.example /x"]),
      Case("3.1 Domain, two dots", "n=v; Domain=..b.example", because: .domainMismatch),
      Case("3.1 Domain, not ASCII", "n=v; Domain=bücher.example", because: .invalidDomain),
      Case("3.1 Domain, last empty", "n=v; Domain=b.example; Domain=", stored: ["n=v a.b.example /x"]),
      Case("3.1 public suffix", "n=v; Domain=co.uk", from: "https://a.co.uk/", because: .publicSuffix),
      Case(
        "3.1 public suffix, private",
        "n=v; Domain=github.io",
        from: "https://a.github.io/",
        because: .publicSuffix
      ),
      Case(
        "3.1 public suffix = host",
        "n=v; Domain=github.io",
        from: "https://github.io/",
        stored: ["n=v github.io /"]
      ),
      // The suffix is c.kobe.jp by a wildcard; kobe.jp above it is none.
      Case(
        "3.1 above a suffix",
        "n=v; Domain=kobe.jp",
        from: "https://a.b.c.kobe.jp/",
        because: .publicSuffix
      ),
      Case("3.1 dot at the end", "n=v; Domain=com.", from: "https://a.com./", because: .publicSuffix),
      Case(
        "3.1 dot in the domain alone",
        "n=v; Domain=a.com.",
        from: "https://a.com/",
        because: .domainMismatch
      ),
      Case("3.1 dot in front of the host", "n=v", from: "https://.b.example/", because: .invalidDomain),
      Case("3.1 IPv6", "n=v; Domain=[::1]", from: "https://[::1]/", stored: ["n=v [::1] /"]),
      Case("3.1 legacy IPv4", "n=v; Domain=0.1", from: "https://127.0.1/", because: .domainMismatch),
      Case(
        "3.1 overlay from below",
        "https://b.example/ n=s; Secure; Domain=b.example",
        "n=v; Path=/q",
        from: "http://a.b.example/",
        stored: ["n=s .b.example / Secure"],
        because: .shadowsSecure
      ),
      Case(
        "3.1 overlay from above",
        "n=s; Secure; Path=/",
        "http://b.example/ n=v; Domain=b.example",
        stored: ["n=s a.b.example / Secure"],
        because: .shadowsSecure
      ),
      Case(
        "3.1 overlay, secure",
        "n=s; Secure; Path=/",
        "n=v; Path=/",
        stored: ["n=v a.b.example /"]
      ), Case("3.1 HttpOnly", "n=v; httponly=0", stored: ["n=v a.b.example /x HttpOnly"]),
      Case("3.1 SameSite", "n=v; SameSite=NONE; Secure", stored: ["n=v a.b.example /x Secure None"]),
      Case("3.1 __Secure-", "__SECURE-n=v; Secure", stored: ["__SECURE-n=v a.b.example /x Secure"]),
      Case("3.1 __Host-, path", "__Host-n=v; Secure; Path=/x", because: .prefix),
      Case("3.1 nameless prefix", "__Secure-n; Secure", because: .prefix),
      Case(
        "3.1 same name",
        "n=1; Domain=a.b.example",
        "n=2",
        "n=3; Path=/",
        "n=4",
        stored: ["n=1 .a.b.example /x", "n=4 a.b.example /x", "n=3 a.b.example /"]
      ), Case("3.1 expired", "n=v; Max-Age=0"),
    ]
  )
  func storesOrRefusesAsTheTableSays(_ test: Case) throws {
    let jar = CookieJar()
    var rejection: CookieRejection?
    for field in test.fields {
      let parts = field.hasPrefix("http") ? field.split(separator: " ", maxSplits: 1).map(String.init) : []
      let uri = try TargetURI(parsing: parts.first ?? test.from)
      do throws(CookieRejection) {
        try jar.store(parts.last ?? field, from: uri, at: Shown.now)
        rejection = nil
      } catch {
        rejection = error
        #expect(!error.description.isEmpty)
      }
    }
    #expect(jar.cookies(at: Shown.now).map(Shown.text) == test.stored)
    #expect(jar.count == test.stored.count)
    #expect(rejection == test.rejection)
  }

  /// Each with the URIs that get the cookie, and those that do not.
  @Test(
    arguments: [
      (
        "3.6 #1", "n=v", ["https://a.b.example/x", "https://a.b.example:8443/x/z?q"], ["https://b.example/x"]
      ),
      (
        "3.6 #2", "n=v; Domain=b.example",
        ["https://a.b.example/x/", "https://c.b.example/x", "https://b.example/x", "http://b.example/x"],
        ["https://ab.example/x", "https://example/x", "https://b.example.org/x", "https://10.0.0.1/x"]
      ),
      (
        "3.6 #11", "n=v; Path=/x/", ["https://a.b.example/x/", "https://a.b.example/x/y"],
        ["https://a.b.example/x", "https://a.b.example/x?/", "https://a.b.example/X/"]
      ),
      (
        "3.6 #12", "n=v; Path=/x",
        [
          "https://a.b.example/x", "https://a.b.example/x/y", "https://a.b.example/x?q",
          "https://a.b.example/x/",
        ],
        ["https://a.b.example/xy", "https://a.b.example/%78", "https://a.b.example/"]
      ), ("3.2 Secure", "n=v; Secure", ["https://a.b.example/x"], ["http://a.b.example/x"]),
      (
        "3.2 Path=/", "n=v; Path=/", ["https://a.b.example", "https://a.b.example/q"], ["https://b.example/"]
      ),
    ] as [(String, String, [String], [String])]
  )
  func sendsACookieOnlyWhereItMatches(id: String, field: String, sent: [String], kept: [String]) throws {
    let jar = CookieJar()
    try jar.store(field, from: TargetURI(parsing: "https://a.b.example/x/y?q"), at: Shown.now)
    for uri in sent { #expect(try Shown.line(jar, uri) == "n=v", "\(id): \(uri)") }
    for uri in kept { #expect(try Shown.line(jar, uri) == "", "\(id): \(uri)") }
  }

  @Test("3.6 #8: a cookie of an address is for no other host") func aCookieOfAnAddressIsForNoOtherHost()
    throws
  {
    let jar = CookieJar()
    try jar.store("n=v; Domain=10.0.0.1", from: TargetURI(parsing: "https://10.0.0.1/"), at: Shown.now)
    #expect(try Shown.line(jar, "http://10.0.0.1:81/") == "n=v")
    #expect(try Shown.line(jar, "https://1.10.0.0.1/") == "")
  }

  @Test("3.6 #16, #19, #43, #44: what is sent") func sendsLongerPathsAndOlderCookiesFirst() throws {
    let jar = CookieJar()
    let uri = try TargetURI(parsing: "https://a.b.example/x/y?q")
    for field in ["n=2; Path=/", "n=1", "a=1", "b=", "a=2", "=v"] {
      try jar.store(field, from: uri, at: Shown.now)
    }
    #expect(try Shown.line(jar, "https://a.b.example/x/z") == "n=1; a=2; b=; v; n=2")
    #expect(try Shown.line(jar, "https://a.b.example/") == "n=2")
  }

  /// RFC 6265 3.1
  @Test func behavesAsTheExamplesOfTheRFC() throws {
    let jar = CookieJar()
    let uri = try TargetURI(parsing: "https://www.example.com/")
    try jar.store("SID=31d4d96e407aad42; Path=/; Domain=example.com", from: uri, at: Shown.now)
    #expect(try Shown.line(jar, "http://site.example.com/any") == "SID=31d4d96e407aad42")
    try jar.store("SID=31d4d96e407aad42; Path=/; Secure; HttpOnly", from: uri, at: Shown.now)
    try jar.store("lang=en-US; Path=/; Domain=example.com", from: uri, at: Shown.now)
    #expect(
      try Shown.line(jar, "https://www.example.com/")
        == "SID=31d4d96e407aad42; SID=31d4d96e407aad42; lang=en-US"
    )
    let ended = try jar.store(
      "lang=; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Path=/; Domain=example.com",
      from: uri,
      at: Shown.now
    )
    #expect(ended == nil)
    #expect(try Shown.line(jar, "http://www.example.com/") == "SID=31d4d96e407aad42")
  }

  @Test func aCookieEndsAtItsTime() throws {
    let jar = CookieJar()
    let uri = try TargetURI(parsing: "https://h.example/")
    try jar.store("n=v; Max-Age=60", from: uri, at: Shown.now + 0.5)
    try jar.store("m=v; Max-Age=60", from: uri, at: Shown.now)
    #expect(try Shown.line(jar, "https://h.example/", at: Shown.now + 59.9) == "n=v; m=v")
    #expect(try Shown.line(jar, "https://h.example/", at: Shown.now + 60.9) == "n=v")
    #expect(try Shown.line(jar, "https://h.example/", at: Shown.now + 61) == "")
    // Nobody sees what has expired, and the next cookie of the site sweeps it out.
    #expect(jar.cookies(at: Shown.now + 61).isEmpty)
    try jar.store("o=v", from: uri, at: Shown.now + 61)
    #expect(jar.count == 1)
  }

  @Test("3.1 secure request, 3.2: loopback is secure by option") func loopbackIsSecureOnlyByOption() throws {
    for uri in ["http://localhost/", "http://a.localhost:81/", "http://127.8.0.1/", "http://[::1]/"] {
      let target = try TargetURI(parsing: uri)
      #expect(throws: CookieRejection.insecureSource) { try CookieJar().store("n=v; Secure", from: target) }
      let jar = CookieJar(trustsLoopback: true)
      try jar.store("n=v; Secure", from: target, at: Shown.now)
      #expect(try Shown.line(jar, uri) == "n=v")
    }
    for uri in [
      "http://localhost.example/", "http://128.0.0.1/", "http://notlocalhost/", "http://127.example/",
    ] {
      let jar = CookieJar(trustsLoopback: true)
      #expect(throws: CookieRejection.insecureSource) {
        try jar.store("n=v; Secure", from: TargetURI(parsing: uri))
      }
    }
  }

  @Test("3.1 HttpOnly: the value is hidden unless asked for, and no text shows it")
  func hidesValuesUnlessAskedFor() throws {
    let jar = CookieJar()
    let uri = try TargetURI(parsing: "https://h.example/")
    let hidden = try #require(try jar.store("n=s3cret; HttpOnly; Max-Age=60", from: uri, at: Shown.now))
    #expect(hidden.value == nil)
    #expect(hidden.revealedValue == "s3cret")
    #expect(hidden.description == "n for h.example/; HttpOnly; Expires=2026-05-28T20:27:40Z")
    let plain = try #require(
      try jar.store("=s3cret\u{e9}; Secure; SameSite=Lax; Domain=h.example", from: uri)
    )
    #expect(plain.value == "s3cret\u{e9}")
    #expect(plain.description == "(nameless) for .h.example/; Secure; SameSite=Lax")
    #expect("\([hidden, plain])".contains("s3cret") == false)
  }

  @Test func aCustomPublicSuffixListIsUsed() throws {
    let jar = CookieJar(publicSuffixes: PublicSuffixList(parsing: Array("shop.example".utf8)))
    let uri = try TargetURI(parsing: "https://a.shop.example/")
    #expect(throws: CookieRejection.publicSuffix) { try jar.store("n=v; Domain=shop.example", from: uri) }
    try jar.store("n=v; Domain=co.uk", from: TargetURI(parsing: "https://a.co.uk/"))
    #expect(jar.count == 1)
  }
}
