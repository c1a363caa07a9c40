import StagecoachXML
import Testing

@Suite struct NodeTests {
  @Test func elementsAndAttributesHaveTheirNamespaces() throws {
    let root = try parse(
      """
      <a xmlns="urn:d" xmlns:p="urn:p" x="1" p:x="2" xml:lang="de">\
      <p:b xmlns:p="urn:q"/><c xmlns=""/><d/></a>
      """
    ).root
    #expect(root.name == "a")
    #expect(root.localName == "a")
    #expect(root.prefix == nil)
    #expect(root.namespaceURI == "urn:d")
    #expect(root.attributes.map(\.name) == ["x", "p:x", "xml:lang"])
    #expect(root.attributes.map(\.namespaceURI) == [nil, "urn:p", "http://www.w3.org/XML/1998/namespace"])
    #expect(root.attributes.map(\.prefix) == [nil, "p", "xml"])
    #expect(root.attribute("x") == "1")
    #expect(root.attribute("x", namespace: "urn:p") == "2")
    #expect(root.attribute("x", namespace: "urn:d") == nil)
    #expect(root.attribute("lang") == nil)
    #expect(root.attribute("lang", namespace: "http://www.w3.org/XML/1998/namespace") == "de")
    #expect(root.attribute("p:x") == nil)
    #expect(root.attribute("x\0") == nil)
    #expect(root.elements.map(\.name) == ["p:b", "c", "d"])
    #expect(root.elements.map(\.localName) == ["b", "c", "d"])
    #expect(root.elements.map(\.namespaceURI) == ["urn:q", nil, "urn:d"])
  }

  @Test func nodesHaveTheirKindAndText() throws {
    let document = try parse(
      "<!DOCTYPE a [<!ELEMENT a ANY>]><!--c--><a>t<b>u</b><![CDATA[<v>]]><!--w--><?x y?></a><?z?>"
    )
    #expect(document.node.kind == .document)
    #expect(document.node.parent == nil)
    #expect(document.node.text == "tu<v>")
    #expect(document.node.name == "")
    #expect(
      document.node.children.map(\.kind) == [.documentType, .comment, .element, .processingInstruction]
    )
    #expect(document.node.children[0].name == "a")
    #expect(document.node.children[0].children.isEmpty)
    #expect(document.node.children[0].text == "")
    let root = document.root
    #expect(root.text == "tu<v>")
    #expect(root.children.map(\.kind) == [.text, .element, .cdata, .comment, .processingInstruction])
    #expect(root.children.map(\.text) == ["t", "u", "<v>", "w", "y"])
    #expect(root.children.map(\.name) == ["", "b", "", "", "x"])
    #expect(root.children.allSatisfy { $0.parent == root })
    #expect(root.children[0].children.isEmpty)
    #expect(root.parent == document.node)
    #expect(Set(root.children).count == 5)
  }

  @Test func joinsTheTextOfDeepAndEmptyElements() throws {
    let root = try parse("<a><b><c>1</c><c/><c>2<d><e>3</e></d></c></b><f><g/></f>4</a>").root
    #expect(root.text == "1234")
    #expect(root.elements[0].text == "123")
    #expect(root.elements[1].text == "")
    #expect(try parse("<a/>").root.text == "")
    #expect(try parse("<a b=''/>").root.attribute("b") == "")
  }

  @Test func attributesAreNodes() throws {
    let root = try parse("<a b='1 &lt; &quot;2&#x9;&amp;amp;' c='d\ne'/>").root
    let attribute = root.attributes[0]
    #expect(attribute.kind == .attribute)
    #expect(attribute.text == "1 < \"2\t&amp;")
    #expect(attribute.parent == root)
    #expect(attribute.children.isEmpty)
    #expect(attribute.attributes.isEmpty)
    #expect(root.attributes[1].text == "d e")
  }

  @Test func elementsKnowTheirLineBeyondSixteenBits() throws {
    let lines = String(repeating: "\n", count: 70_000)
    let root = try parse("<a>\n<b/>\n  <c\n d='1'/>\(lines)<e>x</e></a>").root
    #expect(root.line == 1)
    #expect(root.elements.map(\.line) == [2, 4, 70_004])
    #expect(root.document.node.line == nil)
  }

  @Test func aNodeKeepsItsDocument() throws {
    func node() throws -> XML.Node { try parse("<a><b c='d'>text</b></a>").root.elements[0] }
    weak var released: XML.Document?
    do {
      let node = try node()
      released = node.document
      #expect(node.text == "text")
      #expect(node.attribute("c") == "d")
      #expect(node.parent?.name == "a")
      #expect(try node.xpath("string(../b/@c)").string == "d")
    }
    #expect(released == nil)
  }

  @Test func oneDocumentIsReadFromManyTasks() async throws {
    let items = (0..<500).map { "<p:item n='\($0)'><name>Item \($0)</name></p:item>" }.joined()
    let document = try parse("<list xmlns:p='urn:p'>\(items)</list>")
    let serialized = document.xmlString
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<64 {
        group.addTask {
          switch task % 4 {
          case 0:
            #expect(document.root.elements.map { $0.attribute("n") } == (0..<500).map(String.init))
          case 1:
            #expect(document.root.elements.map { $0.elements[0].text } == (0..<500).map { "Item \($0)" })
          case 2:
            let value = try document.xpath("//p:item[@n='\(task)']/name", namespaces: ["p": "urn:p"])
            #expect(value.string == "Item \(task)")
          default:
            #expect(document.xmlString == serialized)
            #expect(document.root.elements[task].xmlString.contains("Item \(task)"))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func concurrentParsersDoNotMix() async {
    await withTaskGroup(of: String?.self) { group in
      for index in 0..<100 {
        group.addTask { try? parse("<a><b>\(index)</b></a>", chunk: 1 + index % 5).root.text }
      }
      var texts: Set<String> = []
      for await text in group { texts.insert(text ?? "") }
      #expect(texts == Set((0..<100).map(String.init)))
    }
  }
}
