import StagecoachXML
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An element in short: `a[x=1](b("t") c())`.
func short(_ element: XML.Element) -> String {
  var text = element.name.description
  if !element.attributes.isEmpty {
    text += "[\(element.attributes.map { "\($0.name)=\($0.value)" }.joined(separator: " "))]"
  }
  let children = element.children.map { child in
    switch child {
    case .element(let element): short(element)
    case .text(let text): "'\(text)'"
    default: "?"
    }
  }
  return text + "(\(children.joined(separator: " ")))"
}

@Suite struct XMLEncoderTests {
  private static func encode<Value: Encodable>(
    _ value: Value,
    root: XML.Name? = "r",
    _ configure: (inout XMLEncoder) -> Void = { _ in }
  ) throws -> String {
    var encoder = XMLEncoder()
    configure(&encoder)
    return short(try encoder.element(for: value, root: root))
  }

  struct Item: Codable, Equatable {
    @XMLAttribute var id: Int
    @XMLAttribute var note: String?
    var name: String
    var tags: [String]
    var price: Double?
    enum CodingKeys: String, CodingKey { case id, note, name, tags = "tags/tag", price }
  }

  @Test func encodesElementsAttributesAndArrays() throws {
    let item = Item(id: 1, note: nil, name: "n", tags: ["a", ""], price: 1.5)
    #expect(try Self.encode(item) == "r[id=1](name('n') tags(tag('a') tag()) price('1.5'))")
    #expect(try Self.encode(["x": [1, 2]]) == "r(x('1') x('2'))")
    #expect(try Self.encode([[1], []]) == "r(item(item('1')) item())")
    #expect(try Self.encode([item, item], root: nil).hasPrefix("array(item[id=1]("))
    #expect(try Self.encode(7) == "r('7')")
  }

