import HTTPTypes
import StagecoachFormats
import TestSupport
import Testing

@Suite struct LinkFieldTests {
  private static let link = HTTPField.Name("Link")!

  /// Each with its links as `target|relations`.
  @Test(
    arguments: [
      ("<http://h/a>; rel=\"next\"", ["http://h/a|next"]),
      ("<a>;rel=next,<b>;rel=last", ["a|next", "b|last"]),
      (" , <a> ; REL = \"Next  LAST\" ,, ", ["a|next last"]), ("<a>", ["a|"]), ("<>; rel=self", ["|self"]),
      ("< a\t>; rel=x", ["a|x"]), ("<a,b;c>; rel=x", ["a,b;c|x"]), ("<a b>; rel=x", ["a b|x"]),
      ("<a>; title=\"x, <evil>; rel=next\"; rel=y, <b>; rel=z", ["a|y", "b|z"]),
      ("<a>; title=\"\\\", <evil>; rel=next\"; rel=y", ["a|y"]),
      ("<a>; rel=x; rel=y", ["a|x"]), ("<a>; foo; rel=x; =y; ;", ["a|x"]), ("<a>; rel", ["a|"]),
      ("<a>; rel=http://h/r, <b>; rel=y z", ["a|http://h/r", "b|y z"]),
      ("<a>; rel=\"x\"junk; k=v, <b>; rel=\"y", ["a|x", "b|y"]), ("<a> junk; rel=x", ["a|x"]),
      ("<a> \"; rel=y, <evil>\"; rel=x", ["a|x"]), ("<a>; a b=c; rel=x", ["a|x"]),
      ("junk, <a>; rel=x", ["a|x"]), ("x; t=\"a, <evil>; rel=next\", <b>; rel=y", ["b|y"]),
      ("<a, <b>; rel=x, <c>; rel=y", ["c|y"]), ("<a", []), ("<", []), ("", []), (",,;", []), (">", []),
      ("<a\n>; rel=x, <b>; rel=y", ["b|y"]), ("<a>; rel=\"x\u{1}\"; rel=y", ["a|y"]),
      ("<a>; rel*=UTF-8''evil; rel=x", ["a|x"]), ("<ä>; rel=x", ["ä|x"]), ("<a>; rel=\"x\\", ["a|x\\"]),
    ] as [(String, [String])]
  )
  func readsTargetsAndRelations(text: String, expected: [String]) {
    let links = LinkField.parse(text)
    #expect(links.map { "\($0.target)|\($0.relations.joined(separator: " "))" } == expected)
    for link in links { #expect(LinkField(link.description) == link) }
  }

  @Test func readsTheFirstOfEachParameter() throws {
    let text = """
      </p>; rel=prev; title="plain"; title*=UTF-8'de'%e2%82%ac; title*=UTF-8''second; Type="text/HTML"; \
      hreflang=de; hreflang=en; anchor="#foo"; broken*=UTF-8''%; crossorigin
      """
    let link = try #require(LinkField(text))
    #expect(link.title == "€")
    #expect(link.mediaType == MediaType("text/html"))
    #expect(link.anchor == "#foo")
    #expect(link[parameter: "HREFLANG"] == "de")
    #expect(link.parameters.filter { $0.name == "hreflang" }.map(\.value) == ["de", "en"])
    #expect(link[parameter: "crossorigin"] == "")
    #expect(link[parameter: "broken"] == nil)
    #expect(link[parameter: "absent"] == nil)
  }

  @Test func writesLinksThatReadBack() throws {
    let link = try #require(
      LinkField(
        target: "/a?b,c",
        relations: ["next", "http://h/Rel"],
        parameters: [
          .init(name: "Title", value: "a\"\\"), .init(name: "title", value: "ü\n", isExtended: true),
        ]
      )
    )
    #expect(
      link.description
        == "</a?b,c>; rel=\"next http://h/Rel\"; title=\"a\\\"\\\\\"; title*=UTF-8''%C3%BC%0A"
    )
    #expect(LinkField(link.description) == link)
    #expect(link.relations == ["next", "http://h/rel"])
  }

  @Test func whatCannotBeWrittenIsRefused() {
    for target in ["a>b", "<a", " a", "a ", "a\r\nb", "a\0", "\ta"] {
      #expect(LinkField(target: target, relations: ["x"]) == nil)
    }
    for relation in ["", "a b", "a\tb", "a\n"] {
      #expect(LinkField(target: "a", relations: [relation]) == nil)
    }
    for (name, value) in [("", "x"), ("a b", "x"), ("a*", "x"), ("rel", "x"), ("a", "x\n"), ("é", "x")] {
      #expect(LinkField(target: "a", relations: [], parameters: [.init(name: name, value: value)]) == nil)
    }
    let many = (0..<65).map { FieldParameter(name: "p\($0)", value: "") }
    #expect(LinkField(target: "a", relations: [], parameters: many) == nil)
    #expect(LinkField(target: "a", relations: [], parameters: many.dropLast())?.parameters.count == 64)
    #expect(LinkField("<a>, <b>") == nil)
    #expect(LinkField("a") == nil)
  }

  @Test func readsEachFieldForItself() throws {
    var fields = HTTPFields()
    fields.append(HTTPField(name: Self.link, value: "<a>; rel=x, <b>; title=\"open"))
    fields.append(HTTPField(name: .server, value: "<no>; rel=x"))
    fields.append(HTTPField(name: Self.link, value: "<c>; rel=y"))
    #expect(fields.links.map(\.target) == ["a", "b", "c"])
    fields[Self.link] = nil
    #expect(fields.links.isEmpty)
    let latin = HTTPField(name: Self.link, value: [UInt8]("<a>; title=\"".utf8) + [0xE4, 0x22])
    fields.append(latin)
    #expect(fields.links.first?.title == "ä")
  }

  @Test func amountsAreLimited() throws {
    let links = LinkField.parse(String(repeating: "<a>; rel=x,", count: LinkField.maximumCount + 5))
    #expect(links.count == LinkField.maximumCount)
    var fields = HTTPFields()
    for _ in 0..<3 { fields.append(HTTPField(name: Self.link, value: String(repeating: "<a>,", count: 400))) }
    #expect(fields.links.count == LinkField.maximumCount)
    let link = try #require(LinkField("<a>" + String(repeating: "; k=v", count: 100) + ", "))
    #expect(link.parameters.count == 64)
  }

  /// Noise of the octets that matter: nothing crashes, and what is read can be written and read again.
  @Test func noiseNeverCrashesAndRoundTrips() {
    var random = SplitMix(state: 5)
    let alphabet = Array("<>;,=\"\\* '%a2\tré\n")
    for _ in 0..<3000 {
      let text = String(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        }
      )
      for link in LinkField.parse(text) {
        #expect(LinkField.parse(link.description) == [link], "\(text.debugDescription)")
      }
    }
  }
}
