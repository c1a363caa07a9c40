import StagecoachXML
import Testing

@Suite struct XMLDecoderKeysTests {
  @Test func decodesAttributesAndText() throws {
    struct Price: Decodable {
      @XMLAttribute var currency: String
      @XMLAttribute var rounded: Bool?
      @XMLText var amount: Double
    }
    let price = try decode(Price.self, "<p currency='EUR'><currency>X</currency>1<!-- c -->2</p>")
    #expect(price.currency == "EUR" && price.rounded == nil && price.amount == 12)
    #expect(try decode(Price.self, "<p currency='E' rounded='1'>1</p>").rounded == true)
    #expect(throws: DecodingError.self) { try decode(Price.self, "<p><currency>E</currency>1</p>") }

    struct Note: Decodable {
      var id: Int, text: String, inner: String?, missing: String?
      enum CodingKeys: String, CodingKey { case id = "@id", text = "text()", inner, missing = "@missing" }
    }
    let note = try decode(Note.self, "<n id='4'><id>5</id>a<inner>b</inner>c</n>")
    #expect(note.id == 4 && note.text == "ac" && note.inner == "b" && note.missing == nil)
    #expect(try decode(Note.self, "<n id='4'/>").text == "")
  }

  @Test func anElementGoesBeforeAnAttributeUnlessAKeyNamesThat() throws {
    struct Plain: Decodable { var a: Int }
    #expect(try decode(Plain.self, "<p a='1'><a>2</a></p>").a == 2)
    #expect(try decode(Plain.self, "<p a='1'/>").a == 1)
    struct Both: Decodable {
      var element: Int?, attribute: Int
      enum CodingKeys: String, CodingKey { case element = "a", attribute = "@a" }
    }
    let both = try decode(Both.self, "<p a='1'/>")
    #expect(both.element == nil && both.attribute == 1)
  }

  @Test func aKeyMeansTheNameThatItWrites() throws {
    struct Meal: Decodable {
      var attribute: Int?, element: Int?, inner: Int?, inPath: Int?
      enum CodingKeys: String, CodingKey {
        case attribute = "@\u{E9}", element = "\u{E8}", inner = "x/@\u{E9}", inPath = "x/\u{E9}"
      }
    }
    // The same letters, of two characters each.
    let other = try decode(
      Meal.self,
      "<m e\u{301}='1'><e\u{300}>2</e\u{300}><x e\u{301}='3'><e\u{301}>4</e\u{301}></x></m>"
    )
    #expect(other.attribute == nil && other.element == nil && other.inner == nil && other.inPath == nil)
    let both = try decode(
      Meal.self,
      "<m e\u{301}='1' \u{E9}='2'><e\u{300}>3</e\u{300}><\u{E8}>4</\u{E8}><x e\u{301}='5' \u{E9}='6'/></m>"
    )
    #expect(both.attribute == 2 && both.element == 4 && both.inner == 6)
  }

  @Test func aKeyMayBeAPath() throws {
    struct Entry: Decodable {
      var tags: [String], link: String?, author: String?, name: String?, empty: [Int]?, none: [Int]?
      enum CodingKeys: String, CodingKey {
        case tags = "tags/tag", link = "link/@href", author = "meta/author", name = "meta/author/@name"
        case empty = "empty/x", none = "none/x"
      }
    }
    let entry = try decode(
      Entry.self,
      """
      <e><tags><tag>a</tag><x/><tag>b</tag></tags><link href="h"/><empty/>
      <meta><author name="n">w</author></meta></e>
      """
    )
    #expect(entry.tags == ["a", "b"] && entry.link == "h" && entry.author == "w" && entry.name == "n")
    #expect(entry.empty == [] && entry.none == nil)
    #expect(try decode(Entry.self, "<e/>").tags == [])
  }

  @Test func decodesAPathBesideItsFirstElement() throws {
    struct Both: Decodable {
      var list: Int, all: [Int]
      enum CodingKeys: String, CodingKey { case list = "list/@n", all = "list" }
    }
    let both = try decode(Both.self, "<b><list n='1'>7</list><list>8</list></b>")
    #expect(both.list == 1 && both.all == [7, 8])
  }

