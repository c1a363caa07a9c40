import StagecoachXML
import Testing

@Suite struct NavigationTests {
  private func feed() throws -> XML.Document {
    try parse(
      """
      <!DOCTYPE feed [<!ELEMENT feed ANY>]><!--top--><feed xmlns:m="urn:m"><title>T</title>\
      <entry id="1"><m:title>A</m:title>x<b/>y<?p d?></entry><entry id="2"><m:title>B</m:title><!--c--></entry>\
      </feed>
      """
    )
  }

  @Test func siblingsAreInDocumentOrder() throws {
    let document = try feed()
    let root = document.root
    #expect(root.nextSibling == nil)
    #expect(root.previousSibling?.kind == .comment)
    #expect(root.previousSibling?.previousSibling?.kind == .documentType)
    #expect(root.previousSibling?.previousSibling?.previousSibling == nil)
    #expect(document.node.nextSibling == nil)
    let entry = try #require(root.element(named: "entry"))
    #expect(entry.previousSibling?.name == "title")
    #expect(entry.nextSibling?.attribute("id") == "2")
    #expect(entry.attributes[0].nextSibling == nil)
    #expect(entry.attributes[0].previousSibling == nil)
    #expect(entry.children[0].nextSibling?.text == "x")
  }

  @Test func listsAncestorsAndDescendants() throws {
    let document = try feed()
    let b = try #require(try document.xpath("//b").first)
    #expect(b.ancestors.map(\.name) == ["entry", "feed", ""])
    #expect(Array(b.ancestors).last == document.node)
    #expect(Array(document.node.ancestors).isEmpty)
    #expect(Array(b.descendants).isEmpty)
    for node in [document.node, document.root, document.root.elements[1], b] {
      let expected = try node.xpath("descendant::node()").nodes
      #expect(node.descendants.filter { $0.kind != .documentType } == expected)
      #expect(Array(node.descendantElements) == expected.filter { $0.kind == .element })
    }
    #expect(document.root.descendantElements.first { $0.localName == "b" } == b)
    let attribute = document.root.elements[1].attributes[0]
    #expect(Array(attribute.descendants).isEmpty)
    #expect(attribute.ancestors.map(\.name) == ["entry", "feed", ""])
  }

  @Test func findsElementsByNameAndNamespace() throws {
    let root = try feed().root
    #expect(root.elements(named: "entry").count == 2)
    #expect(root.elements(named: "{urn:m}entry").isEmpty)
    #expect(root.element(named: "title")?.text == "T")
    let entry = root.elements[2]
    #expect(entry.element(named: "title") == nil)
    #expect(entry.element(named: "{urn:m}title")?.text == "B")
    #expect(root.document.node.element(named: "feed") == root)
    #expect(root.attributes.first?.element(named: "a") == nil)
    #expect(entry.attributes[0].element(named: "a") == nil)
    #expect(entry.element(named: "a\0") == nil)
  }

  @Test func innerDeclarationsOverrideNamespacesInScope() throws {
    let root = try parse(
      "<a xmlns='urn:d' xmlns:p='urn:p'><b xmlns:p='urn:q' xmlns:r='urn:r' c='1'><d xmlns=''/></b></a>"
    ).root
    #expect(root.namespacesInScope == ["": "urn:d", "p": "urn:p"])
    let b = root.elements[0]
    #expect(b.namespacesInScope == ["": "urn:d", "p": "urn:q", "r": "urn:r"])
    #expect(b.attributes[0].namespacesInScope == b.namespacesInScope)
    #expect(b.elements[0].namespacesInScope == ["p": "urn:q", "r": "urn:r"])
    #expect(root.document.node.namespacesInScope.isEmpty)
    let found = try root.document.xpath("//p:*", namespaces: ["p": "urn:d"])
    #expect(found.nodes == [root, b])
    // XPath 1.0 has no default namespace.
    let namespaces = b.namespacesInScope
    #expect(try root.xpath("count(//b) + count(//d)", namespaces: namespaces).string == "1")
  }

  @Test func pathsFindTheirNodes() throws {
    let document = try feed()
    #expect(document.node.path == "/")
    #expect(document.root.path == "/feed")
    #expect(document.root.elements.map(\.path) == ["/feed/title", "/feed/entry[1]", "/feed/entry[2]"])
    #expect(
      document.root.elements[1].children.map(\.path)
        == ["m:title", "text()[1]", "b", "text()[2]", "processing-instruction('p')"].map {
          "/feed/entry[1]/" + $0
        }
    )
    #expect(document.root.elements[1].attributes[0].path == "/feed/entry[1]/@id")
    for node in document.root.descendants {
      #expect(try document.xpath(node.path, namespaces: ["m": "urn:m"]).nodes == [node])
    }
    #expect(document.node.children.map(\.path) == ["/DOCTYPE", "/comment()", "/feed"])
  }
}
