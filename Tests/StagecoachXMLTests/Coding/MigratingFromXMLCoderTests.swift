import StagecoachXML
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the article on migrating from XMLCoder says of this library.
@Suite struct MigratingFromXMLCoderTests {
  struct Box<Value: Codable>: Codable {
    var a: Value
  }

  private static func read<Value: Codable>(
    _ type: Value.Type,
    _ text: String,
    _ configure: (inout XMLDecoder) -> Void = { _ in }
  ) throws -> Value {
    try decode(Box<Value>.self, text, configure).a
  }

  private static func text<Value: Encodable>(_ value: Value, root: XML.Name? = "r") throws -> String {
    String(decoding: try XMLEncoder().encode(value, root: root), as: UTF8.self)
  }

  @Test func theSameTypeDecodesDifferentlyThanWithXMLCoder() throws {
    let xsi = "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'"
    #expect(try Self.read(String.self, "<r><a> x </a></r>") == " x ")
    #expect(try Self.read(Int.self, "<r a=' 1 '/>") == 1)
    #expect(try Self.read(Int?.self, "<r><a/></r>") == nil)
    #expect(try Self.read(String?.self, "<r \(xsi)><a xsi:nil='true'/></r>") == nil)
    #expect(try Self.read([Int].self, "<r a='1 2'/>") == [1, 2])
    for text in ["TRUE", "yes", "Y"] {
      #expect(throws: DecodingError.self) { try Self.read(Bool.self, "<r><a>\(text)</a></r>") }
    }
    #expect(throws: DecodingError.self) { try Self.read(Decimal.self, "<r><a>12abc</a></r>") }
    for text in ["0x1p3", "inf"] {
      #expect(throws: DecodingError.self) { try Self.read(Double.self, "<r><a>\(text)</a></r>") }
    }
    #expect(
      try Self.read(Date.self, "<r><a>2026-02-28</a></r>") == Date(timeIntervalSince1970: 1_772_236_800)
    )
    #expect(
      try Self.read(Date.self, "<r><a>2026-02-28T12:30:00.5Z</a></r>")
        == Date(timeIntervalSince1970: 1_772_281_800.5)
    )
    #expect(
      try Self.read(String.self, "<!DOCTYPE r [<!ENTITY e 'x'>]><r><a>&e;</a></r>") == "x"
    )
  }

  @Test func theSameTypeDecodesAsWithXMLCoder() throws {
    #expect(try Self.read([Int].self, "<r/>") == [])
    #expect(try Self.read([String: Int].self, "<r/>") == [:])
    #expect(try Self.read(Int.self, "<r><a>1</a><a>2</a></r>") == 1)
    #expect(try Self.read(Int.self, "<r a='1'><a>2</a></r>") == 2)
  }

  @Test func encodesOptionalsArraysDatesAndRootsAsDocumented() throws {
    struct URLList: Codable { var a = 1 }
    #expect(try Self.text(Box(a: Int?.some(1))) == "<r><a>1</a></r>")
    struct Optional: Encodable { var a: Int? }
    #expect(try Self.text(Optional()) == "<r/>")
    #expect(try Self.text(Box(a: [[1]])) == "<r><a><item>1</item></a></r>")
    #expect(try Self.text(URLList(), root: nil) == "<urlList><a>1</a></urlList>")
    #expect(try Self.text(["k": 1], root: nil) == "<dictionary><k>1</k></dictionary>")
    #expect(try Self.text(7) == "<r>7</r>")
    #expect(try Self.text(Box(a: Date(timeIntervalSince1970: 0))) == "<r><a>1970-01-01T00:00:00Z</a></r>")
    #expect(try Self.text(Box(a: "\r")) == "<r><a>&#13;</a></r>")
    struct Attribute: Encodable { @XMLAttribute var a: String }
    #expect(try Self.text(Attribute(a: "\n")) == "<r a=\"&#10;\"/>")
    #expect(throws: XML.ElementError.self) { try Self.text(Box(a: "\u{1}")) }
    #expect(throws: XML.ElementError.self) { try Self.text(["1x y": 1]) }
    #expect(try Self.text(Box(a: Double.infinity)) == "<r><a>INF</a></r>")
  }

  struct Item: Codable {
    var title: String
    var creator: String?
    enum CodingKeys: String, CodingKey { case title, creator = "dc:creator" }
  }

  @Test func aPrefixInAKeyNeedsADeclaredNamespace() throws {
    let text =
      "<item xmlns:d='http://purl.org/dc/elements/1.1/'><title>T</title><d:creator>C</d:creator></item>"
    #expect(try decode(Item.self, text).creator == nil)
    let dc = ["dc": "http://purl.org/dc/elements/1.1/"]
    #expect(try decode(Item.self, text) { $0.namespaces = dc }.creator == "C")
    let own = text.replacing("d:", with: "dc:").replacing("xmlns:d=", with: "xmlns:dc=")
    #expect(try decode(Item.self, own).creator == "C")
    var encoder = XMLEncoder()
    encoder.namespaces = dc
    #expect(
      String(decoding: try encoder.encode(Item(title: "T", creator: "C")), as: UTF8.self)
        == "<item xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><title>T</title><dc:creator>C</dc:creator></item>"
    )
  }

  @Test func joinsTheTextsOfAnElement() throws {
    struct Value: Codable {
      var value: String
      enum CodingKeys: String, CodingKey { case value = "text()" }
    }
    #expect(try decode(Value.self, "<r>t<b>u</b>w</r>").value == "tw")
    struct Empty: Codable {
      var value: String?
      enum CodingKeys: String, CodingKey { case value = "" }
    }
    #expect(throws: DecodingError.self) { try decode(Empty.self, "<r>t</r>") }
    #expect(throws: EncodingError.self) { try Self.text(Empty(value: "t")) }
  }

  @Test func errorsNameLineAndPath() throws {
    struct List: Decodable { var list: Items }
    struct Items: Decodable { var item: [Int] }
    let error = #expect(throws: DecodingError.self) {
      try decode(List.self, "<r>\n<list><item>x</item></list></r>")
    }
    guard case .dataCorrupted(let context) = error else { return }
    #expect(context.debugDescription == "“x” is not a Int, in line 2 at /r/list/item")
  }
}
