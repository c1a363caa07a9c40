import StagecoachXML
import Testing

/// Which namespaces a key reads.
@Suite struct XMLDecoderNamespaceTests {
  /// A podcast whose elements have the names of RSS in other vocabularies too.
  private static let podcast = """
    <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"><channel>\
    <atom:link rel="self" href="http://a.example/feed"/><itunes:image href="http://a.example/it.png"/>\
    <image><url>http://a.example/i.png</url></image><link>http://a.example/</link></channel></rss>
    """
  private static let withoutImage = """
    <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>t</title>\
    <itunes:image href="http://a.example/i.png"/></channel></rss>
    """

  @Test func aPathFollowsTheRuleOfOtherKeys() throws {
    struct RSS: Decodable {
      var link: String, image: String?, own: String?, any: String?, rel: String?, all: [String]
      enum CodingKeys: String, CodingKey {
        case link = "channel/link", image = "channel/image/url", own = "channel/atom:link/@href"
        case any = "channel/*:image/@href", rel = "channel/link/@rel", all = "*:channel/*:link"
      }
    }
    let rss = try decode(RSS.self, Self.podcast)
    #expect(rss.link == "http://a.example/" && rss.image == "http://a.example/i.png" && rss.rel == nil)
    #expect(rss.own == "http://a.example/feed" && rss.any == nil && rss.all == ["http://a.example/"])
    let other = Self.podcast.replacing("<link>", with: "<atom:link>").replacing(
      "</link>",
      with: "</atom:link>"
    )
    #expect(throws: DecodingError.self) { try decode(RSS.self, other) }
    struct Links: Decodable {
      var link: [String], any: [String]
      enum CodingKeys: String, CodingKey { case link = "channel/link", any = "channel/*:link" }
    }
    #expect(try decode(Links.self, other).link == [])
    #expect(try decode(Links.self, other).any == ["", "http://a.example/"])
  }

  struct Channel: Decodable {
    var title: String?, image: Image?, any: Image?
    struct Image: Decodable { var href: String?, url: String? }
    enum CodingKeys: String, CodingKey { case title, image, any = "*:image" }
  }

