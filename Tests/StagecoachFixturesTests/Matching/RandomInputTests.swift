import StagecoachCore
import Testing

@testable import StagecoachFixtures

/// Random texts for all that parses: nothing may trap.
@Suite struct RandomInputTests {
  private static func texts(of alphabet: String, count: Int, length: Int) -> [String] {
    let context = GeneratorContext(randomSource: SeededRandom(seed: 3))
    return (0..<count).map { _ in context.text(of: alphabet, count: context.random(below: length)) }
  }

  @Test func randomPathsAreRefusedOrRoundTrip() {
    for text in Self.texts(of: "$.[]'\"*\\ab01", count: 20_000, length: 12) {
      guard let path = try? RulePath(text) else { continue }
      #expect((try? RulePath(path.description)) == path, "\(text)")
    }
  }

  @Test func randomPatternsNeverCrash() {
    for text in Self.texts(of: "()[]{}|?*+^$.\\dwsbpPx0,1-a<>=!:&~kN", count: 4_000, length: 10) {
      if let pattern = try? TextPattern(text) { _ = try? pattern.matches("a1-") }
    }
  }

  @Test func randomSamplesNeverCrash() {
    let context = GeneratorContext(randomSource: SeededRandom(seed: 4))
    for text in Self.texts(of: "()[]{}|?*+^$.\\dwsx0,1-a<>:", count: 20_000, length: 10) {
      _ = try? RegexSample(text).text(in: context)
    }
  }

  @Test func randomDatesNeverCrash() {
    let texts = Self.texts(of: "0123456789-:TZ+ JanFebMoAP", count: 2_000, length: 14)
    for pattern in Self.texts(of: "yMdHhmsSaEXxZz'-: GQwDkKAnN", count: 200, length: 10) {
      guard let pattern = try? DateTimePattern(pattern) else { continue }
      for text in texts.prefix(100) { _ = pattern.matches(text) }
    }
  }

  @Test func randomExpressionsAndVersionsNeverCrash() {
    for text in Self.texts(of: "+-12 dayweekmonthnextlast@noon", count: 20_000, length: 20) {
      _ = try? DateExpression(text)
      _ = SemanticVersion.problem(of: text)
      _ = ParameterizedValue(text)
    }
  }

  /// Any rule on any pair of bodies ends, and equal bodies without rules match.
  @Test func randomBodiesNeverCrash() throws {
    let bodies = [
      "{\"a\":[1,{\"b\":null}],\"c\":\"x\"}", "[]", "{}", "[[[]]]", "null", "\"a\"",
      "<a b='1'><c>x</c><c/></a>", "a=1&b=2",
      "<?xml version='1.0'?><a/>", "{\"a\":[2]}", "{\"a\":{\"b\":1}}",
    ]
    let matchers: [Matcher] = [
      .equality, .type(min: 1, max: 1), .regex(try TextPattern("a")), .include("a"), .integer, .decimal,
      .number, .null,
      .boolean, .date(), .time(), .dateTime(), .contentType(.json), .values, .arrayContains([]),
      .arrayContains([ArrayVariant(index: 5)]), .statusCode(.success), .notEmpty, .text(.semanticVersion),
      .eachKey([.integer]),
      .eachValue([.type(), .eachValue([.null])]),
    ]
    let paths = try ["$", "$.a", "$.*", "$[*]", "$.a[*]", "$.a[0].b", "$.a.c['#text']"].map {
      try RulePath($0)
    }
    var turn = 0
    for type in ["application/json", "application/xml", nil] {
      for expected in bodies {
        for actual in bodies {
          for matcher in matchers {
            turn += 1
            let path = paths[turn % paths.count]
            let rules: MatchRules = [
              MatchRule(
                .body,
                at: path,
                matchers: [matcher, .notEmpty],
                combination: turn % 2 == 0 ? .any : .all
              )
            ]
            _ = bodyMismatches(expected, actual, rules, type: type)
          }
        }
      }
    }
    for body in bodies { #expect(bodyMismatches(body, body) == []) }
  }

  /// The time of a comparison grows with the depth, not with powers of it.
  @Test func nestedCombinationsEnd() {
    let deep = String(repeating: "[", count: 95) + "1" + String(repeating: "]", count: 95)
    let all: [Matcher] = [.type(min: 1), .notEmpty, .type(max: 3)]
    for combination in [MatchRule.Combination.all, .any] {
      let rules: MatchRules = [
        MatchRule(.body, matchers: all, combination: combination),
        MatchRule(.body, at: RulePath([.index(0)]), matchers: all, combination: combination),
      ]
      #expect(bodyMismatches(deep, deep, rules) == [])
    }
  }
}