  @Test func namesTheRootAfterTheType() throws {
    struct URLList: Encodable {}
    struct Generic<Value>: Encodable {}
    #expect(try Self.encode(URLList(), root: nil) == "urlList()")
    #expect(try Self.encode(Generic<Int>(), root: nil) == "generic()")
    #expect(try Self.encode(Item?.none, root: nil).hasPrefix("optional["))
    #expect(
      try Self.encode(Item(id: 1, note: "", name: "", tags: []), root: nil)
        == "item[id=1 note=](name() tags())"
    )
  }

  @Test func leavesOutNilOrWritesItInTheChosenStyle() throws {
    struct Value: Encodable { var a: Int?, b: [Int?], c: Item? }
    let xsi = "{http://www.w3.org/2001/XMLSchema-instance}nil=true"
    let value = Value(a: nil, b: [1, nil], c: nil)
    #expect(try Self.encode(value) == "r(b('1') b[\(xsi)]())")
    #expect(try Self.encode(value) { $0.nilStyle = .empty } == "r(a() b('1') b[\(xsi)]() c())")
    #expect(
      try Self.encode(value) { $0.nilStyle = .marked } == "r(a[\(xsi)]() b('1') b[\(xsi)]() c[\(xsi)]())"
    )
  }

  @Test func keysWriteAttributesTextPathsAndNamespaces() throws {
    struct Value: Encodable {
      var userName = "u", href = "h", text = "t", author = "w", role = "x", lang = "en", title = "T"
      enum CodingKeys: String, CodingKey {
        case userName, href = "@linkTo", text = "text()", author = "meta/author", role = "meta/@role"
        case lang = "@xml:lang", title = "m:title"
      }
    }
    #expect(
      try Self.encode(Value()) {
        $0.keyCase = .snakeCase
        $0.namespaces = ["": "urn:d", "m": "urn:m"]
      } == """
        {urn:d}r[link_to=h {http://www.w3.org/XML/1998/namespace}lang=en]({urn:d}user_name('u') 't' \
        {urn:d}meta[role=x]({urn:d}author('w')) {urn:m}title('T'))
        """
    )
    let element = try XMLEncoder().element(for: ["p:a": 1], root: "r")
    #expect(element.children == [.element(XML.Element("a", children: [.text("1")]))])
  }

  @Test func writesListsSeparatedBySpaces() throws {
    struct Lists: Encodable {
      @XMLAttribute var a: [Int]
      @XMLText var b: [String]
      @XMLAttribute var c: [Int]
    }
    #expect(try Self.encode(Lists(a: [1, 2], b: ["x", "y"], c: [])) == "r[a=1 2 c=]('x' ' y')")
    #expect(throws: EncodingError.self) { try Self.encode(Lists(a: [], b: ["x y"], c: [])) }
  }

  /// Joined anew with each word, these would take minutes.
  @Test func writesAListOfManyWords() throws {
    struct Many: Encodable {
      @XMLAttribute var a: [Int]
    }
    let values = Array(100_000..<200_000)
    let element = try XMLEncoder().element(for: Many(a: values), root: "r")
    #expect(element.attributes.first?.value == values.map(String.init).joined(separator: " "))
  }

  @Test func writesChoicesUnderTheirCaseNames() throws {
    let group = XMLDecoderKeysTests.Group(shapes: XMLDecoderKeysTests.values)
    #expect(
      try Self.encode(group)
        == "r(circle[r=1]() rect(width('2') height('3')) empty() label('x') circle[r=4]())"
    )
    let paragraph = XMLDecoderKeysTests.Paragraph(
      content: [.text("a "), .b(XMLDecoderKeysTests.Paragraph(content: [.text("b"), .br])), .text(" c")]
    )
    #expect(try Self.encode(paragraph) == "r('a ' b('b' br()) ' c')")
  }

  @Test func writesDatesAndDataInTheChosenStyle() throws {
    let date = Date(timeIntervalSince1970: 1_772_281_800.25)
    #expect(try Self.encode([date]) == "r(item('2026-02-28T12:30:00.25Z'))")
    #expect(try Self.encode([date]) { $0.dateStyle = .day } == "r(item('2026-02-28'))")
    #expect(
      try Self.encode([date]) { $0.dateStyle = .internetMessage }
        == "r(item('Sat, 28 Feb 2026 12:30:00 GMT'))"
    )
    #expect(try Self.encode([date]) { $0.dateStyle = .seconds } == "r(item('1772281800.25'))")
    for (seconds, text) in [(5, "5"), (-5, "-5"), (0.5, "0.5"), (1e20, "1e+20")] {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(try Self.encode(date) { $0.dateStyle = .seconds } == "r('\(text)')")
    }
    #expect(try Self.encode([date]) { $0.dateStyle = .milliseconds } == "r(item('1772281800250'))")
    #expect(throws: EncodingError.self) { try Self.encode([Date.distantPast.addingTimeInterval(-1e11)]) }
    #expect(try Self.encode([Data([1, 255])]) == "r(item('Af8='))")
    #expect(try Self.encode([Data([1, 255])]) { $0.dataStyle = .hexadecimal } == "r(item('01FF'))")
    #expect(
      try Self.encode([Double.infinity, -.infinity, .nan]) == "r(item('INF') item('-INF') item('NaN'))"
    )
    #expect(try Self.encode([true, false]) == "r(item('true') item('false'))")
    #expect(try Self.encode([Decimal(1234) / 100]) == "r(item('12.34'))")
    #expect(try Self.encode(URL(string: "http://h/?a=b&c")) == "r('http://h/?a=b&c')")
  }

  @Test func refusesAnAttributeThatHasNoText() throws {
    struct Value: Encodable { @XMLAttribute var a: [String: Int] }
    let error = #expect(throws: EncodingError.self) { try Self.encode(Value(a: ["b": 1])) }
    guard case .invalidValue(_, let context) = error else { return }
    #expect(context.codingPath.map(\.stringValue) == ["a"])
  }

  @Test func writesAnElementUnchanged() throws {
    struct Holder: Encodable {
      var any: XML.Element, rest: [XML.Element]
      enum CodingKeys: String, CodingKey { case any, rest = "*" }
    }
    let element = XML.Element("e", attributes: [XML.Element.Attribute("a", "1")], children: [.text("t")])
    #expect(try Self.encode(Holder(any: element, rest: [element])) == "r(any[a=1]('t') e[a=1]('t'))")
    #expect(try Self.encode(element) == "r[a=1]('t')")
  }

  @Test func otherFormatsEncodeWrappersAsPlainValues() throws {
    struct Value: Codable, Equatable {
      @XMLAttribute var a: Int
      @XMLAttribute var b: Int?
      @XMLText var c: String
    }
    let value = Value(a: 1, b: nil, c: "x")
    let json = JSONEncoder()
    json.outputFormatting = .sortedKeys
    let data = try json.encode(value)
    #expect(String(decoding: data, as: UTF8.self) == #"{"a":1,"c":"x"}"#)
    #expect(try JSONDecoder().decode(Value.self, from: data) == value)
  }
}
