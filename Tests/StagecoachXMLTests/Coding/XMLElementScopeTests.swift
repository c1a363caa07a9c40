import HTTPTypes
import Stagecoach
import StagecoachXML
import Testing

/// Elements taken out of a document keep what their prefixes mean.
@Suite struct XMLElementScopeTests {
  private static let text = """
    <r xmlns="urn:d" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="urn:xs" xmlns:o="urn:o"><l xmlns:o="urn:i"
    ><any xsi:type="xs:int" xmlns:n="urn:n">o:x<b xmlns="" xmlns:m="urn:m"/></any><any/></l></r>
    """
  private static let scope = [
    "": "urn:d", "xsi": "http://www.w3.org/2001/XMLSchema-instance", "xs": "urn:xs", "o": "urn:i",
  ]

  struct Root: Codable, Equatable {
    var l: List
    struct List: Codable, Equatable { var any: [XML.Element] }
  }

  private func check(_ elements: [XML.Element]) throws {
    #expect(elements.count == 2)
    #expect(elements.first?.namespaces == Self.scope.merging(["n": "urn:n"]) { $1 })
    #expect(elements.first?.elements.first?.namespaces == ["": "", "m": "urn:m"])
    #expect(elements.last?.namespaces == Self.scope)
    let written = try elements.map { try parse($0.xmlString).root }
    #expect(written.first?.namespacesInScope == Self.scope.merging(["n": "urn:n"]) { $1 })
    #expect(written.first?.elements.first?.namespaceURI == nil)
    #expect(written.first.map { XML.Element($0) } == elements.first)
  }

  @Test func decodedElementsKeepTheNamespacesInScope() throws {
    try check(try decode(Root.self, Self.text).l.any)
    let document = try parse(Self.text)
    try check(try XMLDecoder().decode(Root.self, from: document.node).l.any)
    try check(try XMLDecoder().decode(Root.self, from: XML.Element(document)).l.any)
    try check(try XMLDecoder().decode(Root.List.self, from: document.root.elements[0]).any)
  }

  @Test(arguments: [1, 4096])
  func recordsKeepTheNamespacesInScope(chunk: Int) async throws {
    func records<Output: Sendable>(
      _ path: XML.ElementPath,
      _ make: @escaping @Sendable (XML.Record) throws -> Output
    ) async throws
      -> [Output]
    {
      let text = Self.text.replacing(
        "<l xmlns",
        with: "<l xmlns:z='urn:z'/><z xmlns='urn:z'><l/></z><l xmlns"
      )
      let response = Response(.ok, body: .chunks(of: Array(text.utf8), size: chunk))
      var found: [Output] = []
      for try await record in try await XMLRecordsResponseSerializer(path, make: make).serialize(response) {
        found.append(record)
      }
      return found
    }
    try check(try await records("r/l/any") { $0.element })
    try check(
      try await records("r/l") { try XMLDecoder().decode(Root.List.self, from: $0).any }.flatMap { $0 }
    )
    try check(try await records("r/l/any") { try XMLDecoder().decode(XML.Element.self, from: $0) })
    // Events tell what the tag declares.
    let declared = try await records("r/l/any") { record -> [String: String] in
      for case .startElement(let tag) in record.events { return tag.namespaces }
      return [:]
    }
    #expect(declared == [["n": "urn:n"], [:]])
  }

  @Test func decodedElementsAreEncodedUnchanged() throws {
    struct Pair: Codable { var one: XML.Element, many: [XML.Element] }
    let element = XML.Element(
      "x",
      namespaces: ["q": "urn:q"],
      attributes: [XML.Element.Attribute("type", "q:t")],
      children: [.comment("c"), .cdata("<d>"), .processingInstruction(target: "p", data: "i"), .text("t")]
    )
    let root = try XMLEncoder().element(for: Pair(one: element, many: [element]), root: "r")
    for name in ["one", "many"] {
      let child = try #require(root[element: XML.Name(name)])
      #expect(child.namespaces == ["q": "urn:q"] && child.children == element.children, "\(name)")
    }
    let whole = try XMLEncoder().element(for: element, root: "r")
    #expect(whole.namespaces == element.namespaces && whole.children == element.children)
    let read = try decode(Root.self, Self.text)
    let written = try XMLEncoder().element(for: read, root: "r").xmlString
    #expect(try decode(Root.self, written).l.any.first?.namespaces["xs"] == "urn:xs")
  }
}
