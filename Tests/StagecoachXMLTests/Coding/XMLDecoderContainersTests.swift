import StagecoachXML
import Testing

/// Containers that a type asks for by itself.
@Suite struct XMLDecoderContainersTests {
  // MARK: - Nested containers

  /// Reads and writes `data/id` by hand.
  struct Reply: Codable, Equatable {
    var id: Int?
    var size: Int?

    enum Keys: String, CodingKey { case data, size }
    enum DataKeys: String, CodingKey { case id }

    init(id: Int?, size: Int? = nil) { (self.id, self.size) = (id, size) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      let data = try container.nestedContainer(keyedBy: DataKeys.self, forKey: .data)
      id = try data.decodeIfPresent(Int.self, forKey: .id)
      size = try container.decodeIfPresent(Int.self, forKey: .size)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      var data = container.nestedContainer(keyedBy: DataKeys.self, forKey: .data)
      try data.encodeIfPresent(id, forKey: .id)
      try container.encodeIfPresent(size, forKey: .size)
    }
  }

  @Test func decodesANestedContainerNamedAsItsElement() throws {
    #expect(
      try decode(Reply.self, "<data id='8'><id>9</id><data><id>7</id></data><size>1</size></data>")
        == Reply(id: 7, size: 1)
    )
    #expect(throws: DecodingError.self) { try decode(Reply.self, "<data><id>9</id></data>") }
    #expect(
      try decode([Reply].self, "<list><data><data id='1'/></data><data><data/></data></list>")
        == [Reply(id: 1), Reply(id: nil)]
    )
    for value in [Reply(id: 7, size: 1), Reply(id: nil)] {
      let element = try XMLEncoder().element(for: value, root: "data")
      #expect(try XMLDecoder().decode(from: element) == value)
    }
  }

  enum Event: Codable, Equatable {
    case event(Info)
    case item(Info, note: String?)
    case other

    struct Info: Codable, Equatable { var id: Int? }
  }

  /// A case that is named as its element is that element, so what is named as another case is refused.
  @Test(
    arguments: [
      (Event.event(.init(id: 1)), "event"), (.item(.init(id: 2), note: "n"), "item"),
      (.item(.init(id: 2), note: nil), "item"), (.other, "other"),
    ]
  )
  func decodesAChoiceNamedAsItsElement(value: Event, name: String) throws {
    for root in [name, "x"] {
      let element = try XMLEncoder().element(for: value, root: XML.Name(root))
      #expect(try XMLDecoder().decode(from: element) == value, "\(short(element))")
    }
    for root in ["event", "item", "other"] where root != name {
      let error = #expect(throws: EncodingError.self) {
        try XMLEncoder().element(for: value, root: XML.Name(root))
      }
      guard case .invalidValue(_, let context) = error else { continue }
      #expect(
        context.debugDescription
          == "the case “\(name)” in an element with the name of another case: “\(root)”"
      )
    }
    // The elements of an array without a key are called `item`.
    if name == "item" {
      let list = try XMLEncoder().element(for: [value, value], root: "list")
      #expect(try XMLDecoder().decode(from: list) == [value, value], "\(short(list))")
    } else {
      #expect(throws: EncodingError.self) { try XMLEncoder().element(for: [value], root: "list") }
    }
    let map = try XMLEncoder().element(for: ["event": value], root: "event")
    #expect(try XMLDecoder().decode(from: map) == ["event": value], "\(short(map))")
  }

  @Test func theElementOfAChoiceIsNotWrittenTwice() throws {
    func text(_ value: Event, _ root: XML.Name? = nil) throws -> String {
      short(try XMLEncoder().element(for: value, root: root))
    }
    #expect(try text(.event(.init(id: 1))) == "event(id('1'))")
    #expect(try text(.other, "other") == "other()")
    #expect(try text(.item(.init(id: 1), note: "n"), "item") == "item(id('1') note('n'))")
    #expect(
      short(try XMLEncoder().element(for: Reply(id: 1), root: "data")) == "data(data(id('1')))"
    )
  }

  // MARK: - Lists in single values

  struct Tags: Codable, Equatable {
    var list: [String]

    init(_ list: [String]) { self.list = list }

    init(from decoder: any Decoder) throws {
      list = try decoder.singleValueContainer().decode([String].self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(list)
    }
  }

  @Test func decodesAListThroughASingleValueContainer() throws {
    struct Holder: Codable, Equatable {
      var tag: Tags, all: [Tags], maybe: Tags?
      @XMLAttribute var words: Tags
    }
    for tag in [Tags([]), Tags(["a"]), Tags(["a", "", "b"])] {
      let words = Tags(tag.list.filter { !$0.isEmpty })
      for value in [
        Holder(tag: tag, all: [tag, tag], maybe: nil, words: words),
        Holder(tag: tag, all: [], maybe: tag.list.isEmpty ? nil : tag, words: words),
      ] {
        let element = try XMLEncoder().element(for: value, root: "h")
        #expect(try XMLDecoder().decode(from: element) == value, "\(short(element))")
      }
    }
  }

  /// A list in an element is its child elements, so text there is an error, not an empty list.
  @Test func refusesTextInPlaceOfAListOfElements() throws {
    struct Holder: Decodable { var all: [Tags] }
    let error = try #require(
      #expect(throws: DecodingError.self) { try decode(Holder.self, "<h><all/><all>a</all></h>") }
    )
    guard case .typeMismatch(_, let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(context.debugDescription == "text instead of elements, in line 1 at /h/all[2]")
    #expect(throws: DecodingError.self) { try decode([Int].self, "<h>1 2</h>") }
    #expect(throws: DecodingError.self) { try decode([[Int]].self, "<h><a>1 2</a></h>") }
    #expect(throws: DecodingError.self) { try decode([String].self, "<h><!-- c --><![CDATA[a]]></h>") }
    #expect(try decode([[Int]].self, "<h><a> \n</a><a/></h>") == [[], []])
    #expect(try decode([Int].self, "<h>note<i>1</i></h>") == [1])
  }

  struct Numbers: Decodable, Equatable {
    var list: [Int]
    init(_ list: [Int]) { self.list = list }
    init(from decoder: any Decoder) throws {
      list = try decoder.singleValueContainer().decode([Int].self)
    }
  }

  /// As an array of several elements is never nil, so is what decodes from one.
  @Test func decodesAnOptionalListThroughASingleValueContainer() throws {
    struct Holder: Decodable, Equatable { var n: Numbers? }
    #expect(try decode(Holder.self, "<h/>").n == nil)
    #expect(try decode(Holder.self, "<h><n/></h>").n == nil)
    #expect(try decode(Holder.self, "<h><n>1</n><n>2</n></h>").n == Numbers([1, 2]))
    let error = #expect(throws: DecodingError.self) { try decode(Holder.self, "<h><n/><n>2</n></h>") }
    guard case .dataCorrupted(let context) = error else { return }
    #expect(context.debugDescription == "“” is not a Int, in line 1 at /h/n")
    #expect(try decode(Box<[Int]?>.self, "<h><value/></h>") == Box(value: nil))
    #expect(throws: DecodingError.self) { try decode(Box<[Int]?>.self, "<h><value/><value>2</value></h>") }
  }

  enum OneOrMany: Decodable, Equatable {
    case many([String]), one(String)
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let many = try? container.decode([String].self) {
        self = .many(many)
      } else {
        self = .one(try container.decode(String.self))
      }
    }
  }

  @Test func triesAListAndFallsBackToText() throws {
    #expect(
      try decode([OneOrMany].self, "<h><a>x y</a><a><b>x</b><b>y</b></a></h>")
        == [.one("x y"), .many(["x", "y"])]
    )
  }

  @Test func aNilElementIsNoListUnlessOptional() throws {
    let xsi = "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'"
    #expect(try decode([[Int]?].self, "<h \(xsi)><a xsi:nil='1'/><a/></h>") == [nil, []])
    #expect(throws: DecodingError.self) { try decode([[Int]].self, "<h \(xsi)><a xsi:nil='1'/></h>") }
    #expect(throws: DecodingError.self) {
      try decode([[String: String]].self, "<h \(xsi)><a xsi:nil='1'/></h>")
    }
    #expect(
      try decode([[String: String]?].self, "<h \(xsi)><a xsi:nil='1'/><a b='c'/></h>") == [nil, ["b": "c"]]
    )
  }

  // MARK: - What is missing

  struct Maps: Codable, Equatable {
    var map: [String: Int], numbers: [Int: String], inner: [String: [String]], maybe: [String: Int]?
    enum CodingKeys: String, CodingKey { case map, numbers, inner = "a/inner", maybe }
  }

  @Test func aMissingDictionaryIsEmpty() throws {
    let empty = Maps(map: [:], numbers: [:], inner: [:], maybe: nil)
    #expect(try decode(Maps.self, "<m/>") == empty)
    #expect(try decode(Maps.self, "<m><a/></m>") == empty)
    #expect(try decode(Maps.self, "<m><map/><numbers/><a><inner/></a></m>") == empty)
    #expect(try decode(Maps.self, "<m><map><x>1</x></map></m>").map == ["x": 1])
    let full = Maps(map: ["a": 1], numbers: [:], inner: ["b": ["c", "d"], "e": ["f"]], maybe: [:])
    for value in [empty, full] {
      let element = try XMLEncoder().element(for: value, root: "m")
      #expect(try XMLDecoder().decode(from: element) == value, "\(short(element))")
    }
  }

  /// A type that asks for any key is no dictionary.
  @Test func aMissingTypeWithKeysIsAnError() throws {
    struct Open: Decodable {
      struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: AnyKey.self) }
    }
    struct Holder: Decodable { var open: Open }
    #expect(throws: DecodingError.self) { try decode(Holder.self, "<h/>") }
  }

  // MARK: - Empty elements

  struct Point: Codable, Equatable { var x: Int }
  struct Box<Value: Decodable & Equatable>: Decodable, Equatable { var value: Value }

  @Test func anEmptyElementIsNilInAList() throws {
    struct Lists: Decodable {
      var b: [Int?], s: [String?], p: [Point?], all: [Int?]
      enum CodingKeys: String, CodingKey { case b, s, p, all = "all/v" }
    }
    let lists = try decode(
      Lists.self,
      """
      <r><b>1</b><b/><b> </b><s/><s>x</s><p/><p><x>1</x></p><all><v/><v>2</v></all></r>
      """
    )
    #expect(lists.b == [1, nil, nil] && lists.s == ["", "x"] && lists.p == [nil, Point(x: 1)])
    #expect(lists.all == [nil, 2])
    #expect(try decode([Int?].self, "<r><b/><b>1</b></r>") == [nil, 1])
    #expect(try decode([String: Int?].self, "<r><a/><b>1</b></r>") == ["a": nil, "b": 1])
    #expect(try decode([[Int]?].self, "<r><a/></r>") == [[]])
    #expect(try decode(Box<Int?>.self, "<r><value/></r>") == Box(value: nil))
    #expect(try decode(Int?.self, "<r/>") == nil)
    #expect(throws: DecodingError.self) { try decode([Int?].self, "<r><b>x</b></r>") }
    #expect(throws: DecodingError.self) { try decode([Int].self, "<r><b/></r>") }
    #expect(throws: DecodingError.self) { try decode([Point?].self, "<r><b y='1'/></r>") }
  }

  @Test func anEmptyElementIsNilInAListReadByHand() throws {
    struct Numbers: Decodable {
      var values: [Int?] = [], name: String?, point: Point?
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        values.append(try list.decodeIfPresent(Int.self))
        values.append(try list.decodeIfPresent(Int.self))
        name = try list.decodeIfPresent(String.self)
        point = try list.decodeIfPresent(Point.self)
        #expect(list.isAtEnd && list.currentIndex == 4)
        #expect(try list.decodeIfPresent(Int.self) == nil)
      }
    }
    let numbers = try decode(Numbers.self, "<r><b/><b>2</b><b/><b/></r>")
    #expect(numbers.values == [nil, 2] && numbers.name == "" && numbers.point == nil)
  }
}
