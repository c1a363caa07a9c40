import StagecoachXML
import Testing

@Suite struct DocumentSharingTests {
  /// One document evaluated, written and put into canonical form from many tasks at once.
  @Test func concurrentReadersOfOneDocumentAgree() async throws {
    let element = XML.Element("{urn:l}list") {
      for number in 0..<200 {
        XML.Element(XML.Name("item", namespace: "urn:p", prefix: "p"), attributes: ["n": "\(number)"]) {
          XML.Element("name", text: "Item \(number)")
        }
      }
    }
    let document = try XML.Document(element: element)
    let text = document.xmlString, canonical = try document.canonicalXML(.exclusive)
    let items = try document.xpath("//p:item", namespaces: ["p": "urn:p"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<60 {
        group.addTask {
          switch task % 6 {
          case 0: #expect(document.xmlString == text)
          case 1: #expect(try document.canonicalXML(.exclusive) == canonical)
          case 2: #expect(XML.Element(document) == element)
          case 3:
            let found = try document.xpath(
              "$v[@n = $n]/name",
              variables: ["v": items, "n": .number(Double(task))]
            )
            #expect(found.string == "Item \(task)")
          case 4: #expect(document.root.descendantElements.count { $0.localName == "name" } == 200)
          default:
            let part = try items.nodes[task].canonicalXML()
            #expect(String(decoding: part, as: UTF8.self).contains("Item \(task)"))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func aNodeKeepsWhatWasBuilt() throws {
    func node() throws -> XML.Node {
      try XML.Document(element: XML.Element("a") { XML.Element("b", text: "c") }).root.elements[0]
    }
    weak var released: XML.Document?
    do {
      let node = try node()
      released = node.document
      #expect(node.text == "c")
      #expect(node.parent?.name == "a")
    }
    #expect(released == nil)
  }
}
