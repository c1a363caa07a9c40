import StagecoachXML
import Testing

/// A changed document keeps what is outside of its root.
@Suite struct ReplacedRootTests {
  @Test func keepsNodesOutsideOfTheReplacedRoot() throws {
    let document = try parse(
      """
      <?xml version="1.0"?><!-- a --><?b c?>
      <!DOCTYPE r PUBLIC "-//A//B//EN" "http://127.0.0.1:1/r.dtd" [<!ENTITY e "x"><!ATTLIST r k CDATA "v">]>
      <!-- d --><r>&e;</r><!-- f --><?g h?>
      """
    )
    var root = XML.Element(document)
    root["id"] = "7"
    let changed = try document.replacingRoot(with: root)
    #expect(
      changed.xmlString == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- a -->
        <?b c?>
        <!DOCTYPE r PUBLIC "-//A//B//EN" "http://127.0.0.1:1/r.dtd">
        <!-- d -->
        <r k="v" id="7">x</r>
        <!-- f -->
        <?g h?>

        """
    )
    #expect(changed.node.children.map(\.kind) == document.node.children.map(\.kind))
    #expect(try XML.Document(element: root).node.children.map(\.kind) == [.element])
    // The original does not change.
    #expect(document.root.attribute("id") == nil && document.xmlString.contains("<!ENTITY e"))
  }

  @Test(
    arguments: [
      "<r/>", "<!DOCTYPE r><r/>", "<!DOCTYPE r SYSTEM 'a\"b'><r/>", "<!-- - - --><r/>",
      "<!DOCTYPE other><r/><!--x-->",
    ]
  )
  func keepsAnyPrologOfAReplacedRoot(text: String) throws {
    let document = try parse(text)
    let changed = try document.replacingRoot(with: XML.Element("s") { "t" })
    #expect(changed.root.name == "s")
    let expected = document.node.children.map { $0.kind == .element ? "<s>t</s>" : $0.xmlString }
    #expect(changed.node.children.map(\.xmlString) == expected)
  }

  @Test func replacesTheRootOfAnHTMLPage() throws {
    let page = try parseHTML(
      "<!--a--b--><?php c ?><!DOCTYPE html><title>t</title><p @x=1>y<br></p><!-- e -->"
    )
    var root = XML.Element(page)
    root["lang"] = "en"
    let changed = try page.replacingRoot(with: root)
    #expect(
      changed.htmlString.contains("<!--a- -b-->")
        && changed.htmlString.hasPrefix("<!DOCTYPE html>")
        && changed.htmlString.contains("<html lang=\"en\">")
    )
    let old = try parseHTML("<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\"><p>x")
    let html = try old.replacingRoot(with: XML.Element(old)).htmlString
    #expect(html.hasPrefix("<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\""))
  }

  @Test func refusesAReplacementThatCannotBeWritten() throws {
    let document = try parse("<!DOCTYPE r><r/>")
    #expect(throws: XML.ElementError.self) { try document.replacingRoot(with: XML.Element("1")) }
    let error = #expect(throws: XML.ElementError.self) {
      try document.replacingRoot(with: XML.Element("r", text: "xx"), limits: limits(\.textSize, 1))
    }
    #expect(error?.path == "/r")
  }
}

/// Documents deeper than 256 elements, which a limit allows.
@Suite struct DeepDocumentTests {
  private static let depth = 1_500
  private static let text =
    String(repeating: "<a b='c'>", count: depth) + "x" + String(repeating: "</a>", count: depth)

  @Test func aDeepDocumentCanBeWrittenQueriedAndConverted() throws {
    let document = try parse(Self.text, limits: limits(\.depth, 2_000))
    #expect(document.xmlString.utf8.count > Self.text.utf8.count)
    #expect(try document.canonicalXML().count == Self.text.utf8.count)
    #expect(try document.xpath("count(//a)").string == "\(Self.depth)")
    #expect(document.root.text == "x")
    let element = XML.Element(document)
    #expect(element.text == "x")
    let error = #expect(throws: XML.ElementError.self) { try element.serialized() }
    #expect(error?.reason == .limit(name: "depth", value: 256))
    #expect(try XMLDecoder().decode(XML.Element.self, from: document.root).text == "x")
    struct Nested: Decodable { var a: [Nested] }
    #expect(throws: DecodingError.self) { try XMLDecoder().decode(Nested.self, from: document.root) }
  }
}
