import Testing

@testable import StagecoachXML

@Suite struct EventTests {
  static let document = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <!DOCTYPE feed [<!-- inside --><?inside dtd?><!ENTITY coach "Grüße &amp; Räder">
    <!ATTLIST entry kind CDATA "plain">]>
    <!-- before -->
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="urn:x" x:id="1&#10;2">
      <?style href="a.css"?>
      <entry a="&coach;" b="&lt;&#228;&gt;">one &coach; two<![CDATA[ <raw> & ]]><![CDATA[more]]>three</entry>
      <x:entry kind="own"/><entry/>
      <!-- a comment - with – dashes -->
      <leer></leer>
    </feed>
    <!-- after --><?end?>
    """

  static let expected = [
    "document 1.0 UTF-8 Optional(true)",
    "comment  before ",
    "<{http://www.w3.org/2005/Atom}feed xmlns:=http://www.w3.org/2005/Atom xmlns:x=urn:x {urn:x}id=1\n2 @5",
    "text \n  ",
    "pi style href=\"a.css\"",
    "text \n  ",
    "<{http://www.w3.org/2005/Atom}entry a=Grüße & Räder b=<ä> kind=plain @7",
    "text one Grüße & Räder two",
    "cdata  <raw> & more",
    "text three",
    "</{http://www.w3.org/2005/Atom}entry @7",
    "text \n  ",
    "<{urn:x}entry kind=own @8",
    "</{urn:x}entry @8",
    "<{http://www.w3.org/2005/Atom}entry kind=plain @8",
    "</{http://www.w3.org/2005/Atom}entry @8",
    "text \n  ",
    "comment  a comment - with – dashes ",
    "text \n  ",
    "<{http://www.w3.org/2005/Atom}leer @10",
    "</{http://www.w3.org/2005/Atom}leer @10",
    "text \n",
    "</{http://www.w3.org/2005/Atom}feed @11",
    "comment  after ",
    "pi end ",
    "end",
  ]

  @Test func reportsEveryKindOfEvent() throws {
    #expect(try events(Array(Self.document.utf8), cuts: []) == Self.expected)
  }

  /// One cut at every place.
  @Test func everyCutGivesTheSameEvents() throws {
    let bytes = Array(Self.document.utf8)
    for cut in 1..<bytes.count {
      let found = try events(bytes, cuts: [cut])
      #expect(found == Self.expected, "cut at \(cut)")
    }
  }

  @Test(arguments: [1, 2, 3, 5, 64])
  func chunksOfAnySizeGiveTheSameEvents(size: Int) throws {
    let bytes = Array(Self.document.utf8)
    let cuts = Array(stride(from: size, to: bytes.count, by: size))
    #expect(try events(bytes, cuts: cuts) == Self.expected)
  }

  /// Random documents, cut at random places.
  @Test(arguments: 0..<40)
  func randomPiecesGiveTheSameEvents(seed: Int) throws {
    var random = Xorshift(seed: UInt64(seed + 1))
    let bytes = Array(random.document().utf8)
    let whole = try events(bytes, cuts: [])
    for _ in 0..<10 {
      let cuts = Set(
        (0..<Int.random(in: 1...20, using: &random)).map { _ in
          Int.random(in: 0...bytes.count, using: &random)
        }
      ).sorted()
      #expect(try events(bytes, cuts: cuts) == whole, "\(cuts)")
    }
  }

  @Test(arguments: [1, 7, 4096])
  func decodesUTF16CutAnywhere(size: Int) throws {
    let text = "<?xml version=\"1.0\"?><a b=\"ä\">grüße – 日本</a>"
    let wanted = ["<a b=ä @1", "text grüße – 日本", "</a @1", "end"]
    for bigEndian in [true, false] {
      let bytes = utf16(text, bigEndian: bigEndian, mark: true)
      let cuts = Array(stride(from: size, to: bytes.count, by: size))
      #expect(try Array(events(bytes, cuts: cuts).dropFirst()) == wanted)
    }
    let latin =
      Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>gr".utf8) + [0xFC, 0xDF] + Array("e</a>".utf8)
    #expect(try events(latin, cuts: [size]).contains("text grüße"))
    #expect(
      try events(Array("<a>gr".utf8) + [0x81, 0x9F] + Array("</a>".utf8), cuts: [], encoding: "IBM437")
        .contains("text grüƒ")
    )
    // 日本 in Shift_JIS.
    let japanese =
      Array("<?xml version=\"1.0\" encoding=\"Shift_JIS\"?><a>".utf8) + [0x93, 0xFA, 0x96, 0x7B]
      + Array("</a>".utf8)
    #expect(try events(japanese, cuts: [size]).contains("text 日本"))
    let windows = Array("<a>".utf8) + [0x80, 0x96] + Array("</a>".utf8)
    #expect(try events(windows, cuts: [], encoding: "windows-1252").contains("text €–"))
  }

  /// A text that is longer than many chunks stays one event, and costs no copy of itself with each chunk.
  @Test func reportsLongTextAsOneEvent() throws {
    let text = String(repeating: "wheel ", count: 100_000)
    let bytes = Array("<a><b>\(text)</b></a>".utf8)
    let cuts = Array(stride(from: 1000, to: bytes.count, by: 1000))
    #expect(try events(bytes, cuts: cuts).contains("text \(text)"))
  }

  @Test func textHasALimit() {
    let bytes = Array("<a>\(String(repeating: "x", count: 10_000_001))</a>".utf8)
    let error = #expect(throws: XML.ParseError.self) { try events(bytes, cuts: [5_000_000]) }
    #expect(error?.reason == .limit(name: "nodeSize", value: 10_000_000))
  }

  @Test func distinctNamesHaveALimit() {
    let elements = (0..<11).map { "<e\($0)/>" }.joined()
    let error = #expect(throws: XML.ParseError.self) {
      try events(Array("<a>\(elements)</a>".utf8), cuts: [], limits: limits(\.distinctNames, 10))
    }
    #expect(error?.reason == .limit(name: "distinctNames", value: 10))
  }

  @Test(arguments: [
    ("<a><b></a>", 1), ("<a>\n<b x='1' x='2'/></a>", 2), ("<a>\n\n&nothing;</a>", 3), ("<a>", 1),
    ("<a/><b/>", 1),
    ("<p:a/>", 1),
  ])
  func errorsSayWhere(document: String, line: Int) {
    for cut in 0..<document.utf8.count {
      let error = #expect(throws: XML.ParseError.self) { try events(Array(document.utf8), cuts: [cut]) }
      #expect(error?.line == line)
      #expect((error?.column ?? 0) > 0)
    }
  }

  @Test func documentsAreNotCountedAsAWhole() throws {
    let bytes = Array("<a>\(String(repeating: "<b>text</b>", count: 1000))</a>".utf8)
    var small = XML.Limits()
    small.nodes = 100
    small.textSize = 1000
    let parser = XML.EventParser(LineHandler(), limits: small)
    try bytes.withUnsafeBytes { try parser.append($0) }
    #expect(try parser.finish().lines.count == 3000 + 4)
  }
}

/// Random numbers that come again.
struct Xorshift: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  /// A well-formed document.
  mutating func document() -> String {
    "<?xml version=\"1.0\"?>\n<!DOCTYPE r [<!ENTITY e \"entity &#38;amp; text\">]>" + element(depth: 0)
  }

  private mutating func element(depth: Int) -> String {
    let name = ["a", "b", "p:c", "ü", "long-name.with_marks"].randomElement(using: &self)!
    var text = "<\(name)\(depth == 0 ? " xmlns:p=\"urn:p\" xmlns=\"urn:d\"" : "")"
    if Bool.random(using: &self) { text += " k=\"v&lt;&e;&#x20AC;\"" }
    if Bool.random(using: &self) { text += "\n p:k='\"'" }
    guard Int.random(in: 0..<5, using: &self) > 0 else { return text + "/>" }
    text += ">"
    for _ in 0..<Int.random(in: 0..<6, using: &self) {
      switch Int.random(in: 0..<(depth < 5 ? 8 : 6), using: &self) {
      case 0: text += "some text – 日本 "
      case 1: text += "&e;"
      case 2: text += "<![CDATA[<&]]]>"
      case 3: text += "<!-- c - é -->"
      case 4: text += "<?t some data?>"
      case 5: text += "\r\n&#13;\r"
      default: text += element(depth: depth + 1)
      }
    }
    return text + "</\(name)>"
  }
}
