import StagecoachCore
import Testing

@testable import StagecoachFixtures

/// The matchers of versions 3 and 4 in the fragments of the compatibility suite, with custom messages.
@Suite(.enabled(if: PactFiles.compatibility != nil)) struct FragmentTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let fragment: String
    let expected: String
    let actual: String
    let mismatches: [String]

    init(_ fragment: String, _ expected: String, _ actual: String, _ mismatches: String...) {
      self.fragment = fragment
      self.expected = expected
      self.actual = actual
      self.mismatches = mismatches
    }

    var testDescription: String { "\(fragment): \(actual)" }
  }

  private static let basic = "file: basic.json"
  private static let levels = "file: 3-level.json"

  static let examples: [Example] = [
    Example("arraycontains-matcher-v4", "file: siren.json", "file: siren2.json"),
    Example(
      "arraycontains-matcher-v4",
      "file: siren.json",
      "file: siren3.json",
      "$.actions Variant at index 1 ({\"href\":\"http://api.x.io/orders/42/items\",\"method\":\"DELETE\","
        + "\"name\":\"delete-item\",\"title\":\"Delete Item\"}) was not found in the actual list"
    ),
    Example("boolean-matcher-v3", basic, "JSON: {\"one\": true, \"two\": \"b\"}"),
    Example(
      "boolean-matcher-v3",
      basic,
      "JSON: {\"one\": \"yes\", \"two\": \"b\"}",
      "$.one Expected 'yes' (String) to match a boolean"
    ),
    Example("contenttype-matcher-v3", "file: rat.jpg", "file: spider.jpg"),
    Example(
      "contenttype-matcher-v3",
      "file: rat.jpg",
      "file: sample.pdf",
      "$ Expected binary contents to have content type 'image/jpeg' but detected contents was 'application/pdf'"
    ),
    Example("date-matcher-v3", basic, "JSON: {\"one\": \"2010-01-31\", \"two\": \"b\"}"),
    Example(
      "date-matcher-v3",
      basic,
      "JSON: {\"one\": \"2010-02-31\", \"two\": \"b\"}",
      "$.one Expected '2010-02-31' to match a date pattern of 'yyyy-MM-dd'"
    ),
    Example("eachkey-matcher-v4", basic, "JSON: {\"one\": \"a\", \"two\": \"b\", \"three\": \"c\"}"),
    Example(
      "eachkey-matcher-v4",
      basic,
      "JSON: {\"one\": \"a\", \"2\": \"b\"}",
      "$[2] Expected '2' to match '[a-z]+'"
    ),
    Example("eachvalue-matcher-v4", basic, "JSON: {\"one\": \"c\", \"three\": \"d\"}"),
    Example(
      "eachvalue-matcher-v4",
      basic,
      "JSON: {\"one\": \"\", \"three\": 3}",
      "$.one Expected '' to match '[a-z]+'",
      "$.three Expected '3' to match '[a-z]+'"
    ),
    Example(
      "equality-matcher-reset-v3",
      levels,
      "JSON: {\"one\":{\"a\":{\"ids\":[9],\"status\":\"X\"}},\"two\":[{\"ids\":[1],\"status\":\"BAD\"}]}",
      "$.one.a.status Expected 'X' (String) to be equal to 'OK' (String)"
    ),
    Example("include-matcher-v3", basic, "JSON: {\"one\": \"cat\", \"two\": \"b\"}"),
    Example("include-matcher-v3", basic, "file: basic3.json", "$.one Expected 'dog' to include 'a'"),
    Example("integer-type-matcher-v3", basic, "JSON: {\"one\": 100, \"two\": \"b\"}"),
    Example(
      "decimal-type-matcher-v3",
      basic,
      "JSON: {\"one\": null, \"two\": \"b\"}",
      "$.one Expected null (Null) to be a decimal number"
    ),
    Example("number-type-matcher-v3", basic, "JSON: {\"one\": 1e3, \"two\": \"b\"}"),
    Example(
      "minmax-type-matcher-v3",
      levels,
      "JSON: {\"one\":{\"a\":{\"ids\":[],\"status\":\"X\"}},\"two\":[{\"ids\":[1,2,3,4,5],\"status\":\"BAD\"}]}",
      "$.one.a.ids Expected [] (size 0) to have minimum size of 1",
      "$.two[0].ids Expected [1, 2, 3, 4, 5] (size 5) to have maximum size of 4"
    ),
    Example(
      "notempty-matcher-v4",
      basic,
      "JSON: {\"one\": \"\", \"two\": null}",
      "$.one Expected '' (String) to not be empty",
      "$.two Expected non-empty but got a NULL"
    ),
    Example("notempty2-matcher-v4", "file: rat.jpg", "file: spider.jpg"),
    Example(
      "notempty2-matcher-v4",
      "file: rat.jpg",
      "EMPTY",
      "$ Expected body Present(28058 bytes, image/jpeg) but was empty",
      "$ Expected [] (0 bytes) to not be empty"
    ),
    Example("null-matcher-v3", basic, "JSON: {\"one\": null, \"two\": \"b\"}"),
    Example("semver-matcher-v4", basic, "JSON: {\"one\": \"1.0.0\", \"two\": \"2.0.0-rc.1\"}"),
    Example(
      "semver-matcher-v4",
      basic,
      "JSON: {\"one\": \"1.0.0\", \"two\": \"1.0abc\"}",
      "$.two '1.0abc' is not a valid semantic version - unexpected character 'a' after minor version number"
    ),
    Example("values-matcher-v3", basic, "JSON: {\"three\": \"c\"}"),
    Example(
      "values-matcher-v3",
      basic,
      "JSON: {\"three\": 3}",
      "$.three Expected 3 (Integer) to be the same type as 'a' (String)"
    ),
  ]

  @Test(arguments: examples)
  func matchesBodiesAsTheFragmentSays(example: Example) throws {
    var (wanted, received) = (FeatureInteraction(), FeatureInteraction())
    try wanted.apply(
      ["body": example.expected, "matching rules": example.fragment + ".json"],
      version: example.fragment.hasSuffix("v3") ? .v3 : .v4
    )
    received.request.fields = wanted.request.fields
    try received.apply(["body": example.actual], version: .v4)
    let mismatches = MessageComparison(rules: wanted.requestRules).mismatches(
      wanted.request,
      received.request
    )
    #expect(mismatches.filter { $0.part == .body }.map { "\($0.path) \($0.message)" } == example.mismatches)
  }
}
