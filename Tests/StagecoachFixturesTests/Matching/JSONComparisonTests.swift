import StagecoachCore
import Testing

@testable import StagecoachFixtures

@Suite struct JSONComparisonTests {
  @Test(
    arguments: [
      ("1", "1.0", []), ("100", "1e2", []), ("12345678901234567890123", "12345678901234567890124", nil),
      ("0.1", "0.10", []), ("-0", "0", []), ("1e400", "10e399", []), ("1e99999999999999999999", "1", nil),
      ("\"1\"", "1", ["$ Expected 1 (Integer) to be equal to '1' (String)"]),
      ("true", "false", ["$ Expected false (Boolean) to be equal to true (Boolean)"]),
      (
        "{\"a\":{}}", "{\"a\":[]}",
        ["$.a Type mismatch: Expected [] (Array) to be the same type as {} (Object)"]
      ),
      (
        "[1]", "[]",
        ["$ Expected 1 but was missing", "$ Expected a List with 1 elements but received 0 elements"]
      ),
      ("[]", "[1]", ["$ Expected an empty List but received [1]"]),
      ("{}", "{\"a\":1}", ["$ Expected an empty Map but received {\"a\":1}"]),
      ("{\"a\":1,\"a\":2}", "{\"a\":2}", []), ("\"é\"", "\"e\u{301}\"", nil),
    ] as [(String, String, [String]?)]
  )
  func comparesByEquality(expected: String, actual: String, messages: [String]?) {
    let found = bodyMismatches(expected, actual)
    if let messages { #expect(found == messages) } else { #expect(!found.isEmpty) }
  }

  @Test func reportsUnexpectedMembers() {
    #expect(
      bodyMismatches("{\"a\":1}", "{\"a\":1,\"b\":2}")
        == ["$ Expected a Map with keys [a] but received one with keys [a, b]"]
    )
    #expect(bodyMismatches("{\"a\":1}", "{\"a\":1,\"b\":2}", isResponse: true) == [])
    #expect(
      bodyMismatches("{\"a\":1,\"b\":2}", "{}", isResponse: true)
        == ["$ Actual map is missing the following keys: a, b"]
    )
  }

  /// Not pinned by the published cases: a type rule does not allow further members in requests.
  @Test func reportsUnexpectedMembersUnderATypeRule() throws {
    let rules: MatchRules = [try MatchRule("body$", .type())]
    #expect(
      bodyMismatches("{\"a\":1}", "{\"a\":5,\"b\":2}", rules)
        == ["$ Expected a Map with keys [a] but received one with keys [a, b]"]
    )
    #expect(bodyMismatches("{\"a\":1}", "{\"a\":5,\"b\":2}", rules, isResponse: true) == [])
  }

  /// Not pinned by the published cases.
  @Test func checksTheSizeOfArrays() throws {
    let rules: MatchRules = [try MatchRule("body$.a", .type(min: 2, max: 4))]
    #expect(bodyMismatches("{\"a\":[1]}", "{\"a\":[5,6,7]}", rules) == [])
    #expect(
      bodyMismatches("{\"a\":[1]}", "{\"a\":[1,2,3,4,5]}", rules)
        == ["$.a Expected [1, 2, 3, 4, 5] (size 5) to have maximum size of 4"]
    )
    #expect(
      bodyMismatches("{\"a\":[1]}", "{\"a\":[\"b\"]}", rules) == [
        "$.a Expected [\"b\"] (size 1) to have minimum size of 2",
        "$.a[0] Expected 'b' (String) to be the same type as 1 (Integer)",
      ]
    )
  }

  @Test func aSizeRuleDoesNotApplyToInnerArrays() throws {
    let rules: MatchRules = [try MatchRule("body$", .type(min: 2))]
    #expect(bodyMismatches("[[1],[1]]", "[[1],[2]]", rules) == [])
  }

  @Test func aTypeRuleAppliesToEachElement() throws {
    let rules: MatchRules = [try MatchRule("body$.a[*]", .type())]
    #expect(bodyMismatches("{\"a\":[1]}", "{\"a\":[5,6]}", rules) == [])
    #expect(
      bodyMismatches("{\"a\":[1]}", "{\"a\":[5,null]}", rules)
        == ["$.a[1] Expected null (Null) to be the same type as 1 (Integer)"]
    )
  }

  @Test func anInnerEqualityRuleOverridesAType() throws {
    let rules: MatchRules = [
      try MatchRule("body$", .type()), try MatchRule("body$.a.b", .equality),
    ]
    #expect(
      bodyMismatches("{\"a\":{\"b\":[1],\"c\":1}}", "{\"a\":{\"b\":[1,2],\"c\":2}}", rules)
        == ["$.a.b Expected a List with 1 elements but received 2 elements"]
    )
  }

  @Test(
    arguments: [
      (.regex, "\"b1\"", "Expected 'b1' to match '\\d+'"),
      (.include("x"), "\"b\"", "Expected 'b' to include 'x'"),
      (.integer, "1.5", "Expected 1.5 (Decimal) to be an integer"),
      (.integer, "\"1\"", "Expected '1' (String) to be an integer"),
      (.decimal, "1", "Expected 1 (Integer) to be a decimal number"),
      (.number, "\"1\"", "Expected '1' (String) to be a number"),
      (.null, "\"\"", "Expected '' (String) to be a null value"),
      (.boolean, "1", "Expected 1 (Integer) to match a boolean"),
      (.date(), "\"2024-13-01\"", "Expected '2024-13-01' to match a date pattern of 'yyyy-MM-dd'"),
      (.time(), "\"24:00:00\"", "Expected '24:00:00' to match a time pattern of 'HH:mm:ss'"),
      (
        .dateTime(), "\"2024-01-01\"",
        "Expected '2024-01-01' to match a timestamp pattern of 'yyyy-MM-dd'T'HH:mm:ssXXX'"
      ),
      (.notEmpty, "\"\"", "Expected '' (String) to not be empty"),
      (.notEmpty, "[]", "Expected [] (Array) to not be empty"),
      (.notEmpty, "{}", "Expected {} (Object) to not be empty"),
      (.notEmpty, "null", "Expected non-empty but got a NULL"),
      (
        .semanticVersion, "\"1.0\"",
        "'1.0' is not a valid semantic version - unexpected end of input while parsing minor version number"
      ),
      (.type(), "1", "Expected 1 (Integer) to be the same type as 'a' (String)"),
    ] as [(Sample, String, String)]
  )
  fileprivate func namesTheConditionThatFailed(sample: Sample, actual: String, message: String) throws {
    let rules: MatchRules = [try MatchRule("body$.one", try sample.matcher)]
    #expect(bodyMismatches("{\"one\":\"a\"}", "{\"one\":\(actual)}", rules) == ["$.one " + message])
  }

  fileprivate enum Sample: Sendable {
    case regex, include(String), integer, decimal, number, null, boolean, date(Int = 0), time(Int = 0),
      dateTime(Int = 0)
    case notEmpty, semanticVersion, type(Int = 0)

    var matcher: Matcher {
      get throws {
        switch self {
        case .regex: .regex(try TextPattern("\\d+"))
        case .include(let text): .include(text)
        case .integer: .integer
        case .decimal: .decimal
        case .number: .number
        case .null: .null
        case .boolean: .boolean
        case .date: .date()
        case .time: .time()
        case .dateTime: .dateTime()
        case .notEmpty: .notEmpty
        case .semanticVersion: .text(.semanticVersion)
        case .type: .type()
        }
      }
    }
  }

  @Test(
    arguments: [
      (.integer, "5"), (.decimal, "5.0"), (.number, "5e3"), (.null, "null"), (.boolean, "\"true\""),
      (.notEmpty, "\"b\""), (.date(), "\"2024-02-29\""), (.semanticVersion, "\"1.0.0-rc.1+b\""),
      (.regex, "57"),
    ] as [(Sample, String)]
  )
  fileprivate func acceptsMatchingValues(sample: Sample, actual: String) throws {
    let rules: MatchRules = [try MatchRule("body$.one", try sample.matcher)]
    #expect(bodyMismatches("{\"one\":\"a\"}", "{\"one\":\(actual)}", rules) == [])
  }

  @Test func combinesConditionsByAnyOrAll() throws {
    let date = Matcher.date()
    let any: MatchRules = [try MatchRule("body$.a", date, .null, combination: .any)]
    #expect(bodyMismatches("{\"a\":\"2000-01-01\"}", "{\"a\":null}", any) == [])
    #expect(bodyMismatches("{\"a\":\"2000-01-01\"}", "{\"a\":1}", any).count == 2)
    let all: MatchRules = [try MatchRule("body$.a", .include("x"), .include("y"))]
    #expect(bodyMismatches("{\"a\":\"\"}", "{\"a\":\"xy\"}", all) == [])
    #expect(bodyMismatches("{\"a\":\"\"}", "{\"a\":\"x\"}", all) == ["$.a Expected 'x' to include 'y'"])
  }

  @Test func aValuesRuleIgnoresKeys() throws {
    let rules: MatchRules = [try MatchRule("body$", .values), try MatchRule("body$.*", .type())]
    #expect(bodyMismatches("{\"one\":\"a\"}", "{\"x\":\"b\",\"y\":\"c\"}", rules) == [])
    #expect(
      bodyMismatches("{\"one\":\"a\"}", "{\"x\":1}", rules)
        == ["$.x Expected 1 (Integer) to be the same type as 'a' (String)"]
    )
  }

  @Test func aNotEmptyRuleComparesTypes() throws {
    let rules: MatchRules = [try MatchRule("body$.*", .notEmpty)]
    #expect(bodyMismatches("{\"a\":[1],\"b\":\"x\"}", "{\"a\":[2],\"b\":\"y\"}", rules) == [])
    #expect(
      bodyMismatches("{\"a\":[\"b\"],\"b\":\"x\"}", "{\"a\":\"b\",\"b\":[1]}", rules) == [
        "$.a Type mismatch: Expected 'b' (String) to be the same type as [\"b\"] (Array)",
        "$.b Type mismatch: Expected [1] (Array) to be the same type as 'x' (String)",
      ]
    )
  }

  @Test func checksEachKeyAndEachValue() throws {
    let letters = Matcher.regex(try TextPattern("[a-z]+"))
    let keys: MatchRules = [try MatchRule("body$", .eachKey([letters]))]
    #expect(bodyMismatches("{\"one\":\"a\"}", "{\"two\":\"b\"}", keys) == [])
    #expect(
      bodyMismatches("{\"one\":\"a\"}", "{\"3\":\"b\"}", keys) == ["$[3] Expected '3' to match '[a-z]+'"]
    )
    let values: MatchRules = [try MatchRule("body$", .eachValue([letters]))]
    #expect(bodyMismatches("{\"one\":\"a\"}", "{\"two\":\"b\"}", values) == [])
    #expect(
      bodyMismatches("{\"one\":\"a\"}", "{\"two\":\"1\"}", values) == ["$.two Expected '1' to match '[a-z]+'"]
    )
    #expect(bodyMismatches("[\"a\"]", "[\"b\",\"1\"]", values) == ["$[1] Expected '1' to match '[a-z]+'"])
  }

  @Test func findsAVariantAnywhereInAnArray() throws {
    let variant = ArrayVariant(index: 0, rules: [try MatchRule("body$.id", .integer)])
    let rules: MatchRules = [try MatchRule("body$", .arrayContains([variant]))]
    #expect(bodyMismatches("[{\"id\":1,\"n\":\"a\"}]", "[{\"x\":1},{\"id\":7,\"n\":\"a\"}]", rules) == [])
    #expect(
      bodyMismatches("[{\"id\":1,\"n\":\"a\"}]", "[{\"id\":7,\"n\":\"b\"}]", rules)
        == ["$ Variant at index 0 ({\"id\":1,\"n\":\"a\"}) was not found in the actual list"]
    )
  }

  @Test func refusesDeepAndMalformedBodies() {
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    #expect(bodyMismatches("[]", deep).first?.contains("Failed to parse the actual body") == true)
    let open = String(repeating: "[", count: 95) + "1" + String(repeating: "]", count: 95)
    #expect(bodyMismatches(open, open, [MatchRule(.body, matchers: [.type(), .notEmpty])]) == [])
    #expect(
      bodyMismatches("{}", "{", type: "application/json").first?.hasPrefix("$ Failed to parse the actual")
        == true
    )
  }
}
