import Foundation
import TestSupport
import Testing

@testable import StagecoachCore
@testable import StagecoachStages

@Suite struct CookieJarFilesTests {
  private static func folder() throws -> String {
    let path = NSTemporaryDirectory() + "stagecoach-cookies-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  private static func jar() throws -> CookieJar {
    let jar = CookieJar()
    let uri = try TargetURI(parsing: "https://www.example.com/a/b")
    for field in [
      "sid=s; Max-Age=60; Secure; HttpOnly; SameSite=Strict",
      "wide=w; Domain=example.com; Path=/; Max-Age=1000",
      "tab=x\ty; Max-Age=60", "=nameless=1; Max-Age=60", "empty=; Max-Age=60", "session=1",
      "short=1; Max-Age=1",
    ] {
      try jar.store(field, from: uri, at: Shown.now)
    }
    return jar
  }

  @Test("3.4 Netscape: writing") func exportsNetscapeText() throws {
    let jar = try Self.jar()
    let end = 1_780_000_060
    #expect(
      String(decoding: jar.exported(as: .netscape, at: Shown.now + 1).bytes) == """
        # Netscape HTTP Cookie File
        #HttpOnly_www.example.com\tFALSE\t/a\tTRUE\t\(end)\tsid\ts
        .example.com\tTRUE\t/\tFALSE\t1780001000\twide\tw
        www.example.com\tFALSE\t/a\tFALSE\t\(end)\ttab\tx\ty
        www.example.com\tFALSE\t/a\tFALSE\t\(end)\t\tnameless=1
        www.example.com\tFALSE\t/a\tFALSE\t\(end)\tempty\t

        """
    )
    let all = String(
      decoding: jar.exported(as: .netscape, includingSession: true, at: Shown.now + 1).bytes
    )
    #expect(all.hasSuffix("www.example.com\tFALSE\t/a\tFALSE\t0\tsession\t1\n"))
  }

  @Test("3.4 Netscape: cookies that it cannot hold are reported") func reportsCookiesThatNetscapeCannotHold()
    throws
  {
    let jar = CookieJar()
    let uri = try TargetURI(parsing: "https://www.example.com/")
    try jar.store("a\tb=1; Max-Age=9", from: uri, at: Shown.now)
    try jar.store("c=1; Path=/d\te; Max-Age=9", from: uri, at: Shown.now)
    let export = jar.exported(as: .netscape, at: Shown.now)
    #expect(String(decoding: export.bytes) == "# Netscape HTTP Cookie File\n")
    #expect(export.omitted.map(\.name) == ["a\tb", "c"])
    #expect(jar.exported(at: Shown.now).omitted.isEmpty)
  }

  /// Each line with what it is in a jar, or the reason why it is not.
  @Test(
    "3.4 Netscape: reading",
    arguments: [
      (".h.example\tTRUE\t/\tFALSE\t0\tn\tv", "n=v .h.example /"),
      ("h.example\tTRUE\t/\tfalse\t0\tn\tv", "n=v .h.example /"),
      ("H.Example\tFALSE\t/p\tTRUE\t1780000060\tn\tv", "n=v h.example /p Secure 60s"),
      ("#HttpOnly_h.example\tFALSE\t/\tFALSE\t0\tn\tv", "n=v h.example / HttpOnly"),
      ("#HttpOnly_.h.example\tTRUE\t/\tFALSE\t0\tn\tv", "n=v .h.example / HttpOnly"),
      ("h.example\tFALSE\t/\tFALSE\t0\tn", "n= h.example /"),
      ("h.example\tFALSE\t/\tFALSE\t0\tn\t", "n= h.example /"),
      ("h.example\tFALSE\t/\tFALSE\t0\t\tv", "=v h.example /"),
      ("h.example\tFALSE\t\tFALSE\t0\tn\tv", "n=v h.example /"),
      ("h.example\tFALSE\tx\tFALSE\t0\tn\t a\tb ", "n=a\tb h.example /"),
      ("h.example\tFALSE\t/\tFALSE\t9999999999999\tn\tv", "n=v h.example / 34560000s"),
      ("10.0.0.1\tTRUE\t/\tFALSE\t0\tn\tv", "n=v 10.0.0.1 /"),
      ("[::1]\tFALSE\t/\tFALSE\t0\tn\tv", "n=v [::1] /"),
      ("com\tFALSE\t/\tFALSE\t0\tn\tv", "n=v com /"),
      ("h.example\tFALSE\t/\tFALSE\t0\tn\tv\r", "n=v h.example /"),
      ("h.example\tFALSE\t/\tTRUE\t0\t__Host-n\tv", "__Host-n=v h.example / Secure"),
      ("", nil), ("  \t", nil), ("# comment\tFALSE\t/\tFALSE\t0\tn\tv", nil),
      ("#httponly_h.example\tFALSE", nil),
      (".h.example\tTRUE\t/\tTRUE\t0\t__Host-n\tv", "prefix"),
      ("h.example\tFALSE\t/\tFALSE\t0\t__Secure-n\tv", "prefix"),
      ("h.example\tFALSE\t/\tFALSE\t1780000000\tn\tv", "expired"),
      ("h.example\tFALSE\t/\tFALSE\t-1\tn\tv", "expired"),
      (".co.uk\tTRUE\t/\tFALSE\t0\tn\tv", "publicSuffix"), ("h.example\tFALSE\t/\tFALSE\t0\t\t", "empty"),
      ("h.example\tFALSE\t/\tFALSE\t0\tn\ta\u{1}", "controlCharacter"),
      ("h.example\tFALSE\t/\u{1}\tFALSE\t0\tn\ta", "controlCharacter"),
      ("h.example\tFALSE\t/\tFALSE\t0\tn\ta;b", "malformed"),
      ("h.example\tFALSE\t/\tFALSE\t0\tn=\ta", "malformed"),
      ("h.example\tFALSE\t/\tFALSE\tsoon\tn\tv", "malformed"),
      ("h.example\tMAYBE\t/\tFALSE\t0\tn\tv", "malformed"),
      ("h.example FALSE / FALSE 0 n v", "malformed"), ("\tFALSE\t/\tFALSE\t0\tn\tv", "invalidDomain"),
      ("..h.example\tTRUE\t/\tFALSE\t0\tn\tv", "invalidDomain"),
      ("h:80\tFALSE\t/\tFALSE\t0\tn\tv", "invalidDomain"),
      ("bücher\tFALSE\t/\tFALSE\t0\tn\tv", "invalidDomain"),
    ] as [(String, String?)]
  )
  func importsNetscapeLinesOrSkipsThem(line: String, expected: String?) throws {
    let jar = CookieJar()
    let result = try jar.add(Bytes("# Netscape\n\(line)\n"), as: .netscape, at: Shown.now)
    let outcome =
      jar.cookies(at: Shown.now).map(Shown.text).first ?? result.skipped.first.map { "\($0.reason.rawValue)" }
    #expect(outcome == expected)
    #expect(result.stored == jar.count)
    #expect(result.skipped.allSatisfy { $0.position == 2 })
  }

  @Test func longNamesAndValuesOfFilesAreRefused() throws {
    let jar = CookieJar()
    let line = "h.example\tFALSE\t/\tFALSE\t0\tn\t\(String(repeating: "v", count: 4096))"
    #expect(try jar.add(Bytes(line), as: .netscape).skipped.map(\.reason) == [.tooLong])
  }

  @Test("3.4 own format: JSON") func exportsJSONAndImportsItUnchanged() throws {
    let jar = CookieJar()
    let uri = try TargetURI(parsing: "https://www.example.com/a/b")
    try jar.store("sid=s; Max-Age=60; Secure; HttpOnly; SameSite=Strict", from: uri, at: Shown.now)
    try jar.store("wide=w; Domain=example.com; Path=/; Max-Age=1000", from: uri, at: Shown.now)
    #expect(
      String(decoding: jar.exported(at: Shown.now).bytes) == """
        {
          "cookies": [
            {
              "name": "sid",
              "value": "s",
              "domain": "www.example.com",
              "hostOnly": true,
              "path": "/a",
              "secure": true,
              "httpOnly": true,
              "sameSite": "Strict",
              "expires": "2026-05-28T20:27:40Z",
              "created": "2026-05-28T20:26:40Z",
              "lastAccessed": "2026-05-28T20:26:40Z"
            },
            {
              "name": "wide",
              "value": "w",
              "domain": "example.com",
              "path": "/",
              "expires": "2026-05-28T20:43:20Z",
              "created": "2026-05-28T20:26:40Z",
              "lastAccessed": "2026-05-28T20:26:40Z"
            }
          ]
        }

        """
    )
  }

  @Test(
    arguments: [
      (#"{"name":"n","value":"v","domain":"h.example","path":"/"}"#, "n=v .h.example /"),
      (
        #"{"nameBase64":"6Q==","valueBase64":"6Q==","domain":"h.example","path":"/","x":1}"#,
        "é=é .h.example /"
      ),
      (#"{"name":"n","value":"v","domain":"co.uk","path":"/","hostOnly":true}"#, "n=v co.uk /"),
      (#"{"name":"n","value":"v","domain":"h.example","path":"/","sameSite":"lax"}"#, "n=v .h.example / Lax"),
      (#"{"name":"n","value":"v","domain":"co.uk","path":"/"}"#, "publicSuffix"),
      (#"{"name":"n","value":"v","domain":"h.example","path":"/","sameSite":"None"}"#, "sameSiteNone"),
      (
        #"{"name":"n","value":"v","domain":"h.example","path":"/","expires":"2026-01-01T00:00:00Z"}"#,
        "expired"
      ),
      (#"{"name":"n","value":"v","domain":"h.example","path":"/","expires":"soon"}"#, "malformed"),
      (#"{"name":"n","value":"v","domain":"h.example","path":"/","secure":"yes"}"#, "malformed"),
      (#"{"name":"n","value":"v","domain":"h.example","path":"/","sameSite":1}"#, "malformed"),
      (#"{"name":"n","value":"v","domain":"h.example"}"#, "malformed"),
      (#"{"name":"n","valueBase64":"?","domain":"h.example","path":"/"}"#, "malformed"), ("7", "malformed"),
      (#"{"name":"n","value":"a\nb","domain":"h.example","path":"/"}"#, "controlCharacter"),
    ]
  )
  func importsElementsOrSkipsThem(element: String, expected: String) throws {
    let jar = CookieJar()
    let result = try jar.add(Bytes("{\"cookies\":[\(element)]}"), at: Shown.now)
    let outcome =
      jar.cookies(at: Shown.now).map(Shown.text).first ?? result.skipped.first.map { "\($0.reason.rawValue)" }
    #expect(outcome == expected)
    #expect(result.skipped.allSatisfy { $0.position == 1 })
  }

  @Test(arguments: [
    "", "{", "[]", "{}", #"{"cookies":{}}"#, "{\"cookies\":\(String(repeating: "[", count: 5000))",
  ])
  func refusesAMalformedCookieFile(text: String) throws {
    let jar = try Self.jar()
    let before = jar.cookies(at: Shown.now)
    let error = try #require(throws: ExchangeError.self) { try jar.add(Bytes(text)) }
    #expect(error.kind == .file)
    #expect(jar.cookies(at: Shown.now) == before)
  }

  /// Octets that are no UTF-8, and all else that a server may set, are the same after both formats.
  @Test func exportedCookiesAreImportedUnchanged() throws {
    var random = SplitMix(state: 5)
    let jar = CookieJar()
    let uri = try TargetURI(parsing: "https://www.example.com/a/b")
    for _ in 0..<300 {
      func text(_ octets: String) -> String {
        String(
          (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in octets.randomElement(using: &random) }
        )
      }
      let field =
        "\(text("abé \"\\,{}"))=\(text("xyz=é\t \"\\,"));Max-Age=\(Int.random(in: 1...99, using: &random))"
        + ["", ";Secure", ";HttpOnly", ";Domain=example.com", ";SameSite=Lax", ";Path=/é"].shuffled(
          using: &random
        )
        .prefix(3).joined()
      _ = try? jar.store(field, from: uri, at: Shown.now)
    }
    let cookies = jar.cookies(at: Shown.now)
    #expect(cookies.count > 50)
    let again = CookieJar()
    #expect(try again.add(jar.exported(at: Shown.now).bytes, at: Shown.now).skipped.isEmpty)
    #expect(again.cookies(at: Shown.now) == cookies)
    let netscape = CookieJar()
    let export = jar.exported(as: .netscape, at: Shown.now)
    #expect(export.omitted.isEmpty)
    #expect(try netscape.add(export.bytes, as: .netscape, at: Shown.now).skipped.isEmpty)
    #expect(netscape.exported(as: .netscape, at: Shown.now).bytes == export.bytes)
    #expect(
      try Shown.line(netscape, "https://www.example.com/a/") == Shown.line(jar, "https://www.example.com/a/")
    )
  }

  @Test func filesAreReadableByTheirOwnerOnly() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let jar = try Self.jar()
    for format in [CookieJar.FileFormat.json, .netscape] {
      let path = "\(folder)/cookies-\(format)"
      #expect(
        FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o644])
      )
      #expect(try await jar.save(to: path, as: format, at: Shown.now).isEmpty)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let again = CookieJar()
      let result = try await again.load(from: path, as: format, at: Shown.now)
      #expect(result == CookieImport(stored: 6))
      #expect(again.cookies(at: Shown.now).map(\.name) == ["sid", "wide", "tab", "", "empty", "short"])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
  }

  @Test func aMissingFileIsEmptyUnlessItMustExist() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let jar = CookieJar()
    let path = "\(folder)/none"
    #expect(try await jar.load(from: path, mustExist: false) == CookieImport())
    let missing = try await #require(throws: ExchangeError.self) { try await jar.load(from: path) }
    #expect(missing.kind == .file)
    #expect(missing.message.contains(path))
    try Data("{".utf8).write(to: URL(fileURLWithPath: path))
    let broken = try await #require(throws: ExchangeError.self) {
      try await jar.load(from: path, mustExist: false)
    }
    #expect(broken.kind == .file)
    #expect(broken.message.contains(path))
    let unwritable = try await #require(throws: ExchangeError.self) { try await jar.save(to: "\(path)/x") }
    #expect(unwritable.kind == .file)
  }
}
