import Foundation
import StagecoachCore
import Testing

@testable import StagecoachFixtures

@Suite struct GeneratorTests {
  private let context = GeneratorContext(
    randomSource: SeededRandom(seed: 7),
    clock: StoppedClock(),
    providerState: ["id": 1000, "name": "Ann"],
    mockServerURL: "http://127.0.0.1:9/"
  )

  private struct StoppedClock: TimeSource {
    let now = ContinuousClock.now
    // 2024-01-31 12:30:00
    let date = Date(timeIntervalSince1970: 1_706_704_200)

    func sleep(until instant: ContinuousClock.Instant) async throws {}
  }

  @Test(arguments: [
    "\\d{1,8}", "[a-z]+", "\\w{3}-\\d+", "(red|blue){2}", "^a?b*c+$", "[^a-y]", "\\/users\\/[0-9a-f]{4}",
    "x.y",
    "(?:ab)+?", "(?<n>a)", "[\\w.-]+@[a-z]{2,}\\.(com|org)", "\\x41\\u0042", "a{2,}", "[]a]", "[a-]", "",
    "a{2",
    "\\p{Lu}\\p{Lo}", "\\bx\\b", "(?i)ab", "[[:alpha:]&&[^a-y]]", "\\Qa.b\\E+", "[^\\x00-\\x7F]",
    "\\R|\\h\\v",
  ])
  func generatedTextMatchesItsExpression(regex: String) throws {
    let sample = try RegexSample(regex)
    let pattern = try TextPattern(regex)
    for _ in 0..<50 {
      let text = try sample.text(in: context)
      #expect(try pattern.matches(text), "\(regex): \(text)")
    }
  }

  @Test(arguments: [
    "(", ")", "[", "a{3,2}", "(?=a)", "(?<=a)b", "\\1", "*", "a\\", "[z-a]", "a{99999}", "a$b", "[^\\s\\S]",
    "((a{9999}){9999}){9999}",
  ])
  func refusesAnUnsupportedExpression(regex: String) {
    #expect(throws: GeneratorError.self) { try RegexSample(regex).text(in: context) }
  }

  @Test(arguments: [
    ("now", "2024-01-31 12:30"), ("today + 1 day", "2024-02-01 12:30"), ("tomorrow", "2024-02-01 12:30"),
    ("yesterday", "2024-01-30 12:30"), ("+1 month", "2024-02-29 12:30"),
    ("+1 year - 2 weeks", "2025-01-17 12:30"),
    ("today @ noon", "2024-01-31 12:00"), ("midnight + 90 minutes", "2024-01-31 01:30"),
    ("next month", "2024-02-29 12:30"),
    ("+13 months", "2025-02-28 12:30"), ("-1 month", "2023-12-31 12:30"), ("+7000 years", "9024-01-31 12:30"),
  ])
  func evaluatesDateExpressions(expression: String, text: String) throws {
    let generator = Generator.dateTime(try DateTimePattern("yyyy-MM-dd HH:mm"), expression: expression)
    #expect(try generator.value(in: context) == .string(text))
  }

