import StagecoachXML
import Testing

/// Enumerations that meet elements of other names.
@Suite struct XMLDecoderChoicesTests {
  enum Known: Decodable, Equatable { case a(Int), b(String) }

  private static func message<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> String {
    let error = try #require(throws: DecodingError.self) { try decode(type, text) }
    guard case .typeMismatch(_, let context) = error else { return "\(error)" }
    return context.debugDescription
  }

  @Test func anUnknownElementIsNamed() throws {
    struct Holder: Decodable {
      var all: [Known]
      enum CodingKeys: String, CodingKey { case all = "*" }
    }
    let text = "<r>\n<a>1</a>\n<zzz/></r>"
    let expected = "Known has no case for the element “zzz”, in line 3 at /r/zzz"
    #expect(try Self.message(Holder.self, text) == expected)
    #expect(try Self.message([Known].self, "<r>\n<a>1</a>\n<zzz><zzz/></zzz></r>").hasPrefix(expected))
    struct Single: Decodable { var choice: Known }
    #expect(
      try Self.message(Single.self, "<r><choice>\n<zzz/></choice></r>")
        == "Known has no case for the element “zzz”, in line 2 at /r/choice/zzz"
    )
    #expect(try Self.message(Single.self, "<r><choice/></r>") == "no case of Known, in line 1 at /r/choice")
    #expect(
      try Self.message(Single.self, "<r><choice><a>1</a><b/></choice></r>")
        == "more than one case of Known: “a”, “b”, in line 1 at /r/choice"
    )
    #expect(
      try Self.message([Known].self, "<r><x:a xmlns:x='urn:x'>1</x:a></r>")
        == "Known has no case for the element “x:a”, which is in another namespace than its parent and needs the key "
        + "“*:a”, in line 1 at /r/x:a"
    )
    struct Mixed: Decodable {
      var all: [Known]
      enum CodingKeys: String, CodingKey { case all = "node()" }
    }
    #expect(
      try Self.message(Mixed.self, "<r><a>1</a>x</r>").hasPrefix(
        "Known has no case for the text “x”, in line 1"
      )
    )
  }

  enum Part: Codable, Equatable {
    case a(Int)
    case b(String)
    case other(XML.Element)
    enum CodingKeys: String, CodingKey { case a, b, other = "*" }
  }

  struct Holder: Codable, Equatable {
    var id: Int?
    var parts: [Part]
    enum CodingKeys: String, CodingKey { case id, parts = "*" }
  }

  @Test func decodesUnknownElementsAsACatchAllCase() throws {
    let text = "<h xmlns:x='urn:x'><a>1</a><zzz k='v'>t<a>2</a></zzz><id>7</id><x:b/><b>c</b></h>"
    let holder = try decode(Holder.self, text)
    #expect(holder.id == 7)
    let zzz = XML.Element(
      "zzz",
      attributes: ["k": "v"],
      children: [.text("t"), .element(XML.Element("a", text: "2"))]
    )
    #expect(holder.parts == [.a(1), .other(zzz), .other(XML.Element("{urn:x}b")), .b("c")])
    let element = try XMLEncoder().element(for: holder, root: "h")
    #expect(try XMLDecoder().decode(from: element) == holder, "\(short(element))")
  }

  @Test func decodesUnknownElementsInListsAndMixedContent() throws {
    struct Places: Codable, Equatable {
      var property: Part, maybe: Part?, list: [Part], inPath: [Part], mixed: [Part]
      enum CodingKeys: String, CodingKey {
        case property, maybe, list, inPath = "x/*", mixed = "y/node()"
      }
    }
    let zzz = Part.other(XML.Element("zzz", text: "1"))
    let places = Places(property: zzz, maybe: zzz, list: [.a(1), zzz], inPath: [zzz, .b("2")], mixed: [zzz])
    let element = try XMLEncoder().element(for: places, root: "p")
    #expect(try XMLDecoder().decode(from: element) == places, "\(short(element))")
    struct One: Codable, Equatable {
      var id: Int, part: Part
      enum CodingKeys: String, CodingKey { case id, part = "*" }
    }
    let one = try decode(One.self, "<o><id>1</id><zzz>1</zzz></o>")
    #expect(one == One(id: 1, part: zzz))
    #expect(throws: DecodingError.self) { try decode(One.self, "<o><id>1</id><y/><zzz/></o>") }
    // As the root, it is the root.
    #expect(try decode(Part.self, "<zzz>1</zzz>") == zzz)
    #expect(try decode(Part.self, "<r><a>1</a></r>") == .a(1))
    #expect(try decode([Part].self, "<r><a>1</a><zzz>1</zzz></r>") == [.a(1), zzz])
    let root = try XMLEncoder().element(for: zzz, root: "zzz")
    #expect(try XMLDecoder().decode(from: root) == zzz, "\(short(root))")
  }

  @Test func anyOtherElementIsSkipped() throws {
    enum Loose: Codable, Equatable {
      case a(Int), other
      enum CodingKeys: String, CodingKey { case a, other = "*" }
    }
    struct List: Codable, Equatable {
      var all: [Loose]
      enum CodingKeys: String, CodingKey { case all = "*" }
    }
    let list = try decode(List.self, "<l><zzz><a>3</a></zzz><a>1</a><y/></l>")
    #expect(list.all == [.other, .a(1), .other])
    #expect(short(try XMLEncoder().element(for: list, root: "l")) == "l(a('1'))")
  }
}
