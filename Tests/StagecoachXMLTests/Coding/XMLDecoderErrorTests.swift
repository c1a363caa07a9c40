import StagecoachXML
import Testing

@Suite struct XMLDecoderErrorTests {
  struct Entry: Decodable { var id: Int, tags: [Bool] }
  struct Feed: Decodable { var entry: [Entry] }

  private static func error<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> DecodingError {
    try #require(throws: DecodingError.self) { try decode(type, text) }
  }

  @Test func aMalformedValueIsNamedWithItsPlace() throws {
    let text = "<feed>\n<entry><id>1</id></entry>\n<entry>\n<id>x</id></entry></feed>"
    guard case .dataCorrupted(let context) = try Self.error(Feed.self, text) else {
      Issue.record("another error")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["entry", "Index 1", "id"])
    #expect(context.codingPath[1].intValue == 1)
    #expect(context.debugDescription == "“x” is not a Int, in line 4 at /feed/entry[2]/id")
  }

  @Test func aMalformedAttributeIsNamedWithItsPlace() throws {
    guard case .dataCorrupted(let context) = try Self.error(Entry.self, "<e id='1e3'/>") else {
      Issue.record("another error")
      return
    }
    #expect(context.debugDescription == "“1e3” is not a Int, in line 1 at /e/@id")
  }

  @Test func aMissingKeyIsNamedWithItsPlace() throws {
    let text = "<feed><entry><id>1</id></entry>\n<entry/></feed>"
    guard case .keyNotFound(let key, let context) = try Self.error(Feed.self, text) else {
      Issue.record("another error")
      return
    }
    #expect(key.stringValue == "id")
    #expect(context.codingPath.map(\.stringValue) == ["entry", "Index 1"])
    #expect(context.debugDescription == "no value for the key “id”, in line 2 at /feed/entry[2]")
  }

  @Test func refusesElementsInsteadOfText() throws {
    guard case .typeMismatch(let type, let context) = try Self.error([String].self, "<a><b>x<c/></b></a>")
    else {
      Issue.record("another error")
      return
    }
    #expect(type is String.Type)
    #expect(context.debugDescription == "elements instead of a String, in line 1 at /a/b")
  }

  @Test func refusesTextInsteadOfElements() throws {
    struct Holder: Decodable { @XMLAttribute var entry: Entry }
    guard case .typeMismatch(_, let context) = try Self.error(Holder.self, "<a entry='1'/>") else {
      Issue.record("another error")
      return
    }
    #expect(context.debugDescription == "text instead of elements, in line 1 at /a/@entry")
  }

  /// A decoder that goes on behind errors may make one for each of a great many elements, in any order; a walk over
  /// the whole document for each would not end.
  @Test func thousandsOfCaughtErrorsAreCheap() throws {
    struct Tolerant: Decodable {
      var errors: [String] = []
      enum Keys: CodingKey { case a, b, c }
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd {
          let item = try list.nestedContainer(keyedBy: Keys.self)
          for key in [Keys.b, .a, .c] {
            do {
              _ = try item.decode(Int.self, forKey: key)
            } catch DecodingError.dataCorrupted(let context) {
              errors.append(context.debugDescription)
            } catch DecodingError.keyNotFound(_, let context) {
              errors.append(context.debugDescription)
            }
          }
        }
      }
    }
    let count = 10_000
    let items = String(repeating: "<i a='x'><b>1</b><b>y</b></i>\n<i><b>y</b></i>", count: count / 2)
    let errors = try decode(Tolerant.self, "<l>\(items)</l>").errors
    #expect(errors.count == count / 2 * 5)
    #expect(errors.first == "“x” is not a Int, in line 1 at /l/i/@a")
    #expect(
      errors.suffix(3) == [
        "“y” is not a Int, in line \(count / 2 + 1) at /l/i[\(count)]/b",
        "no value for the key “a”, in line \(count / 2 + 1) at /l/i[\(count)]",
        "no value for the key “c”, in line \(count / 2 + 1) at /l/i[\(count)]",
      ]
    )
  }

  @Test func aMalformedWordOfAListIsNamedWithItsPlace() throws {
    struct Words: Decodable { @XMLText var values: [Int] }
    for text in ["1 2 x 4", "1 2<!-- 3 --> x 4", "1 <![CDATA[2 x]]>"] {
      guard case .dataCorrupted(let context) = try Self.error([Words].self, "<l><w/>\n<w>\(text)</w></l>")
      else {
        Issue.record("another error")
        return
      }
      #expect(context.debugDescription == "“x” is not a Int, in line 2 at /l/w[2]", "\(text)")
    }
  }

  @Test func longTextIsCutInErrors() throws {
    let text = String(repeating: "ab ", count: 1000)
    guard case .dataCorrupted(let context) = try Self.error([Int].self, "<a><b>\(text)</b></a>") else {
      Issue.record("another error")
      return
    }
    #expect(context.debugDescription.utf8.count < 150)
    #expect(context.debugDescription.contains("…” is not a Int"))
  }

  @Test func endlesslyNestedTypesEndInAnError() throws {
    struct Endless: Decodable {
      init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(Endless.self) }
    }
    struct Deeper: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        _ = try container.decode(Deeper.self, forKey: Key(stringValue: "*"))
      }
      struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
    }
    for error in [try Self.error(Deeper.self, "<a><b/></a>"), try Self.error(Endless.self, "<a/>")] {
      #expect("\(error)".contains("nested more than 768 levels deep"))
    }
  }

  @Test func deepDocumentsDecode() throws {
    struct Node: Decodable { var node: [Node] }
    let text = String(repeating: "<node>", count: 250) + String(repeating: "</node>", count: 250)
    var node = try decode(Node.self, text), depth = 1
    while let child = node.node.first { (node, depth) = (child, depth + 1) }
    #expect(depth == 250)
  }

  @Test func aDecoderThatEscapesIsHarmless() throws {
    struct Escaping: Decodable {
      let decoder: any Decoder
      init(from decoder: any Decoder) throws { self.decoder = decoder }
    }
    let escaped = try decode([Escaping].self, "<a><id>1</id><b><id>2</id></b></a>")[1]
    #expect(try [Int](from: escaped.decoder) == [2])
    #expect(escaped.decoder.codingPath.count == 1)
  }
}
