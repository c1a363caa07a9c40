import HTTPTypes
import Stagecoach
import StagecoachXML
import Testing

/// What the DTD adds to elements, again with each of them.
@Suite struct DefaultAttributeTests {
  private static let reason = XML.ParseError.Reason.limit(name: "entityExpansion", value: 1 << 20)

  /// Elements of four bytes for which the DTD declares something.
  private static func document(_ declaration: String, _ count: Int) -> [UInt8] {
    Array("<!DOCTYPE a [<!ATTLIST b \(declaration)>]><a>\(String(repeating: "<b/>", count: count))</a>".utf8)
  }

  private static func large(_ attribute: String) -> String {
    "\(attribute) CDATA 'urn:\(String(repeating: "x", count: 30_000))'"
  }

  private func error(_ bytes: [UInt8]) -> XML.ParseError? {
    #expect(throws: XML.ParseError.self) { try events(bytes, cuts: [10_000]) }
  }

  @Test func largeDefaultsCount() async throws {
    for attribute in ["c", "xmlns", "xmlns:p"] {
      #expect(error(Self.document(Self.large(attribute), 250))?.reason == Self.reason, "\(attribute)")
    }
    let bytes = Self.document(Self.large("c"), 250)
    let parser = XML.EventParser(LineHandler())
    let handled = #expect(throws: XML.ParseError.self) { try bytes.withUnsafeBytes { try parser.append($0) } }
    #expect(handled?.reason == Self.reason)
    let response = Response(.ok, body: .chunks(of: bytes, size: 4_096))
    let records = try await XMLRecordsResponseSerializer("a/z") { $0.element }.serialize(response)
    let failure = await #expect(throws: ExchangeError.self) { for try await _ in records {} }
    #expect((failure?.underlying as? XML.ParseError)?.reason == Self.reason)
  }

  /// libxml2 compares each with all before.
  @Test func manyDefaultsCount() {
    let attributes = (0..<1_000).map { "a\($0) CDATA ''" }.joined(separator: " ")
    #expect(error(Self.document(attributes, 250))?.reason == Self.reason)
    let namespaces = (0..<200).map { "xmlns:a\($0) CDATA 'a'" }.joined(separator: " ")
    #expect(error(Self.document(namespaces, 1_000))?.reason == Self.reason)
  }

  @Test(arguments: ["&amp;", "&#38;"])
  func referencesInDefaultsCount(reference: String) {
    let value = String(repeating: reference, count: 40)
    #expect(error(Self.document("c CDATA '\(value)'", 10_000))?.reason == Self.reason)
  }

  @Test func smallDefaultsAreFree() throws {
    let attributes = (0..<8).map { "a\($0) CDATA 'default'" }.joined(separator: " ")
    let none = limits(\.entityExpansion, 0)
    let found = try events(Self.document(attributes + " xmlns:p CDATA 'urn:p'", 100), cuts: [], limits: none)
    #expect(found.count { $0.hasPrefix("<b xmlns:p=urn:p a0=default a1=") } == 100)
  }

  @Test func whatTheDocumentSaysItselfIsFree() throws {
    let value = String(repeating: "y", count: 1_000)
    let elements = String(repeating: "<b c='\(value)'/>", count: 100)
    let text = "<!DOCTYPE a [<!ATTLIST b c CDATA 'x'>]><a>\(elements)</a>"
    let found = try events(Array(text.utf8), cuts: [], limits: limits(\.entityExpansion, 0))
    #expect(found.count { $0.contains(value) } == 100)
  }
}
