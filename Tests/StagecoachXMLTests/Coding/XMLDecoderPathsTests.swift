import StagecoachXML
import Testing

/// What keys with a path read where elements on the path are there more than once.
@Suite struct XMLDecoderPathsTests {
  private static let entry = """
    <entry xmlns="http://www.w3.org/2005/Atom"><id>1</id><link href="http://a.example/"/>\
    <author><name>Ada</name></author><author><name>Grace</name></author></entry>
    """

  @Test func aPathCollectsTheElementsOfAllParents() throws {
    struct Entry: Decodable {
      var authors: [String], first: String, set: Set<String>, maybe: [String]?
      enum CodingKeys: String, CodingKey {
        case authors = "author/name", first = "*:author/name", set = "author/*:name", maybe = "author/email"
      }
    }
    let entry = try decode(Entry.self, Self.entry)
    #expect(entry.authors == ["Ada", "Grace"] && entry.first == "Ada" && entry.set == ["Ada", "Grace"])
    #expect(entry.maybe == [])
  }

  struct Names: Decodable {
    var names: [String], first: String?
    enum CodingKeys: String, CodingKey { case names = "author/name", first = "author/name/text()" }
  }

  /// In document order, from elements that stand apart, of which some have none and others several.
  @Test func pathsMatchInTheOrderOfXPath() throws {
    let text = """
      <e><author/><author><x/><name>a</name><name>b</name></author><name>no</name>\
      <author><author><name>no</name></author><name>c</name></author><author>x</author></e>
      """
    let names = try decode(Names.self, text)
    #expect(names.names == ["a", "b", "c"] && names.first == "a")
    let paths = try parse(text).xpath("/e/author/name").nodes.map(\.text)
    #expect(paths == names.names)
  }

  @Test func pathsMatchXPathInRandomDocuments() throws {
    struct Lists: Decodable {
      var b: [String], c: [String]
      enum CodingKeys: String, CodingKey { case b = "a/b", c = "a/b/c" }
    }
    func element(_ depth: Int) -> String {
      let name = ["a", "b", "c"].randomElement() ?? "a"
      guard depth > 0 else { return "<\(name)>\(Int.random(in: 0...99))</\(name)>" }
      return "<\(name)>\((0..<Int.random(in: 0...4)).map { _ in element(depth - 1) }.joined())</\(name)>"
    }
    struct Texts: Decodable {
      var b: [XML.Element], c: [XML.Element]
      enum CodingKeys: String, CodingKey { case b = "a/b", c = "a/b/c" }
    }
    for _ in 0..<200 {
      let text = "<r>\((0..<6).map { _ in element(3) }.joined())</r>"
      let document = try parse(text)
      let lists = try decode(Texts.self, text)
      #expect(lists.b.map(\.text) == (try document.xpath("/r/a/b").nodes.map(\.text)), "\(text)")
      #expect(lists.c.map(\.text) == (try document.xpath("/r/a/b/c").nodes.map(\.text)), "\(text)")
    }
  }

  @Test func decodesAttributesAndTextsBehindAPath() throws {
    struct Entry: Decodable {
      var links: [String], first: String, none: String?, rel: [String], texts: [Int], numbers: [Int]
      enum CodingKeys: String, CodingKey {
        case links = "link/@href", first = "*:link/@href", none = "link/@none", rel = "link/@rel"
        case texts = "n/text()", numbers = "n/@n"
      }
    }
    let entry = try decode(
      Entry.self,
      "<e><link/><link href='a'/><link href='b' rel='x y'/><link rel='z'/><n> 1 2</n><n/><n n='4 5'>3</n></e>"
    )
    #expect(entry.links == ["a", "b"] && entry.first == "a" && entry.none == nil)
    #expect(entry.rel == ["x", "y", "z"] && entry.texts == [1, 2, 3] && entry.numbers == [4, 5])
    #expect(try decode(Entry.self, "<e><link href=''/></e>").links == [])
  }

  @Test func decodesAnyElementsAndNodesBehindAPath() throws {
    struct Page: Decodable {
      var shapes: [XMLDecoderKeysTests.Shape], title: [String], mixed: [XMLDecoderKeysTests.Inline]
      enum CodingKeys: String, CodingKey { case shapes = "g/*", title = "g/title", mixed = "p/node()" }
    }
    let page = try decode(
      Page.self,
      "<d><g/><g><title>1</title><empty/></g><p>a<b>b</b></p><g><label>l</label><title>2</title></g><p/><p>c</p></d>"
    )
    #expect(page.shapes == [.empty, .label("l")] && page.title == ["1", "2"])
    #expect(
      page.mixed == [.text("a"), .b(XMLDecoderKeysTests.Paragraph(content: [.text("b")])), .text("c")]
    )
    struct Single: Decodable {
      var shape: XMLDecoderKeysTests.Shape, maybe: XMLDecoderKeysTests.Shape?
      enum CodingKeys: String, CodingKey { case shape = "g/*", maybe = "h/*" }
    }
    let single = try decode(Single.self, "<d><g/><g><empty/></g><h/></d>")
    #expect(single.shape == .empty && single.maybe == nil)
  }

  @Test func decodesListsInListsBehindAPath() throws {
    struct Grid: Decodable {
      var rows: [[Int]], words: [[Int]]
      enum CodingKeys: String, CodingKey { case rows = "part/row", words = "part/@n" }
    }
    let grid = try decode(
      [Grid].self,
      "<l><g><part><row><c>1</c></row></part><part><row><c>2</c><c>3</c></row><row/></part></g><g/></l>"
    )
    #expect(grid.map(\.rows) == [[[1], [2, 3], []], []])
  }

  /// A list of any length is read in one pass.
  @Test func decodesLongListsBehindAPath() throws {
    struct List: Decodable {
      var values: [Int]
      enum CodingKeys: String, CodingKey { case values = "part/v" }
    }
    let parts = (0..<20_000).map { "<part><v>\($0)</v><v>\($0)</v></part>" }.joined()
    let list = try decode(List.self, "<l>\(parts)</l>")
    #expect(list.values.count == 40_000 && list.values.last == 19_999)
  }

  /// A list with a path is written into one element, and read from it.
  @Test func readsPathsAsItWritesThem() throws {
    struct Entry: Codable, Equatable {
      var names: [String], author: [Author]
      struct Author: Codable, Equatable { var name: String }
      enum CodingKeys: String, CodingKey { case names = "names/name", author }
    }
    let entry = Entry(names: ["a", "b"], author: [.init(name: "c"), .init(name: "d")])
    let element = try XMLEncoder().element(for: entry, root: "e")
    #expect(short(element) == "e(names(name('a') name('b')) author(name('c')) author(name('d')))")
    #expect(try XMLDecoder().decode(from: element) == entry)
  }
}
