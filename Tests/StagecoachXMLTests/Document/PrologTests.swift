import Stagecoach
import StagecoachXML
import Testing

/// What is written in front of an element.
@Suite struct PrologTests {
  private func written(_ element: XML.Element, _ options: XML.WritingOptions) throws -> String {
    String(decoding: try element.serialized(options), as: UTF8.self)
  }

  private func reason(_ options: XML.WritingOptions) -> XML.ElementError.Reason? {
    do throws(XML.ElementError) {
      let text = try XML.Element("a").serialized(options)
      Issue.record("written: \(String(decoding: text, as: UTF8.self))")
      return nil
    } catch {
      #expect(error.path == "/a")
      return error.reason
    }
  }

  @Test func aDocumentTypeNamesTheElementAsItIsWritten() throws {
    let plist = XML.DocumentType(
      publicID: "-//Apple//DTD PLIST 1.0//EN",
      systemID: "http://www.apple.com/DTDs/PropertyList-1.0.dtd"
    )
    var options = XML.WritingOptions(documentType: plist)
    #expect(
      try written(XML.Element("plist", attributes: ["version": "1.0"]), options) == """
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"/>
        """
    )
    options.documentType = XML.DocumentType(systemID: "a\"b")
    #expect(
      try written(XML.Element(XML.Name("r", namespace: "urn:x", prefix: "x")), options)
        == "<!DOCTYPE x:r SYSTEM 'a\"b'>\n<x:r xmlns:x=\"urn:x\"/>"
    )
    options.documentType = XML.DocumentType()
    #expect(try written(XML.Element("html"), options) == "<!DOCTYPE html>\n<html/>")
  }

  @Test func theParserReadsWhatIsWritten() throws {
    let element = XML.Element("order") { XML.Element("item", text: "\u{E4}") }
    let options = XML.WritingOptions(
      isPretty: true,
      hasDeclaration: true,
      charset: .utf8,
      documentType: XML.DocumentType(publicID: "-//x//y 'z'", systemID: "order.dtd?a=1&b"),
      prolog: [
        .comment(" <& - "), .processingInstruction(target: "xml-stylesheet", data: "href=\"order.xsl\""),
        .processingInstruction(target: "empty", data: ""),
      ]
    )
    let bytes = try element.serialized(options)
    let document = try XML.Document(parsing: Bytes(bytes))
    #expect(
      document.node.children.map(\.kind) == [
        .comment, .processingInstruction, .processingInstruction, .documentType, .element,
      ]
    )
    #expect(document.node.children.map(\.text).prefix(3) == [" <& - ", "href=\"order.xsl\"", ""])
    #expect(try document.serialized(XML.WritingOptions(hasDeclaration: true)) == bytes)
    // An element of it is the root alone, and a document has its own prolog.
    #expect(try XML.Element(document).xmlString.hasPrefix("<order>"))
    #expect(
      try document.root.serialized(options)
        == document.root.serialized(XML.WritingOptions(isPretty: true, hasDeclaration: true))
    )
  }

  @Test func anEncoderWritesTheProlog() throws {
    struct Order: Codable, Equatable { var seats: Int }
    let options = XML.WritingOptions(
      documentType: XML.DocumentType(systemID: "o.dtd"),
      prolog: [.comment("c")]
    )
    let bytes = try XMLEncoder().encode(Order(seats: 4), options: options)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "<!--c-->\n<!DOCTYPE order SYSTEM \"o.dtd\">\n<order><seats>4</seats></order>"
    )
    #expect(try XMLDecoder().decode(Order.self, from: bytes) == Order(seats: 4))
  }

  @Test(arguments: [
    (XML.PrologItem.comment("a--b"), XML.ElementError.Reason.invalidComment),
    (.comment("a-"), .invalidComment),
    (.comment("\u{1}"), .forbiddenCharacter("\u{1}")),
    (.processingInstruction(target: "XML", data: ""), .invalidProcessingInstruction(target: "XML")),
    (.processingInstruction(target: "a b", data: ""), .invalidProcessingInstruction(target: "a b")),
    (.processingInstruction(target: "a", data: "?>"), .invalidProcessingInstruction(target: "a")),
  ])
  func refusesANodeThatCannotStandInAProlog(item: XML.PrologItem, expected: XML.ElementError.Reason) {
    #expect(reason(XML.WritingOptions(prolog: [item])) == expected)
  }

  @Test func refusesInvalidIdentifiers() throws {
    func reason(_ type: XML.DocumentType) -> XML.ElementError.Reason? {
      self.reason(XML.WritingOptions(documentType: type))
    }
    for id in ["a\"b", "a>b", "\u{E4}", "a\tb"] {
      #expect(reason(XML.DocumentType(publicID: id, systemID: "s")) == .invalidDocumentType(id))
    }
    #expect(reason(XML.DocumentType(systemID: "'\"")) == .invalidDocumentType("'\""))
    #expect(reason(XML.DocumentType(systemID: "\u{0}")) == .forbiddenCharacter("\u{0}"))
    let latin = XML.WritingOptions(charset: .isoLatin1, documentType: XML.DocumentType(systemID: "\u{3042}"))
    #expect(self.reason(latin) == .charset(.unencodable("ISO-8859-1", character: "\u{3042}")))
  }
}
