import StagecoachFormats
import TestSupport
import Testing

@Suite struct MediaTypeTests {
  private static func parameters(_ pairs: [(String, String)]) throws -> [MediaType.Parameter] {
    try pairs.map { try #require(MediaType.Parameter(name: $0.0, value: $0.1)) }
  }

  @Test(arguments: [
    ("application/json", "application/json"),
    ("Application/JSON", "application/json"),
    ("text/html;charset=utf-8", "text/html;charset=utf-8"),
    ("Text/HTML;Charset=\"utf-8\"", "text/html;charset=utf-8"),
    ("text/html; charset=\"utf-8\"", "text/html;charset=utf-8"),
    (" \ttext/html \t;\t charset \t=\t UTF-8 \t", "text/html;charset=UTF-8"),
    ("text/html;", "text/html"),
    ("text/html;;; ;charset=x;", "text/html;charset=x"),
    ("text/html;charset", "text/html"),
    ("text/html;charset=", "text/html"),
    ("text/html;charset=;a=b", "text/html;a=b"),
    ("text/html;=x;a=b", "text/html;a=b"),
    ("text/html; utf-8", "text/html"),
    ("text/html; foo bar; a=b", "text/html;a=b"),
    ("text/plain;a=\"\"", "text/plain;a=\"\""),
    ("text/plain;a=\"b;c=\\\"d\\\\\"; e=f", "text/plain;a=\"b;c=\\\"d\\\\\";e=f"),
    ("text/plain;a=\" b \"", "text/plain;a=\" b \""),
    ("text/plain;a=b c ;d=e", "text/plain;a=\"b c\";d=e"),
    ("text/plain;a=\"b", "text/plain;a=b"),
    ("text/plain;a=\"b\\", "text/plain;a=\"b\\\\\""),
    ("text/plain;a=\"b\"junk;c=d", "text/plain;a=b;c=d"),
    ("multipart/mixed;boundary=--=_a(b)", "multipart/mixed;boundary=\"--=_a(b)\""),
    ("text/plain;a=1;A=2", "text/plain;a=1"),
    ("text/plain;b=1;a=2", "text/plain;b=1;a=2"),
    ("text/plain;title=\u{E9}", "text/plain;title=\"\u{E9}\""),
    ("application/vnd.api+json", "application/vnd.api+json"),
  ])
  func readsAndPrintsTypes(text: String, printed: String) throws {
    let type = try #require(MediaType(text))
    #expect(type.description == printed)
    #expect(MediaType(printed) == type)
  }

  @Test(arguments: [
    "", " ", "json", "/", "text/", "/html", "text//html", "text /html", "text/ html", "text/html charset=x",
    "text/html,application/json", "te(xt/html", "text/h\"tml", "*/*", "text/*", "application/*+json",
    "text/html;a=b\r\nX: y", "text/html;a=\"\u{0}\"", "text/html\n", "text/html;a=\u{7F}", "t\u{E9}xt/html",
  ])
  func refusesAMalformedType(text: String) {
    #expect(MediaType(text) == nil)
  }

  @Test func parametersAreLimited() throws {
    let most = "text/plain" + (0..<64).map { ";p\($0)=v" }.joined()
    #expect(MediaType(most)?.parameters.count == 64)
    #expect(MediaType(most + ";p0=again")?.parameters.count == 64)
    #expect(MediaType(most + ";x=y") == nil)
  }

  @Test func splitsTypeSubtypeSuffixAndParameters() throws {
    let type = try #require(MediaType("Application/Vnd.Api+JSON;Version=1;charset=Latin1;b=\"c d\""))
    #expect(type.type == "application")
    #expect(type.subtype == "vnd.api+json")
    #expect(type.suffix == "json")
    #expect(
      try type.parameters == Self.parameters([("version", "1"), ("charset", "Latin1"), ("b", "c d")])
    )
    #expect(type[parameter: "VERSION"] == "1")
    #expect(type[parameter: "none"] == nil)
    #expect(type.charset == .windows1252)
    #expect(type.essence == MediaType("application/vnd.api+json"))
    #expect(MediaType.json.essence == .json)
  }

  @Test(
    arguments: [
      ("a/b+c", "c"), ("a/b+c+d", "d"), ("a/b", nil), ("a/b+", nil), ("a/+json", nil), ("a/b++json", "json"),
    ] as [(String, String?)]
  )
  func readsTheSuffix(text: String, suffix: String?) throws {
    #expect(try #require(MediaType(text)).suffix == suffix)
  }

  @Test(arguments: [
    ("a/b;x=1;y=2", "a/b;y=2;x=1", true), ("A/B;X=1", "a/b;x=1", true), ("a/b;x=1", "a/b;x=1;y=2", false),
    ("a/b;x=1;y=2", "a/b;x=1;z=2", false), ("a/b;x=a", "a/b;x=A", false), ("a/b", "a/c", false),
    ("a/b", "c/b", false),
    // RFC 9110 8.3.1 gives these as the same.
    ("text/html;charset=utf-8", "Text/HTML;Charset=\"utf-8\"", true),
    ("text/html;charset=utf-8", "text/html;charset=UTF-8", true),
    ("text/html;charset=utf-8", "text/html;charset=utf8", false),
    ("text/html;charset=UTF-8;a=1", "text/html;a=1;charset=utf-8", true),
  ])
  func comparesWithoutCaseAndParameterOrder(text: String, other: String, expected: Bool) throws {
    let (type, other) = (try #require(MediaType(text)), try #require(MediaType(other)))
    #expect((type == other) == expected)
    #expect((other == type) == expected)
    if expected { #expect(type.hashValue == other.hashValue) }
  }

  @Test func parametersAreSetInPlace() throws {
    let parameter = try #require(MediaType.Parameter(name: "Boundary", value: "a b"))
    let type = MediaType.multipartForm.with(charset: .utf8).with(parameter).with(charset: .isoLatin1)
    #expect(type.description == "multipart/form-data;charset=ISO-8859-1;boundary=\"a b\"")
    #expect(type.charset == .windows1252)
  }

  @Test func parametersAreChecked() {
    for name in ["", "a b", "a=b", "\u{E9}", "a;", "a\n"] {
      #expect(MediaType.Parameter(name: name, value: "v") == nil)
    }
    for value in ["\r", "\n", "a\u{0}b", "\u{7F}"] {
      #expect(MediaType.Parameter(name: "a", value: value) == nil)
    }
    #expect(MediaType.Parameter(name: "a", value: "\t \"\\;,")?.value == "\t \"\\;,")
  }

  @Test func anythingReadsBackAsPrinted() {
    let pieces = [
      "text", "/", ";", "a", "=", "\"", "\\", " ", "*", "+json", ",", "charset", "\u{E9}", "\t", "q", "0.5",
    ]
    // A linear congruential generator with a fixed seed.
    var state: UInt64 = 1
    func next() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33)
    }
    var read = 0
    for _ in 0..<20_000 {
      let text = "a/b;" + (0..<8).map { _ in pieces[next() % pieces.count] }.joined()
      guard let type = MediaType(text) else { continue }
      read += type.parameters.isEmpty ? 0 : 1
      #expect(MediaType(type.description) == type, "\(text)")
    }
    #expect(read > 1_000)
  }
}