  @Test func splitsListsInAttributesAndText() throws {
    struct Lists: Decodable {
      @XMLAttribute var numbers: [Int]
      var words: [String]
      enum CodingKeys: String, CodingKey { case numbers, words = "text()" }
    }
    let lists = try decode(Lists.self, "<l numbers=' 1  2 3'>\n a b\n</l>")
    #expect(lists.numbers == [1, 2, 3] && lists.words == ["a", "b"])
    #expect(try decode(Lists.self, "<l numbers=''/>").numbers == [])
    #expect(throws: DecodingError.self) { try decode(Lists.self, "<l numbers='1 x'/>") }
  }

  // MARK: - Namespaces

  static let podcast = """
    <rss xmlns:itunes="urn:i" xmlns:atom="urn:a"><channel>
    <itunes:title>I</itunes:title><atom:link href="self"/><title>T</title><link>L</link>
    <itunes:image href="pic"/></channel></rss>
    """

  @Test func aPlainKeyMeansTheNamespaceOfTheParent() throws {
    struct Channel: Decodable { var title: String, link: [String], image: [String: String] }
    struct RSS: Decodable { var channel: Channel }
    let channel = try decode(RSS.self, Self.podcast).channel
    #expect(channel.title == "T" && channel.link == ["L"] && channel.image == [:])
  }

  @Test func aKeyMayNameANamespace() throws {
    struct Channel: Decodable {
      var title: String, itunesTitle: String, image: String, own: String, other: String?
      enum CodingKeys: String, CodingKey {
        case title
        case itunesTitle = "{urn:i}title", image = "i:image/@href", own = "atom:link/@href", other =
          "{urn:x}title"
      }
    }
    struct RSS: Decodable { var channel: Channel }
    let channel = try decode(RSS.self, Self.podcast) { $0.namespaces = ["i": "urn:i"] }.channel
    #expect(channel.title == "T" && channel.itunesTitle == "I" && channel.image == "pic")
    #expect(channel.own == "self" && channel.other == nil)
  }

  @Test func theEmptyPrefixSetsTheNamespaceOfPlainKeys() throws {
    struct Value: Decodable { var a: Int? }
    let text = "<v xmlns='urn:v'><a>1</a></v>"
    #expect(try decode(Value.self, text).a == 1)
    #expect(try decode(Value.self, text) { $0.namespaces = ["": "urn:v"] }.a == 1)
    #expect(try decode(Value.self, text) { $0.namespaces = ["": "urn:w"] }.a == nil)
  }

  @Test func decodesAttributesInNamespaces() throws {
    struct Value: Decodable {
      var lang: String, href: String, xlinkHref: String
      enum CodingKeys: String, CodingKey {
        case lang = "@xml:lang", href = "@href", xlinkHref = "@{urn:x}href"
      }
    }
    let value = try decode(Value.self, "<v xmlns:x='urn:x' x:href='1' href='2' xml:lang='en'/>")
    #expect(value.lang == "en" && value.href == "2" && value.xlinkHref == "1")
  }

  // MARK: - Choices

  enum Shape: Codable, Equatable, Sendable {
    case circle(Circle)
    case rect(width: Int, height: Int)
    case empty
    case label(String)
    indirect case group(Group)
  }

  struct Circle: Codable, Equatable, Sendable {
    @XMLAttribute var r: Int
  }

  struct Group: Codable, Equatable, Sendable {
    var shapes: [Shape]
    enum CodingKeys: String, CodingKey { case shapes = "*" }
  }

  static let shapes =
    "<circle r='1'/><rect width='2'><height>3</height></rect><empty/><label>x</label><circle r='4'/>"
  static let values: [Shape] = [
    .circle(Circle(r: 1)), .rect(width: 2, height: 3), .empty, .label("x"), .circle(Circle(r: 4)),
  ]

