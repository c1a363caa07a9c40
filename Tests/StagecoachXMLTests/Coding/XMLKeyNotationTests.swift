import StagecoachXML
import Testing

/// What the strings of coding keys may say.
@Suite struct XMLKeyNotationTests {
  typealias Shape = XMLDecoderKeysTests.Shape

  struct Book: Codable, Equatable {
    var title: String, heading: String?, shapes: [Shape], other: [XML.Element]
    enum CodingKeys: String, CodingKey {
      case title, heading = "chapters/heading", shapes = "chapters/*", other = "back/matter/*"
    }
  }

  @Test func decodesAnyElementsInANamedElement() throws {
    let book = try decode(
      Book.self,
      """
      <b><title>T</title><chapters>\(XMLDecoderKeysTests.shapes)<heading>H</heading></chapters>
      <x/><back><x/><matter><y a='1'/><z/></matter></back></b>
      """
    )
    #expect(book.title == "T" && book.heading == "H" && book.shapes == XMLDecoderKeysTests.values)
    #expect(book.other.map(short) == ["y[a=1]()", "z()"])
    let empty = Book(title: "", heading: nil, shapes: [], other: [])
    #expect(try decode(Book.self, "<b><title/><chapters/></b>") == empty)
    #expect(try decode(Book.self, "<b><title/></b>") == empty)
    #expect(throws: DecodingError.self) { try decode(Book.self, "<b><title/><chapters><x/></chapters></b>") }
    for value in [book, empty] {
      let element = try XMLEncoder().element(for: value, root: "b")
      #expect(try XMLDecoder().decode(from: element) == value, "\(short(element))")
    }
  }

  @Test func decodesPathsIntoTheSameElement() throws {
    struct Feed: Codable, Equatable {
      var rest: [XML.Element], title: String, link: String?, deep: String?
      enum CodingKeys: String, CodingKey {
        case rest = "f:feed/*", title = "f:feed/f:title", link = "f:feed/{urn:a}link", deep = "f:feed/{}m/n"
      }
    }
    let text = """
      <r xmlns:f='urn:f' xmlns:a='urn:a'><f:feed><f:title>T</f:title><a:link>L</a:link><title/><m><n>N</n></m>\
      <link/></f:feed></r>
      """
    let feed = try decode(Feed.self, text) { $0.namespaces = ["f": "urn:f"] }
    #expect(feed.title == "T" && feed.link == "L" && feed.deep == "N")
    #expect(feed.rest.map(\.name.localName) == ["title", "m", "link"])
  }

  @Test func decodesOneOfSeveralElementsInAnElement() throws {
    struct Holder: Codable, Equatable {
      var shape: Shape, maybe: Shape?
      enum CodingKeys: String, CodingKey { case shape = "a/*", maybe = "b/*" }
    }
    let holder = try decode(Holder.self, "<h><a><label>x</label></a></h>")
    #expect(holder == Holder(shape: .label("x"), maybe: nil))
    #expect(try decode(Holder.self, "<h><a><empty/></a><b><empty/></b></h>").maybe == .empty)
    #expect(throws: DecodingError.self) { try decode(Holder.self, "<h/>") }
    #expect(throws: DecodingError.self) { try decode(Holder.self, "<h><a><empty/><label/></a></h>") }
    let value = Holder(shape: .circle(.init(r: 1)), maybe: .rect(width: 1, height: 2))
    let element = try XMLEncoder().element(for: value, root: "h")
    #expect(try XMLDecoder().decode(from: element) == value, "\(short(element))")
  }

  @Test func decodesMixedContentInANamedElement() throws {
    struct Page: Codable, Equatable {
      var body: [XMLDecoderKeysTests.Inline]
      enum CodingKeys: String, CodingKey { case body = "html/body/node()" }
    }
    let page = try decode(Page.self, "<p><html><body>a<b>c</b><br/></body></html></p>")
    #expect(
      page.body == [.text("a"), .b(XMLDecoderKeysTests.Paragraph(content: [.text("c")])), .br]
    )
    #expect(try decode(Page.self, "<p/>").body == [])
    let element = try XMLEncoder().element(for: page, root: "p")
    #expect(short(element) == "p(html(body('a' b('c') br())))")
    #expect(try XMLDecoder().decode(from: element) == page)
  }

  // MARK: - What is not in the notation

  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    // Not any string, as a dictionary.
    init?(stringValue: String) {
      guard stringValue != "\u{1}" else { return nil }
      self.stringValue = stringValue
    }
    init?(intValue: Int) { nil }
  }

  struct Asking: Codable {
    static let key = CodingUserInfoKey(rawValue: "key")!

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      _ = try container.decodeIfPresent(
        [String].self,
        forKey: Key(decoder.userInfo[Self.key] as? String ?? "")
      )
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(["a"], forKey: Key(encoder.userInfo[Self.key] as? String ?? ""))
    }
  }

  @Test(
    arguments: [
      "", "/", "/a", "a/", "a//b", "//a", ".", "..", "a/.", "../a", "a/../b", "*/a", "a/*/b", "@*", "a/@*",
      "@a/b", "@", "a/@", "text()/a", "a/text()/b", "node()/a", "a[1]", "a/b[@c]", "a[b='/']", "comment()",
      "p:*", "*:", "*:*", "@*:", "a/*:", "*:a/@*", "{urn:x}*", "{urn:x", "{urn:x}", "a|b", "@{urn:x}",
    ]
  )
  func refusesAKeyOutsideTheNotation(key: String) throws {
    let error = try #require(
      #expect(throws: DecodingError.self) {
        try decode(Asking.self, "<r a='1'><a>2</a></r>") { $0.userInfo[Asking.key] = key }
      }
    )
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == [key])
    #expect(context.debugDescription.hasPrefix("the key “\(key)” is not in the notation of XMLDecoder"))
    let refusal = #expect(throws: EncodingError.self) {
      var encoder = XMLEncoder()
      encoder.userInfo[Asking.key] = key
      _ = try encoder.element(for: Asking(), root: "r")
    }
    guard case .invalidValue(_, let context) = refusal else { return }
    #expect(context.codingPath.map(\.stringValue) == [key])
  }

  /// Keys that no name of XML can be, of types that other formats share, are of nothing.
  @Test(arguments: ["$ref", "user name", "1st", "-", "\u{1F600}", "a:b:c", "a+b"])
  func acceptsAKeyThatIsNotAnXMLName(key: String) throws {
    _ = try decode(Asking.self, "<r a='1'><a>2</a></r>") { $0.userInfo[Asking.key] = key }
  }

  /// The keys of a dictionary are names as they are.
  @Test func keysOfDictionariesAreNotNotation() throws {
    #expect(try decode([String: Int].self, "<r><a>1</a></r>")["a[1]"] == nil)
  }
}