  @Test func aPlainKeyReadsTheNamespaceOfTheParent() throws {
    struct RSS: Decodable { var channel: Channel }
    let channel = try decode(RSS.self, Self.withoutImage).channel
    #expect(channel.title == "t" && channel.image == nil && channel.any?.href == "http://a.example/i.png")
    let both = try decode(RSS.self, Self.podcast).channel
    #expect(both.image?.url == "http://a.example/i.png" && both.any?.url == nil)
    // A key of `*:` reads what no other key does.
    #expect(both.any?.href == "http://a.example/it.png")
    struct Lenient: Decodable {
      struct Channel: Decodable { var image: Image }
      struct Image: Decodable { var href: String?, url: String? }
      var channel: Channel
    }
    #expect(throws: DecodingError.self) { try decode(Lenient.self, Self.withoutImage) }
    let lenient = try decode(Lenient.self, Self.withoutImage) { $0.matchesAnyNamespace = true }
    #expect(lenient.channel.image.href == "http://a.example/i.png")
    #expect(
      try decode(Lenient.self, Self.podcast) { $0.matchesAnyNamespace = true }.channel.image.url
        == "http://a.example/i.png"
    )
  }

  @Test func anAttributeIsInNoNamespace() throws {
    struct Value: Decodable {
      var type: String?, id: Int?, any: String?
      @XMLAttribute var lang: String?
      enum CodingKeys: String, CodingKey { case type, id = "@id", any = "@*:type", lang }
    }
    let text = """
      <v xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='t' xml:id='7' xml:lang='en'/>
      """
    let value = try decode(Value.self, text)
    #expect(value.type == nil && value.id == nil && value.lang == nil && value.any == "t")
    struct Lenient: Decodable {
      var type: String
      @XMLAttribute var lang: String
    }
    let lenient = try decode(Lenient.self, text) { $0.matchesAnyNamespace = true }
    #expect(lenient.type == "t" && lenient.lang == "en")
    #expect(try decode(Value.self, text) { $0.matchesAnyNamespace = true }.id == 7)
    struct Plain: Decodable {
      var any: String
      enum CodingKeys: String, CodingKey { case any = "*:type" }
    }
    #expect(try decode(Plain.self, text).any == "t")
    #expect(try decode(Plain.self, text.replacing("xsi:type", with: "type='u' xsi:type")).any == "u")
    // An element of a namespace is not the attribute of its name.
    struct Named: Decodable {
      var a: Int?
      enum CodingKeys: String, CodingKey { case a = "{urn:x}a" }
    }
    #expect(try decode(Named.self, "<v a='1'/>").a == nil)
    #expect(try decode(Named.self, "<v x:a='1' xmlns:x='urn:x'/>").a == 1)
  }

  @Test func theRuleAppliesToChoicesToo() throws {
    enum Part: Decodable, Equatable {
      case text(String), note(String), any(String)
      enum CodingKeys: String, CodingKey { case text, note = "*:note", any = "x:b" }
    }
    let start = "<l xmlns='urn:l' xmlns:x='urn:x'>"
    #expect(
      try decode([Part].self, start + "<text>1</text><note>2</note><x:note>3</x:note><x:b>4</x:b></l>")
        == [.text("1"), .note("2"), .note("3"), .any("4")]
    )
    struct Holder: Decodable {
      var parts: [Part]
      enum CodingKeys: String, CodingKey { case parts = "*" }
    }
    #expect(try decode(Holder.self, start + "<x:note>3</x:note></l>").parts == [.note("3")])
    #expect(throws: DecodingError.self) { try decode(Holder.self, start + "<x:text>3</x:text></l>") }
    // A root has no parent.
    #expect(try decode(Part.self, "<x:text xmlns:x='urn:x'>3</x:text>") == .text("3"))
  }

  /// What another vocabulary has under the name of a key is left for the key of any elements.
  @Test func theCatchAllTakesElementsOfOtherNamespaces() throws {
    struct Holder: Decodable {
      var title: String, rest: [XML.Element]
      enum CodingKeys: String, CodingKey { case title, rest = "*" }
    }
    let text = "<h xmlns:x='urn:x'><x:title>a</x:title><title>b</title></h>"
    let holder = try decode(Holder.self, text)
    #expect(holder.title == "b" && holder.rest.map(\.name) == ["{urn:x}title"])
  }

  @Test func aDictionaryTakesElementsOfAllNamespaces() throws {
    let text = "<d xmlns:x='urn:x' x:t='1'><x:a>2</x:a><b>3</b><x:b>4</x:b></d>"
    #expect(try decode([String: Int].self, text) == ["t": 1, "a": 2, "b": 3])
    #expect(try decode([String: [Int]].self, text)["b"] == [3])
  }

  // MARK: - Errors

  private static func message<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> String {
    let error = try #require(throws: DecodingError.self) { try decode(type, text) }
    guard case .keyNotFound(_, let context) = error else { return "\(error)" }
    return context.debugDescription
  }

  @Test func aMissingKeyErrorNamesOtherNamespaces() throws {
    struct RSS: Decodable { var channel: Inner }
    struct Inner: Decodable { var image: String }
    #expect(
      try Self.message(RSS.self, Self.withoutImage)
        == "no value for the key “image”, in line 1 at /rss/channel; there is itunes:image in another namespace, "
        + "which the key “*:image” reads"
    )
    struct Path: Decodable {
      var href: String
      enum CodingKeys: String, CodingKey { case href = "channel/image/@href" }
    }
    #expect(
      try Self.message(Path.self, Self.withoutImage)
        .hasSuffix("there is @href in no namespace, which the key “channel/*:image/@href” reads")
    )
    struct Attribute: Decodable {
      var type: String
      enum CodingKeys: String, CodingKey { case type = "@type" }
    }
    #expect(
      try Self.message(Attribute.self, "<v x:type='1' xmlns:x='urn:x'/>")
        .hasSuffix("; there is @x:type in another namespace, which the key “@*:type” reads")
    )
    struct Prefixed: Decodable {
      var link: String
      enum CodingKeys: String, CodingKey { case link = "atom:link" }
    }
    #expect(
      try Self.message(Prefixed.self, "<v><link xmlns='urn:y'/></v>")
        .hasSuffix("; there is {urn:y}link in another namespace, which the key “*:link” reads")
    )
    #expect(
      try Self.message(Inner.self, "<v xmlns='urn:v'><image xmlns=''/></v>")
        .hasSuffix("; there is image in no namespace, which the key “*:image” reads")
    )
    #expect(try Self.message(Inner.self, "<v/>") == "no value for the key “image”, in line 1 at /v")
  }

  // MARK: - Encoding

  /// A plain key is written in the namespace of its parent, where it is read.
  @Test func readsNamespacesAsItWritesThem() throws {
    struct Entry: Codable, Equatable {
      var title: String, name: String, note: String?, list: [[Int]], map: [String: Int]
      @XMLAttribute var id: Int
      enum CodingKeys: String, CodingKey {
        case title, name = "x:author/name", note = "*:note", list, map, id
      }
    }
    let entry = Entry(title: "t", name: "n", note: "o", list: [[1], [2, 3]], map: ["a": 1], id: 4)
    for namespaces in [["x": "urn:x"], ["x": "urn:x", "": "urn:a"]] {
      for root: XML.Name in ["entry", "{urn:a}entry", XML.Name("entry", namespace: "urn:a", prefix: "a")] {
        var encoder = XMLEncoder()
        encoder.namespaces = namespaces
        let bytes = try encoder.encode(entry, root: root)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(try XMLDecoder(reading: encoder).decode(Entry.self, from: bytes) == entry, "\(text)")
      }
    }
    var encoder = XMLEncoder()
    encoder.namespaces = ["x": "urn:x"]
    let element = try encoder.element(for: entry, root: XML.Name("entry", namespace: "urn:a", prefix: "a"))
    #expect(element.elements.map(\.name).prefix(2) == ["{urn:a}title", "{urn:x}author"])
    #expect(element[element: "{urn:x}author"]?.elements.map(\.name) == ["{urn:x}name"])
  }
}