  @Test func decodesAMixOfChoices() throws {
    struct Drawing: Decodable {
      @XMLAttribute var name: String
      var title: String, shapes: [Shape]
      enum CodingKeys: String, CodingKey { case name, title, shapes = "*" }
    }
    let drawing = try decode(
      Drawing.self,
      "<d name='n'><title>t</title>\(Self.shapes)<group><group>\(Self.shapes)</group><empty/></group></d>"
    )
    #expect(drawing.name == "n" && drawing.title == "t")
    #expect(
      drawing.shapes
        == Self.values + [.group(Group(shapes: [.group(Group(shapes: Self.values)), .empty]))]
    )
    #expect(throws: DecodingError.self) {
      try decode(Drawing.self, "<d name='n'><title>t</title><other/></d>")
    }
  }

  @Test func decodesChoicesWithoutAKey() throws {
    #expect(try decode([Shape].self, "<s>\(Self.shapes)</s>") == Self.values)
    #expect(try decode(Shape.self, "<circle r='1'/>") == .circle(Circle(r: 1)))
    #expect(try decode(Shape.self, "<s><circle r='1'/></s>") == .circle(Circle(r: 1)))
    #expect(throws: DecodingError.self) { try decode(Shape.self, "<s><empty/><circle r='1'/></s>") }
    struct Holder: Decodable { var shape: Shape, all: [Shape] }
    let holder = try decode(
      Holder.self,
      "<h><all><empty/></all><shape><empty/></shape><all><label/></all></h>"
    )
    #expect(holder.shape == .empty && holder.all == [.empty, .label("")])
  }

  @Test func decodesTheOneChildThatIsAChoice() throws {
    struct Event: Decodable {
      var id: Int, shape: Shape
      enum CodingKeys: String, CodingKey { case id, shape = "*" }
    }
    #expect(try decode(Event.self, "<e><id>1</id><label>x</label></e>").shape == .label("x"))
  }

  enum Inline: Codable, Equatable {
    case text(String)
    case b(Paragraph)
    case br
    enum CodingKeys: String, CodingKey { case text = "text()", b, br }
  }

  struct Paragraph: Codable, Equatable {
    var content: [Inline]
    enum CodingKeys: String, CodingKey { case content = "node()" }
  }

  @Test func decodesMixedContent() throws {
    let paragraph = try decode(Paragraph.self, "<p>a <b>b<br/></b><!-- c --> <br/></p>")
    #expect(
      paragraph.content
        == [.text("a "), .b(Paragraph(content: [.text("b"), .br])), .text(" "), .br]
    )
    #expect(try decode(Paragraph.self, "<p/>").content == [])
  }

  @Test func decodesElementsUninterpreted() throws {
    struct Holder: Decodable {
      var any: XML.Element, rest: [XML.Element]
      enum CodingKeys: String, CodingKey { case any, rest = "*" }
    }
    let holder = try decode(Holder.self, "<h><x/><any a='1'>t<b/></any><y/></h>")
    #expect(holder.rest == [XML.Element("x"), XML.Element("y")])
    let attribute = XML.Element.Attribute("a", "1")
    #expect(
      holder.any
        == XML.Element("any", attributes: [attribute], children: [.text("t"), .element(XML.Element("b"))])
    )
  }

  /// What was asked for last at a depth belongs to a type that has more keys.
  @Test func dictionariesAndEnumerationsDecodeBehindLargerSiblings() throws {
    struct Large: Decodable { var x, y, z: String }
    enum Payment: Decodable, Equatable { case card(String), cash(String) }
    struct Document: Decodable {
      var large: Large
      var map: [String: String]
      var payment: Payment
    }
    let text = """
      <d><large><x>1</x><y>2</y><z>3</z></large><map><k>v</k></map>
      <payment><cash>1</cash></payment></d>
      """
    let document = try XMLDecoder().decode(Document.self, from: text)
    #expect(document.large.z == "3")
    #expect(document.map == ["k": "v"])
    #expect(document.payment == .cash("1"))
  }
}
