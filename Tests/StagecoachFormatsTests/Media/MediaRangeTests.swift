import StagecoachFormats
import Testing

@Suite struct MediaRangeTests {
  @Test(arguments: [
    ("*/*", "application/json", true), ("*/*", "x/y;a=b", true),
    ("text/*", "text/html", true), ("text/*", "application/json", false), ("text/*", "textual/html", false),
    ("application/json", "application/json", true),
    ("application/json", "application/json;charset=utf-8", true),
    ("Application/JSON", "application/json", true),
    ("application/json", "application/vnd.api+json", false),
    ("application/json", "text/json", false),
    ("application/*+json", "application/vnd.api+json", true),
    ("application/*+json", "application/problem+json;charset=utf-8", true),
    ("application/*+json", "application/json", false),
    ("application/*+json", "model/gltf+json", false),
    ("application/*+json", "application/vnd.api+json+xml", false),
    ("application/*+json", "application/foojson", false),
    ("image/*+xml", "image/svg+xml", true),
    ("*/*+xml", "image/svg+xml", true), ("*/*+xml", "application/atom+xml;charset=utf-8", true),
    ("*/*+xml", "application/xml", false), ("*/*+xml", "model/gltf+json", false),
    ("text/plain;format=flowed", "text/plain;format=flowed", true),
    ("text/plain;format=flowed", "text/plain;charset=x;format=flowed", true),
    ("text/plain;format=flowed", "text/plain", false),
    ("text/plain;format=flowed", "text/plain;format=fixed", false),
    ("text/plain;charset=utf-8", "text/plain", true),
    ("text/plain;charset=utf-8", "text/plain;charset=latin1", true),
    ("text/*;a=b", "text/html;a=b", true), ("text/*;a=b", "text/html", false),
    ("application/json;q=0", "application/json", true),
  ])
  func matchesARangeAgainstAType(range: String, type: String, expected: Bool) throws {
    let range = try #require(MediaRange(range))
    #expect(range.matches(try #require(MediaType(type))) == expected)
  }

  @Test(
    arguments: [
      ("*/*", "*/*", nil), ("text/*;q=0.5", "text/*;q=0.5", 0.5), ("a/b; Q=1.000", "a/b;q=1", 1),
      ("a/b;q=0", "a/b;q=0", 0), ("a/b;q=0.", "a/b;q=0", 0), ("a/b;q=0.12", "a/b;q=0.12", 0.12),
      ("a/b;q=0.120", "a/b;q=0.12", 0.12), ("a/b;q=0.001", "a/b;q=0.001", 0.001),
      ("a/*+json;v=1;q=0.3;ext=x", "a/*+json;v=1;q=0.3", 0.3), ("*/*+json;q=0.5", "*/*+json;q=0.5", 0.5),
      ("a/b;v=\"1 2\"", "a/b;v=\"1 2\"", nil),
    ] as [(String, String, Double?)]
  )
  func readsRangeAndWeight(text: String, printed: String, quality: Double?) throws {
    let range = try #require(MediaRange(text))
    #expect(range.description == printed)
    #expect(range.quality == quality)
    #expect(MediaRange(printed) == range)
  }

  @Test(arguments: [
    "", "*", "*/json", "*/*+", "*/*+a+b", "*/x+json", "te*t/plain", "text/pl*in", "text/*+", "text/*+a+b",
    "text/**", "text/*+*",
    "a/b;q=2", "a/b;q=1.001", "a/b;q=-1", "a/b;q=.5", "a/b;q=0.1234", "a/b;q=x", "a/b;q=0,5", "a/b;q=\"\"",
    "a/b, c/d", "a/b\n",
  ])
  func refusesAMalformedRange(text: String) {
    #expect(MediaRange(text) == nil)
  }

  @Test func narrowerRangesRankHigher() throws {
    let sorted = [
      "*/*", "*/*;a=b", "text/*", "text/*;a=b", "*/*+json", "*/*+json;a=b", "text/*+json", "text/*+json;a=b",
      "text/plain",
      "text/plain;format=flowed", "text/plain;format=flowed;delsp=yes",
    ]
    let ranges = try sorted.map { try #require(MediaRange($0)) }
    for (a, b) in zip(ranges, ranges.dropFirst()) {
      #expect(a.specificity < b.specificity)
      #expect(!(b.specificity < a.specificity))
    }
    #expect(MediaRange.json.specificity == MediaRange.html.specificity)
    #expect(try #require(MediaRange("text/plain;charset=x")).specificity == MediaRange.plainText.specificity)
  }

  @Test(arguments: [
    (0.5, "*/*;q=0.5"), (1, "*/*;q=1"), (2, "*/*;q=1"), (-1, "*/*;q=0"), (0.0004, "*/*;q=0"),
    (0.9996, "*/*;q=1"), (1.0 / 3, "*/*;q=0.333"), (.infinity, "*/*;q=1"), (-.infinity, "*/*;q=0"),
    (.nan, "*/*"),
  ])
  func printsWeights(quality: Double, printed: String) {
    #expect(MediaRange.any.weighted(quality).description == printed)
  }

  @Test func theOrderOfParametersMakesNoDifference() throws {
    let range = try #require(MediaRange("a/b;x=1;y=2;q=0.5"))
    let other = try #require(MediaRange("a/b;y=2;x=1;q=0.5"))
    #expect(range == other)
    #expect(range.hashValue == other.hashValue)
    #expect(range != MediaRange("a/b;x=1;y=2"))
    #expect(range != MediaRange("a/b;x=1;q=0.5"))
  }

  @Test func aParameterNamedAsTheWeightIsLeftOut() throws {
    let type = try #require(MediaType("text/plain;q=x;a=b"))
    let range = MediaRange(type)
    #expect(range.description == "text/plain;a=b")
    #expect(range.matches(type))
  }
}
