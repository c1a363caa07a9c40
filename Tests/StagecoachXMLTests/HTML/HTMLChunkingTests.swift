import Stagecoach
import StagecoachXML
import Testing

/// However a document is cut, the tree and the issues are the same.
@Suite struct HTMLChunkingTests {
  private static let pieces = [
    "<", ">", "</", "/>", "<!--", "-->", "--!>", "<!", "<!DOCTYPE html>", "<?x ", "?>", "&", "&amp;", "&#65;",
    "&#x4", ";", "\"", "'", "=", " ", "\n", "\r\n", "\r", "\0", "\u{C}", "a", "p", "é", "世", "😀", "<p", "<p>",
    "</p>",
    "<b a='x>y'", "<a href=x\"y>", "<script>", "</script>", "</scr", "<style>", "</style>", "<title>",
    "</title>",
    "<textarea>", "</textarea>", "<table>", "<tr>", "<td>", "</table>", "<svg>", "</svg>", "<![CDATA[", "]]>",
    "<br/>",
    "<html>", "</html>", "<body x=1>", "</body>", "<head>", "</head>", "<li>", "text ", "@x=", "<o:p>",
    "<xmp>", "</xmp>",
    "<iframe>", "<frameset>", "<select><option>", "</div>", "<div>",
  ]

  private func outcome(_ bytes: [UInt8], chunk: Int) -> String {
    var issues: [XML.HTMLParser.Issue] = []
    do {
      let document = try parseHTML(bytes, chunk: chunk, issues: &issues)
      // Which nodes there are, not only how they look.
      let nodes = try document.xpath("//node() | //@*").nodes.map { "\($0.kind) \($0.name) \($0.line ?? 0)" }
      return "\(document.htmlString)\n\(nodes)\n\(issues)"
    } catch {
      return "\(error) \(issues)"
    }
  }

  @Test func everyCutOfAPageGivesTheSameDocument() {
    let page = """
      <!DOCTYPE html PUBLIC "a>b" 'c'><!-- x --!><html lang=\"de\"><head><title>ä<b>&amp;</title>\r
      <script>a < b; '</scr' + "</b>"</script ><style>p>a{}</style></head><body @x='1 > 2' y=\"a&#146;\">
      a < b & c &euro;&#xe4; <br/><p>世界 😀<p title='>'>x<table><tr><td>1<td>2</table><![endif]--></ x>
      <svg><![CDATA[a<b]]></svg><textarea><p></textarea></body></html>\r\nrest<!-- a
      """
    let bytes = Array(page.utf8)
    let whole = outcome(bytes, chunk: .max)
    for chunk in Array(1...16) + [23, 40, 64, 100] { #expect(outcome(bytes, chunk: chunk) == whole) }
  }

  @Test(arguments: 0..<4)
  func anyCutOfRandomMarkupGivesTheSameDocument(seed: UInt64) {
    var random = SplitMix(state: seed)
    for _ in 0..<100 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        let piece = Self.pieces.randomElement(using: &random) ?? ""
        bytes.append(contentsOf: piece.utf8)
        if Int.random(in: 0..<40, using: &random) == 0 {
          bytes.append(UInt8.random(in: 0x80...0xFF, using: &random))
        }
      }
      // Long enough to be given to libxml2 in several slices.
      if Int.random(in: 0..<10, using: &random) == 0 {
        let position = Int.random(in: 0...bytes.count, using: &random)
        bytes.insert(contentsOf: Array(repeating: UInt8(ascii: "x"), count: 20_000), at: position)
      }
      let whole = outcome(bytes, chunk: .max)
      for chunk in [1, 2, 3, Int.random(in: 4...200, using: &random)] where bytes.count < 2_000 || chunk > 50
      {
        #expect(
          outcome(bytes, chunk: chunk) == whole,
          "\(String(decoding: bytes, as: UTF8.self).prefix(500))"
        )
      }
    }
  }

  @Test(arguments: [7, 16_383, 16_384, 100_000])
  func slicesOfLongTextAreJoined(chunk: Int) throws {
    // Every piece comes to lie over a border between two slices somewhere.
    let row = "<tr class='a'><td>é &amp; <b>x</b></td><td><!-- c --><script>a<b</script></td></tr>\n"
    let rows = String(repeating: row, count: 1_000)
    let page = try parseHTML("<table>" + rows + "</table>", chunk: chunk)
    let written = try page.xpath("//tr").nodes.map { $0.htmlString }
    #expect(written.count == 1_000)
    #expect(Set(written).count == 1)
    #expect(
      written.first
        == "<tr class=\"a\"><td>é &amp; <b>x</b></td><td><!-- c --><script>a<b</script></td></tr>"
    )
    let text = String(repeating: "é&#65;&amp; ", count: 5_000)
    #expect(
      try parseHTML("<p>" + text, chunk: chunk).root.text == String(repeating: "éA& ", count: 5_000)
    )
  }

  @Test(
    arguments: [
      // Second bytes are like ASCII in several of them, and one has shift states.
      ("gbk", "你好世界丂"), ("gb18030", "你好😀世"), ("shift_jis", "日本ソ十ﾊ"), ("euc-jp", "日本語ソﾊ"),
      ("iso-2022-jp", "日本語ソ表"), ("big5", "你好世界功"), ("euc-kr", "한국어각똠"),
    ],
    [7, 16_383, 65_537, .max]
  )
  func aCutInsideACharacterKeepsTheCharacter(_ sample: (String, String), chunk: Int) throws {
    let (charset, characters) = sample
    let text = String(repeating: characters, count: 14_000)
    let bytes = try #require(Charset(charset)).encode("<p>" + text)
    #expect(try parseHTML(bytes, chunk: chunk, encoding: charset).root.text == text)
  }
}

/// A small random generator, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
