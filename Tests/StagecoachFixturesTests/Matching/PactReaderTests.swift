import StagecoachCore
import Testing

@testable import StagecoachFixtures

@Suite struct PactReaderTests {
  @Test func readsFlatRules() throws {
    let json: JSONValue = [
      "$.path": ["match": "regex", "regex": "/a"], "$.header.X-Test": ["match": "type"],
      "$.body.a[*]": ["min": 1, "max": 2], "$.body": ["match": "type"], "$.query.q": ["regex": "x"],
    ]
    #expect(
      try PactRulesReader().rules(json) == [
        try MatchRule("path", .regex(TextPattern("/a"))), try MatchRule("header.X-Test", .type()),
        try MatchRule("body$.a[*]", .type(min: 1, max: 2)), try MatchRule("body$", .type()),
        try MatchRule("query.q", .regex(TextPattern("x"))),
      ]
    )
  }

  @Test func readsNamesWithBrackets() throws {
    let rules = try PactRulesReader().rules(["$.query.ids[]": ["match": "type"]])
    #expect(rules == [try MatchRule("query.ids[]", .type())])
  }

  @Test func readsGroupedRules() throws {
    let json: JSONValue = [
      "path": ["matchers": [["match": "regex", "regex": "/a"]]],
      "header": [
        "X-Test": ["matchers": [["match": "integer"]]], "$['Y'][0]": ["matchers": [["match": "null"]]],
      ],
      "body": [
        "$.a": ["combine": "OR", "matchers": [["match": "date", "format": "yyyy"], ["match": "null"]]]
      ],
      "status": ["matchers": [["match": "statusCode", "status": [200, 201]]]],
      "future": ["x": 1],
    ]
    #expect(
      try PactRulesReader().rules(json) == [
        try MatchRule("path", .regex(TextPattern("/a"))), try MatchRule("header.X-Test", .integer),
        MatchRule(.header, at: try RulePath("$.Y[0]"), matchers: [.null]),
        try MatchRule("body$.a", .date(DateTimePattern("yyyy")), .null, combination: .any),
        try MatchRule("status", .statusCode(.codes([200, 201]))),
      ]
    )
  }

  @Test(
    arguments: [
      ["body": ["$.a": ["matchers": [["match": "telepathy"]]]]], ["body": ["$.": ["matchers": []]]],
      ["body": ["$.a": ["matchers": [["match": "regex", "regex": "("]]]]], ["body": 1], 1,
      ["body": ["$.a": ["matchers": [["match": "type", "min": -1]]]]], ["body": ["$.a": ["matchers": [[:]]]]],
      ["body": ["$.a": ["matchers": [["match": "date", "format": "b"]]]]], ["$.cookie.a": ["match": "type"]],
    ] as [JSONValue]
  )
  func refusesMalformedRules(json: JSONValue) {
    #expect(throws: PactFormatError.self) { try PactRulesReader().rules(json) }
  }

  @Test func rubyExpressionsMatchAnywhere() throws {
    let json: JSONValue = ["$.body.a": ["match": "regex", "regex": "b"]]
    let rules = try PactRulesReader(extent: .anywhere).rules(json)
    #expect(bodyMismatches("{\"a\":\"b\"}", "{\"a\":\"abc\"}", rules) == [])
  }

  @Test func readsQueriesOfOldAndNewVersions() throws {
    let old = try PactPartsReader(version: .v2).request(["query": "a=1&a=2&b"], at: "")
    #expect(old.query.parameters == [.init("a", "1"), .init("a", "2"), .init("b", "")])
    let new = try PactPartsReader(version: .v3).request(["query": ["a": ["1", "2"], "b": [.null]]], at: "")
    #expect(new.query.parameters == old.query.parameters)
  }

  @Test(
    arguments: [
      (
        ["body": ["content": ["a": 1.0], "contentType": "application/json", "encoded": false]],
        .bytes("{\"a\":1.0}")
      ),
      (["body": ["content": "aGk=", "contentType": "text/plain", "encoded": "base64"]], .bytes("hi")),
      (["body": ["content": "{}", "contentType": "application/json", "encoded": "JSON"]], .bytes("{}")),
      (["body": ["content": "<a/>", "contentType": "application/xml", "encoded": false]], .bytes("<a/>")),
      (["body": ["content": "hi", "contentType": "application/json"]], .bytes("\"hi\"")),
      (["body": ["content": .null]], .null), (["body": ["content": ""]], .empty), (["body": .null], .null),
      (["body": [1]], .bytes("[1]")), ([:], .absent),
    ] as [(JSONValue, ComparedBody.Content)]
  )
  func readsBodiesOfVersion4(json: JSONValue, content: ComparedBody.Content) throws {
    #expect(try PactPartsReader(version: .v4).response(json, at: "").body.content == content)
  }

  @Test func refusesAMalformedBody() {
    #expect(throws: PactFormatError.self) {
      try PactPartsReader(version: .v4).response(
        ["body": ["content": "?", "encoded": "base64"]],
        at: "response"
      )
    }
  }
}
