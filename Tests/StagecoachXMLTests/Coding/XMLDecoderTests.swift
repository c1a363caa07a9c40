import StagecoachXML
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

func decode<Value: Decodable>(
  _ type: Value.Type = Value.self,
  _ text: String,
  _ configure: (inout XMLDecoder) -> Void = { _ in }
) throws -> Value {
  var decoder = XMLDecoder()
  configure(&decoder)
  return try decoder.decode(type, from: text)
}

@Suite struct XMLDecoderTests {
  struct Item: Codable, Equatable {
    var id: Int
    var name: String
    var price: Double?
    var isNew: Bool
  }

  struct List: Codable, Equatable {
    var title: String
    var item: [Item]
  }

  @Test func decodesElementsAndAttributes() throws {
    let list = try decode(
      List.self,
      """
      <?xml version="1.0"?>
      <list title="All">
        <!-- the first -->
        <item id="1"><name>A &amp; B</name><price> 1.5 </price><isNew>true</isNew></item>
        <item id=" 2 " isNew="0"><name><![CDATA[<C>]]> D</name></item>
      </list>
      """
    )
    #expect(
      list
        == List(
          title: "All",
          item: [
            Item(id: 1, name: "A & B", price: 1.5, isNew: true),
            Item(id: 2, name: "<C> D", price: nil, isNew: false),
          ]
        )
    )
  }

  @Test func theOrderOfElementsMakesNoDifference() throws {
    let a = try decode(Item.self, "<i><id>1</id><name>n</name><isNew>1</isNew><x/><price>2</price></i>")
    let b = try decode(Item.self, "<i><price>2</price><x/><isNew>1</isNew><name>n</name><id>1</id></i>")
    #expect(a == b)
  }

  @Test func decodesTheFirstOfRepeatedElements() throws {
    struct Pair: Decodable { var b: Int, a: Int }
    let pair = try decode(Pair.self, "<p><a>1</a><b>2</b><a>3</a><b>4</b></p>")
    #expect(pair.a == 1 && pair.b == 2)
  }

  @Test func elementsOfAnArrayMayStandApart() throws {
    struct Lists: Decodable { var a: [Int], b: [String] }
    let lists = try decode(Lists.self, "<l><a>1</a><b>x</b><a>2</a>text<b/><a>3</a></l>")
    #expect(lists.a == [1, 2, 3] && lists.b == ["x", ""])
  }

  @Test func missingElementsAreNilOrEmptyLists() throws {
    struct Loose: Decodable {
      var a: Int?, b: [Int], c: [Int]?, d: String?, e: Set<String>
    }
    let loose = try decode(Loose.self, "<l/>")
    #expect(loose.a == nil && loose.b == [] && loose.c == nil && loose.d == nil && loose.e == [])
  }

  @Test func emptyElementsAreEmptyTextOrNil() throws {
    struct Inner: Decodable { var a: Int }
    struct Empties: Decodable {
      var text: String, optionalText: String?, number: Int?, date: Date?, list: [Int], inner: Inner?
    }
    let empties = try decode(
      Empties.self,
      "<e><text/><optionalText></optionalText><number> </number><date/><inner/></e>"
    )
    #expect(empties.text == "" && empties.optionalText == "" && empties.number == nil && empties.date == nil)
    #expect(empties.inner == nil && empties.list == [])
    #expect(throws: DecodingError.self) { try decode(Inner.self, "<e><a/></e>") }
    #expect(throws: DecodingError.self) {
      try decode([String: Inner?].self, "<e><inner><b/></inner></e>")
    }
  }

  @Test func nilElementsAreNil() throws {
    struct Value: Decodable { var a: String?, b: Int?, c: [Int?] }
    let xsi = "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'"
    let value = try decode(
      Value.self,
      "<v \(xsi)><a xsi:nil='true'/><b xsi:nil='1'/><c>1</c><c xsi:nil='true'/><c xsi:nil='false'>3</c></v>"
    )
    #expect(value.a == nil && value.b == nil && value.c == [1, nil, 3])
    #expect(throws: DecodingError.self) {
      try decode([String].self, "<v \(xsi)><a xsi:nil='true'/></v>")
    }
  }

  /// Whether a list is nil is not a matter of its first element alone.
  @Test func decodesListsWhoseFirstElementIsNilOrEmpty() throws {
    struct Lists: Decodable, Equatable {
      var a: [Int?]?, b: [String]?, c: [Int]?, d: Set<Int?>?, e: Date?
    }
    let xsi = "<v xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'>"
    let lists = try decode(
      Lists.self,
      """
      \(xsi)<a xsi:nil='true'/><a>1</a><b/><b>x</b><d xsi:nil='1'/><d>2</d>
      <e xsi:nil='true'/><e>2026-01-01</e></v>
      """
    )
    #expect(lists == Lists(a: [nil, 1], b: ["", "x"], c: nil, d: [nil, 2], e: nil))
    // One alone is as good as none.
    let single = try decode(Lists.self, "\(xsi)<a xsi:nil='true'/><c/><d xsi:nil='1'/><e/></v>")
    #expect(single == Lists(a: nil, b: nil, c: nil, d: nil, e: nil))
    for text in ["<c xsi:nil='true'/><c>1</c>", "<c/><c>1</c>", "<b xsi:nil='true'/><b>1</b>"] {
      #expect(throws: DecodingError.self, "\(text)") { try decode(Lists.self, xsi + text + "</v>") }
    }
  }

  /// A declaration of a namespace is no attribute.
  @Test func emptyElementsThatDeclareNamespacesAreNil() throws {
    struct Number: Decodable { var n: Int? }
    #expect(try decode(Number.self, "<e><n xmlns:a='urn:a'/></e>").n == nil)
    struct Inner: Decodable { @XMLAttribute var b: String }
    struct Holder: Decodable { var n: Inner? }
    #expect(try decode(Holder.self, "<e><n xmlns:b='urn:a'/></e>").n == nil)
    #expect(try decode(Holder.self, "<e><n xmlns:a='urn:a' b=''/></e>").n?.b == "")
  }

  @Test func joinsWordsThatMarkupCutsInPieces() throws {
    struct Words: Decodable {
      var values: [Int], b: String?
      enum CodingKeys: String, CodingKey { case values = "text()", b }
    }
    for text in [
      "1 23 4", "<![CDATA[1 23 4]]>", "1 2<!-- 9 -->3 4", "1 <?p 9?><![CDATA[23]]> 4", "1 2<b>9</b>3 4",
      "<b/>1 23 4",
    ] {
      #expect(try decode(Words.self, "<a>\(text)</a>").values == [1, 23, 4], "\(text)")
    }
    for text in ["", "<!-- 1 -->", "<![CDATA[ ]]>", "<b>1</b>"] {
      #expect(try decode(Words.self, "<a>\(text)</a>").values == [], "\(text)")
    }
    struct Rows: Decodable { @XMLText var words: [String] }
    let rows = try decode([Rows].self, "<l><r>a<!-- -->b c</r><r>d</r><r>e<![CDATA[ f]]></r></l>")
    #expect(rows.map(\.words) == [["ab", "c"], ["d"], ["e", "f"]])
  }

  @Test func decodesNestedArrays() throws {
    struct Grid: Decodable { var row: [[Int]] }
    #expect(try decode(Grid.self, "<g><row><c>1</c><c>2</c></row><row/></g>").row == [[1, 2], []])
    #expect(try decode([[Int]].self, "<g><r><c>1</c></r><r><c>2</c><d>3</d></r></g>") == [[1], [2, 3]])
  }

  @Test func decodesDictionaries() throws {
    let text = "<d x='9'><a>1</a><b>2</b><a>3</a><some_key>4</some_key></d>"
    #expect(try decode([String: Int].self, text) == ["a": 1, "b": 2, "some_key": 4, "x": 9])
    #expect(try decode([String: [Int]].self, text) { $0.keyCase = .snakeCase }["a"] == [1, 3])
    let keys = (0..<2000).map { "<k\($0)>\($0)</k\($0)>" }.joined()
    let many = try decode([String: Int].self, "<d>\(keys)</d>")
    #expect(many.count == 2000 && many.allSatisfy { $0.key == "k\($0.value)" })
    let rows = try decode([[String: Int]].self, "<d><r><r>1</r><s>2</s></r><r t='3'/></d>")
    #expect(rows == [["r": 1, "s": 2], ["t": 3]])
  }

  @Test func decodesAScalarRoot() throws {
    #expect(try decode(Int.self, "<a> 12 </a>") == 12)
    #expect(try decode(String.self, "<a>x<!-- c -->y<?p?><![CDATA[z]]></a>") == "xyz")
    #expect(try decode(Bool?.self, "<a>true</a>") == true)
  }

  @Test func convertsSnakeCaseKeys() throws {
    struct User: Decodable, Equatable { var userName: String, homeURL: String, id: Int }
    let user = User(userName: "a", homeURL: "b", id: 1)
    #expect(
      try decode(User.self, "<u id='1'><user_name>a</user_name><home_url>b</home_url></u>") {
        $0.keyCase = .snakeCase
      } == user
    )
    #expect(
      try decode(User.self, "<u Id='1'><UserName>a</UserName><HomeURL>b</HomeURL></u>") {
        $0.keyCase = .capitalized
      } == user
    )
    #expect(
      try decode(User.self, "<u><x-userName>a</x-userName><x-homeURL>b</x-homeURL><x-id>1</x-id></u>") {
        $0.keyCase = .custom { "x-" + $0 }
      } == user
    )
  }

  @Test func classesDecodeFromOneElement() throws {
    class Base: Decodable { var a: Int }
    final class Derived: Base {
      var b: Int
      enum CodingKeys: CodingKey { case b }
      required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        b = try container.decode(Int.self, forKey: .b)
        try super.init(from: container.superDecoder())
      }
    }
    let derived = try decode(Derived.self, "<d><a>1</a><b>2</b></d>")
    #expect(derived.a == 1 && derived.b == 2)
  }

  @Test func decodesThroughHandWrittenContainers() throws {
    struct Hand: Decodable {
      var values: [Int] = [], names: [String] = [], total = 0, isEmpty = false
      enum Keys: String, CodingKey { case values, names, value, total, missing }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let nested = try container.nestedContainer(keyedBy: Keys.self, forKey: .values)
        var list = try nested.nestedUnkeyedContainer(forKey: .value)
        #expect(list.count == 3)
        while !list.isAtEnd { values.append(try list.decode(Int.self)) }
        #expect(throws: DecodingError.self) { try list.decode(Int.self) }
        names = try [String](from: container.superDecoder(forKey: .names))
        total =
          try (try? container.decode(Int.self, forKey: .total))
          ?? Int(
            container.decode(Double.self, forKey: .total)
          )
        isEmpty = try !container.contains(.missing) && container.decodeNil(forKey: .missing)
        #expect(container.allKeys.map(\.stringValue) == ["values", "names", "total"])
        #expect(nested.codingPath.map(\.stringValue) == ["values"])
      }
    }
    let hand = try decode(
      Hand.self,
      """
      <h><values><value>1</value><other/><value>2</value><value>3</value></values>
      <names>a</names><names>b</names><total>2.5</total><unknown/></h>
      """
    )
    #expect(hand.values == [1, 2, 3] && hand.names == ["a", "b"] && hand.total == 2 && hand.isEmpty)
  }

  @Test func userInfoReachesTypes() throws {
    struct Informed: Decodable {
      var text: String
      init(from decoder: any Decoder) throws {
        let key = try #require(CodingUserInfoKey(rawValue: "k"))
        text = try #require(decoder.userInfo[key] as? String)
      }
    }
    let key = try #require(CodingUserInfoKey(rawValue: "k"))
    #expect(try decode(Informed.self, "<a/>") { $0.userInfo = [key: "v"] }.text == "v")
  }

  @Test func decodesBytesDataAndDocuments() throws {
    let text = "<a><id>1</id><name>\u{E4}</name><isNew>1</isNew></a>"
    let item = Item(id: 1, name: "\u{E4}", isNew: true)
    let decoder = XMLDecoder()
    #expect(try decoder.decode(Item.self, from: Array(text.utf8)) == item)
    #expect(try decoder.decode(Item.self, from: Data(text.utf8)) == item)
    let declared = "<?xml version='1.0' encoding='iso-8859-1'?>" + text
    #expect(try decoder.decode(Item.self, from: declared) == item)
    #expect(try decoder.decode(Item.self, from: Array(declared.utf8)).name == "\u{C3}\u{A4}")
    #expect(try decoder.decode(Item.self, from: Array(declared.utf8), encoding: "utf-8") == item)
    #expect(try decoder.decode(Item.self, from: utf16(text, bigEndian: true, mark: true)) == item)
    let document = try parse("<r><a/>\(text)</r>")
    #expect(try decoder.decode(Item.self, from: document.root.elements[1]) == item)
    #expect(try decoder.decode([[String: String]].self, from: document.node).map(\.count) == [0, 3])
    #expect(throws: DecodingError.self) {
      try decoder.decode(Item.self, from: document.root.children[1].children[0].children[0])
    }
    #expect(throws: XML.ParseError.self) { try decoder.decode(Item.self, from: "<a>") }
    #expect(throws: XML.ParseError.self) { try decoder.decode(Item.self, from: [UInt8]()) }
    var limited = decoder
    limited.limits.depth = 1
    #expect(throws: XML.ParseError.self) { try limited.decode(Item.self, from: text) }
  }
}
