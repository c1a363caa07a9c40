import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachXML

/// Namespaces whose declarations hold references (Namespaces in XML 1.0, section 3: their names are attribute
/// values after normalization).
@Suite struct NamespaceEntityTests {
  static let owl = "http://www.w3.org/2002/07/owl#"
  static let dtd = """
    <!DOCTYPE r [<!ENTITY owl "http://www.w3.org/2002/07/owl#"><!ENTITY host "example.org">
    <!ENTITY none ""><!ENTITY empty "&none;"><!ENTITY space "a b"><!ENTITY xml "http://www.w3.org/XML/1998/namespace">
    <!ENTITY xmlns "http://www.w3.org/2000/xmlns/"><!ENTITY lines "&#10;">]>
    """
  static let text =
    dtd + """
      <r xmlns="&owl;" xmlns:a="http://&host;/?a&amp;b" xmlns:c="http://h/?a&#38;b&#x26;c" a:x="1&amp;"><a:b c:y="2"/>
      <s xmlns=""><t xmlns="&none;"><u/></t></s><v xmlns="http://h/&#65;"/></r>
      """

  @Test(arguments: [1, 7, 4096])
  func documentsResolveEntitiesInNamespaces(chunk: Int) throws {
    let root = try parse(Self.text, chunk: chunk).root
    #expect(root.namespaceURI == Self.owl)
    #expect(root.namespacesInScope["a"] == "http://example.org/?a&b")
    #expect(root.attribute("x", namespace: "http://example.org/?a&b") == "1&")
    let child = try #require(root.elements.first)
    #expect(child.namespaceURI == "http://example.org/?a&b")
    #expect(child.attribute("y", namespace: "http://h/?a&b&c") == "2")
    let inner = try #require(root.elements.dropFirst().first?.elements.first)
    #expect(inner.namespaceURI == nil && inner.elements.first?.namespaceURI == nil)
    #expect(root.elements.last?.namespaceURI == "http://h/A")
    #expect(try parse(root.xmlString).root.namespaceURI == Self.owl)
    #expect(
      try root.xpath("//o:r/e:b", namespaces: ["o": Self.owl, "e": "http://example.org/?a&b"]).nodes.count
        == 1
    )
  }

  @Test(arguments: [1, 7, 4096])
  func eventsResolveEntitiesInNamespaces(chunk: Int) throws {
    let expected = [
      "document 1.0 - nil",
      "<{\(Self.owl)}r xmlns:=\(Self.owl) xmlns:a=http://example.org/?a&b xmlns:c=http://h/?a&b&c {http://example.org/?a&b}x=1& @3",
      "<{http://example.org/?a&b}b {http://h/?a&b&c}y=2 @3", "</{http://example.org/?a&b}b @3", "text \n",
      "<s xmlns:= @4", "<t xmlns:= @4", "<u @4", "</u @4", "</t @4", "</s @4",
      "<{http://h/A}v xmlns:=http://h/A @4", "</{http://h/A}v @4", "</{\(Self.owl)}r @4", "end",
    ]
    let bytes = Array(Self.text.utf8)
    #expect(try events(bytes, cuts: Array(stride(from: chunk, to: bytes.count, by: chunk))) == expected)
    let parser = XML.EventParser(LineHandler())
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      try Array(bytes[start..<min(start + chunk, bytes.count)]).withUnsafeBytes { try parser.append($0) }
    }
    let handled = try parser.finish().lines
    #expect(handled == expected.map { $0.hasPrefix("</") ? String($0.dropLast(3)) : $0 })
  }

  @Test func recordsAndValuesResolveEntitiesInNamespaces() async throws {
    let response = Response(.ok, body: .chunks(of: Array(Self.text.utf8), size: 5))
    var found: [XML.Name] = []
    let path = try #require(XML.ElementPath("{\(Self.owl)}r/{http://example.org/?a&b}b"))
    for try await record in try await XMLRecordsResponseSerializer(path, make: { $0 }).serialize(response) {
      found.append(record.name)
      #expect(record.element[XML.Name("y", namespace: "http://h/?a&b&c")] == "2")
    }
    #expect(found.count == 1)
    struct Root: Decodable {
      var x: String, b: XML.Element?
      enum CodingKeys: String, CodingKey { case x = "@e:x", b = "e:b" }
    }
    let root = try decode(Root.self, Self.text) { $0.namespaces = ["e": "http://example.org/?a&b"] }
    #expect(root.x == "1&" && root.b != nil)
  }

  @Test func refusesInvalidNamespacesFromEntities() {
    for attributes in [
      "xmlns:a='&none;'", "xmlns:a='&empty;'", "xmlns:a='&space;'", "xmlns:a='&xml;'", "xmlns:a='&xmlns;'",
      "xmlns='&xml;'", "xmlns:a='&lines;'",
      "xmlns:a='&owl;' xmlns:b='\(Self.owl)' a:x='1' b:x='2'",
      "xmlns:a='http://h/?&amp;' xmlns:b='http://h/?&#38;' a:x='1' b:x='2'",
    ] {
      let text = Self.dtd + "<r \(attributes)/>"
      for error in [parseError(text), eventsError(text)] {
        guard case .malformed = error?.reason else {
          Issue.record("\(attributes): \(String(describing: error))")
          continue
        }
      }
    }
    for text in [Self.dtd + "<r xmlns='&other;'/>", "<r xmlns:a='&other;'/>"] {
      #expect(parseError(text) != nil && eventsError(text) != nil)
    }
  }

  private func eventsError(_ text: String, limits: XML.Limits = XML.Limits()) -> XML.ParseError? {
    do throws(XML.ParseError) {
      Issue.record("parsed: \(try events(Array(text.utf8), cuts: [], limits: limits))")
      return nil
    } catch {
      return error
    }
  }

  @Test func declarationsCountAgainstTheBudget() throws {
    let elements = String(repeating: "<a xmlns='&owl;'/>", count: 10)
    let text = Self.dtd + "<r>\(elements)</r>"
    let enough = limits(\.entityExpansion, 10 * (Self.owl.utf8.count + 1))
    let short = limits(\.entityExpansion, enough.entityExpansion - 1)
    #expect(try parse(text, limits: enough).root.elements.allSatisfy { $0.namespaceURI == Self.owl })
    #expect(try events(Array(text.utf8), cuts: [], limits: enough).count == 24)
    let reason = XML.ParseError.Reason.limit(name: "entityExpansion", value: short.entityExpansion)
    #expect(parseError(text, limits: short)?.reason == reason)
    #expect(eventsError(text, limits: short)?.reason == reason)
    let size = 10 * Self.owl.utf8.count
    #expect((try? parse(text, limits: limits(\.textSize, size))) != nil)
    #expect(
      parseError(text, limits: limits(\.textSize, size - 1))?.reason
        == .limit(name: "textSize", value: size - 1)
    )
  }

  /// References in attributes beside declarations count once, and so do those that entities hold.
  @Test func referencesBesideDeclarationsCountOnce() throws {
    let dtd = "<!DOCTYPE r [<!ENTITY i 'urn:i'><!ENTITY n 'urn:x:&i;'><!ENTITY v 'value'>]>"
    // Each name of a namespace goes through two entities, each value through one.
    let elements = String(repeating: "<a xmlns='&n;' b='&v;&amp;'/>", count: 3) + "<p:b xmlns:p='&n;'/>"
    let text = dtd + "<r>" + elements + "</r>"
    let size = 4 * ("urn:x:&i;".utf8.count + 1 + 6) + 3 * 6
    let root = try parse(text, limits: limits(\.entityExpansion, size)).root
    #expect(root.elements.map(\.namespaceURI) == Array(repeating: "urn:x:urn:i", count: 4))
    #expect(try events(Array(text.utf8), cuts: [], limits: limits(\.entityExpansion, size)).count == 12)
    let reason = XML.ParseError.Reason.limit(name: "entityExpansion", value: size - 1)
    #expect(parseError(text, limits: limits(\.entityExpansion, size - 1))?.reason == reason)
    #expect(eventsError(text, limits: limits(\.entityExpansion, size - 1))?.reason == reason)
  }

  /// A declaration that the DTD supplies.
  @Test func resolvesEntitiesInNamespacesThatTheDTDDeclares() throws {
    let text =
      Self.dtd.dropLast(2)
      + "<!ATTLIST b xmlns CDATA '&owl;' xmlns:p CDATA #FIXED 'http://&host;/'>]><b><p:c/></b>"
    let root = try parse(String(text)).root
    #expect(root.namespaceURI == Self.owl && root.elements.first?.namespaceURI == "http://example.org/")
    let found = try events(Array(text.utf8), cuts: [])
    #expect(
      found.contains { $0.hasPrefix("<{\(Self.owl)}b") }
        && found.contains { $0.hasPrefix("<{http://example.org/}c") }
    )
  }
}