  @Test(arguments: ["someday", "+ day", "+1", "+1 fortnight", "1 day", "+99999999999 years"])
  func refusesInvalidDateExpressions(expression: String) {
    #expect(throws: GeneratorError.self) {
      try Generator.date(nil, expression: expression).value(in: context)
    }
  }

  @Test func valuesLieWithinTheirBounds() throws {
    for _ in 0..<200 {
      let integer = try #require(try Generator.randomInteger(min: -3, max: 3).value(in: context)?.intValue)
      #expect((-3...3).contains(integer))
      let decimal = try #require(try Generator.randomDecimal(digits: 6).value(in: context)).plainText
      #expect(try TextPattern("(0|[1-9]\\d*)\\.\\d+").matches(decimal) && decimal.count == 7, "\(decimal)")
    }
    #expect(try Generator.randomDecimal(digits: 0).value(in: context) != nil)
    #expect(try Generator.randomString(size: 8).value(in: context)?.plainText.count == 8)
    let uuid = try #require(try Generator.uuid(.urn).value(in: context)).plainText
    #expect(
      try TextPattern("urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}").matches(
        uuid
      )
    )
  }

  @Test func fillsInValuesOfTheProviderState() throws {
    #expect(try Generator.providerState(expression: "${id}").value(in: context) == 1000)
    #expect(try Generator.providerState(expression: "id").value(in: context) == 1000)
    #expect(try Generator.providerState(expression: "/u/${id}/${name}").value(in: context) == "/u/1000/Ann")
    #expect(throws: GeneratorError.missingValue("x")) {
      try Generator.providerState(expression: "${x}").value(in: context)
    }
    #expect(throws: GeneratorError.self) { try Generator.providerState(expression: "${x").value(in: context) }
    var consumer = context
    consumer.side = .consumer
    #expect(try Generator.providerState(expression: "${x}").value(in: consumer) == nil)
  }

  @Test func replacesTheHostByTheMockServers() throws {
    let generator = Generator.mockServerURL(example: "http://host:1/orders/1", regex: ".*(/orders/\\d+)$")
    #expect(try generator.value(in: context) == nil)
    var consumer = context
    consumer.side = .consumer
    #expect(try generator.value(in: consumer) == "http://127.0.0.1:9/orders/1")
  }

  @Test func writesValuesAtTheirPlaces() throws {
    let json: JSONValue = [
      "body": ["$.a[*].id": ["type": "RandomInt", "min": 5, "max": 5], "$.x.y": ["type": "RandomBoolean"]],
      "query": ["q": ["type": "RandomInt", "min": 1, "max": 1]],
      "header": ["X-Id": ["type": "ProviderState", "expression": "${name}"]],
      "path": ["type": "ProviderState", "expression": "/${id}"],
      "unknown": ["a": 1],
    ]
    let application = GeneratorApplication(try PactGeneratorsReader().generators(json), context: context)
    let request = ComparedRequest(
      query: ComparedQuery(parsing: "q=9&r=2"),
      fields: [FieldLine("x-id", "?")],
      body: ComparedBody(.bytes("{\"a\":[{\"id\":1},{\"id\":2,\"k\":1.50}]}"))
    )
    let changed = try application.request(request)
    #expect(changed.path == "/1000")
    #expect(changed.query.parameters == [.init("q", "1"), .init("r", "2")])
    #expect(changed.fields == [FieldLine("x-id", "Ann")])
    #expect(changed.body.content == .bytes("{\"a\":[{\"id\":5},{\"id\":5,\"k\":1.50}]}"))
  }

  /// Generated values are written into their places; all else stays, to the octet.
  @Test(arguments: [
    (
      "application/json", #"{ "a":"x" ,  "b" : {"c":1.50}, "d":[1, "\u0041", null] , "e":"\/"}"#,
      ["$.a", "$.b", "$.d[*]"], #"{ "a":1000 ,  "b" : 1000, "d":[1000, 1000, 1000] , "e":"\/"}"#
    ),
    ("application/json", #" "x" "#, ["$"], "1000"), ("text/plain", "x", ["$"], "1000"),
    ("text/plain", "x", ["$.a"], "x"), ("image/png", "x", ["$"], "x"),
    ("application/x-www-form-urlencoded", "a=%41&a=2&b&c=+", ["$.a[1]", "$.c"], "a=%41&a=1000&b&c=1000"),
    ("application/x-www-form-urlencoded", "a=1&a=2", ["$.a"], "a=1000&a=1000"),
    (
      "application/xml",
      "<?xml version='1.0'?>\n<r><i n='1' m='2'>a</i><i/><j><![CDATA[b]]></j><k ></k>&#65;</r>",
      ["$.r[0].i.@n", "$.r[1].i.#text", "$.r.j", "$.r.k"],
      "<?xml version='1.0'?>\n<r><i n='1000' m='2'>a</i><i>1000</i><j><![CDATA[1000]]></j><k >1000</k>&#65;</r>"
    ),
    (
      "text/xml", "<p:r xmlns:p='urn:n'><p:a>1</p:a><b xmlns='urn:m'>2</b><c>3</c></p:r>",
      ["$['p:r']['urn:n:a']", "$['urn:n:r']['urn:m:b'].#text"],
      "<p:r xmlns:p='urn:n'><p:a>1000</p:a><b xmlns='urn:m'>1000</b><c>3</c></p:r>"
    ),
    // The attributes that a comparison calls so.
    (
      "text/xml", "<r xmlns:p='urn:n' p:id='1' id = '2' xml:lang='3' p:b='4'/>",
      ["$.r['@urn:n:id']", "$.r['@http://www.w3.org/XML/1998/namespace:lang']", "$.r.@b"],
      "<r xmlns:p='urn:n' p:id='1000' id = '2' xml:lang='1000' p:b='4'/>"
    ),
  ])
  func aGeneratedValueIsWrittenInItsPlace(
    _ type: String,
    _ text: String,
    _ paths: [String],
    _ expected: String
  ) throws {
    let rules = try paths.map { path in
      GeneratorRule(.body, at: try RulePath(path), .providerState(expression: "id"))
    }
    let body = ComparedBody(.bytes(Bytes(text)), mediaType: MediaType(type))
    let generated = try GeneratorApplication(rules, context: context).body(body, nil)
    #expect(generated.content == .bytes(Bytes(expected)))
  }

  @Test func aGeneratedTextIsCoded() throws {
    var context = context
    context.providerState = ["id": "a<&\"b c"]
    let rule = GeneratorRule(.body, at: try RulePath("$.a"), .providerState(expression: "id"))
    for (type, text, expected) in [
      ("application/json", #"{"a":1}"#, #"{"a":"a<&\"b c"}"#),
      ("text/xml", "<a/>", "<a>a&lt;&amp;&quot;b c</a>"),
      ("application/x-www-form-urlencoded", "a=", "a=a%3C%26%22b%20c"),
    ] {
      let body = ComparedBody(.bytes(Bytes(text)), mediaType: MediaType(type))
      let generated = try GeneratorApplication([rule], context: context).body(body, nil)
      #expect(generated.content == .bytes(Bytes(expected)))
    }
  }

  /// Two paths can lead to an element and to what is in it.
  @Test func ofEditsThatOverlapTheFirstOneCounts() throws {
    let edits: [TextTree.Edit] = [(2..<4, [9]), (1..<3, [7, 8]), (3..<3, [5]), (4..<5, [])]
    #expect(([0, 1, 2, 3, 4, 5] as [UInt8]).replacing(edits) == [0, 7, 8, 5, 3, 5])
  }
}
