import StagecoachXML
import Testing

@Suite struct HTMLLimitsTests {
  @Test(arguments: [1_000, .max])
  func refusesDeepNesting(chunk: Int) throws {
    let reason = XML.ParseError.Reason.limit(name: "depth", value: 256)
    func nested(_ count: Int) -> String { String(repeating: "<div>", count: count) + "x" }
    // With html and body around.
    #expect(try parseHTML(nested(254), chunk: chunk).xpath("//div").nodes.count == 254)
    #expect(htmlError(nested(255), chunk: chunk)?.reason == reason)
    #expect(htmlError(nested(1_000_000), chunk: chunk)?.reason == reason)
    for tag in ["<b>", "<font>", "<table><tr><td>", "<svg>", "<x>", "<ul><li>", "<form><div>", "<object>"] {
      #expect(htmlError(String(repeating: tag, count: 100_000), chunk: chunk)?.reason == reason, "\(tag)")
    }
    let raised = limits(\.depth, 1_000)
    let deep = try parseHTML(nested(998), chunk: chunk, limits: raised)
    #expect(try deep.xpath("//div").nodes.count == 998 && deep.htmlString.utf8.count > 998 * 11)
    #expect(XML.Element(deep).text == "x")
    #expect(
      htmlError(nested(999), chunk: chunk, limits: raised)?.reason == .limit(name: "depth", value: 1_000)
    )
    // Those close each other.
    for tag in ["<p>", "<br>", "<li>", "<td>", "<option>"] {
      #expect(try parseHTML(String(repeating: tag, count: 10_000), chunk: chunk).root.name == "html")
    }
    #expect(htmlError("<p><b>x", limits: limits(\.depth, 3))?.reason == .limit(name: "depth", value: 3))
  }

  @Test(arguments: [7, 4_096, .max])
  func refusesTooManyAttributes(chunk: Int) throws {
    let reason = XML.ParseError.Reason.limit(name: "attributesPerElement", value: 1_024)
    func tag(_ count: Int, _ attribute: (Int) -> String) -> String {
      "<p" + (0..<count).map { " " + attribute($0) }.joined() + ">x"
    }
    #expect(try parseHTML(tag(1_024) { "a\($0)=1" }, chunk: chunk).xpath("//p/@*").nodes.count == 1_024)
    #expect(htmlError(tag(1_025) { "a\($0)" }, chunk: chunk)?.reason == reason)
    // libxml2 alone compares each with each.
    #expect(htmlError(tag(20_000) { "a\($0)" }, chunk: chunk)?.reason == reason)
    #expect(htmlError(tag(20_000) { _ in "b" }, chunk: chunk)?.reason == reason)
    #expect(htmlError(tag(20_000) { "@\($0)='>'" }, chunk: chunk)?.reason == reason)
    #expect(htmlError("<p " + String(repeating: "=\"", count: 20_000), chunk: chunk)?.reason == reason)
  }

  @Test func limitsNodesTextAndNames() throws {
    let text = "<p a='b'>c<!--d--><?e f>"
    #expect(try parseHTML(text, limits: limits(\.nodes, 7)).root.name == "html")
    #expect(htmlError(text, limits: limits(\.nodes, 6))?.reason == .limit(name: "nodes", value: 6))
    for text in [
      "<p>0123456789", "<p>01<b>23</b><b>456789", "<p a=0123456789>", "<!--0123456789--><p>",
      "<p><?a 0123456789>",
      "<script>0123456789</script>", "<p>01234567&#38;&amp;",
    ] {
      let error = htmlError(text, limits: limits(\.textSize, 9))
      #expect(error?.reason == .limit(name: "textSize", value: 9), "\(text)")
      #expect(throws: Never.self, "\(text)") { try parseHTML(text, limits: limits(\.textSize, 20)) }
    }
    let name = String(repeating: "n", count: 60)
    for text in ["<\(name)>", "<p \(name)>", "<p @\(name.dropLast())=1>", "<?\(name) x><p>"] {
      let error = htmlError(text, limits: limits(\.nameLength, 59))
      #expect(error?.reason == .limit(name: "nameLength", value: 59), "\(text)")
      #expect(throws: Never.self, "\(text)") { try parseHTML(text, limits: limits(\.nameLength, 60)) }
    }
    let long = String(repeating: "n", count: 200)
    #expect(htmlError("<\(long)>")?.reason == .limit(name: "nameLength", value: 100))
    #expect(try parseHTML("<p \(long)=1>").xpath("//p/@*").nodes.map(\.name) == [long])
  }

  /// What is no markup to anybody is text, of which libxml2 takes so much.
  @Test func hugePiecesAreReadUpToTheNodeSize() throws {
    let chunk = 1 << 20
    let large = String(repeating: "x", count: 1_000_000)
    #expect(try parseHTML("<p>\(large)", chunk: chunk).root.text.utf8.count == 1_000_000)
    #expect(try parseHTML("<p a=\"\(large)\">y", chunk: chunk).xpath("//p/@a").string.utf8.count == 1_000_000)
    #expect(try parseHTML("<script>\(large)</script>", chunk: chunk).root.text.utf8.count == 1_000_000)
    #expect(try parseHTML("<title>\(large)", chunk: chunk).root.text.utf8.count == 1_000_000)
    #expect(
      try parseHTML("<p><!--\(large)", chunk: chunk).xpath("string(//comment())").string.utf8.count
        == 1_000_000
    )
    let huge = String(repeating: "x", count: 10_000_100)
    for start in ["<p a=\"", "<p>x<!--", "<script>", "</p "] {
      let error = htmlError(start + huge, chunk: chunk)
      #expect(error?.reason == .limit(name: "nodeSize", value: 10_000_000), "\(start)")
    }
    #expect(
      htmlError("<p>" + huge, chunk: chunk)?.reason == .limit(name: "nodeSize", value: 10_000_000)
    )
    for start in ["<p>", "<p a=\"", "<p><!--", "<p><script>", "<title>"] {
      #expect(
        try parseHTML(start + huge + "\">-->", chunk: chunk, limits: limits(\.nodeSize, 11_000_000)).root.name
          == "html"
      )
    }
  }

  /// Each of these takes minutes where something grows with the square of the input.
  @Test(
    arguments: [
      "</b>", "<", "&", "<!", "<!---->", "<?x>", "</>", "<p a=\"", "'\"<p ", "<!--", "-", "--!", "<script>",
      "</script>",
      "<title></title", "<![CDATA[", "<svg><![CDATA[]]", "\0", "\r", "&#", "<html>", "<body>", "<head>",
      "</html>",
      "<a b='>", "<p a=1 a=2>", "<!DOCTYPE \"", "<table><b>", "<textarea></textarea ", "<style></style",
    ],
    [100, .max]
  )
  func noMarkupTakesQuadraticTime(piece: String, chunk: Int) throws {
    let text = "<body><div>" + String(repeating: piece, count: 100_000 / piece.utf8.count)
    let clock = ContinuousClock()
    let duration = clock.measure { _ = try? parseHTML(text, chunk: chunk) }
    #expect(duration < .seconds(20))
  }

  @Test func errorsEndTheParseWhereNodesWould() {
    let text = "<p>" + String(repeating: "</b>", count: 20)
    #expect(throws: Never.self) { try parseHTML(text, limits: limits(\.nodes, 20)) }
    #expect(htmlError(text, limits: limits(\.nodes, 19))?.reason == .limit(name: "nodes", value: 19))
  }

  @Test func errorsSayWhere() throws {
    let error = htmlError("<p>\n\n<b>\n <i>x", limits: limits(\.depth, 4))
    #expect(error?.line == 4)
    let parser = XML.HTMLParser(limits: limits(\.depth, 2))
    let page = Array(String(repeating: "<p>x", count: 10_000).utf8)
    let first = try #require(throws: XML.ParseError.self) {
      try page.withUnsafeBytes { try parser.append($0) }
    }
    #expect(throws: first) { try page.withUnsafeBytes { try parser.append($0) } }
    #expect(throws: first) { try parser.finish() }
  }
}
