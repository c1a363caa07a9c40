import StagecoachCore

@testable import StagecoachFixtures

/// Compares bodies and returns the paths and sentences of the mismatches.
func bodyMismatches(
  _ expected: String,
  _ actual: String,
  _ rules: MatchRules = [],
  type: String? = nil,
  actualType: String? = nil,
  isResponse: Bool = false
) -> [String] {
  func fields(_ type: String?) -> [FieldLine] { type.map { [FieldLine("Content-Type", $0)] } ?? [] }
  let comparison = MessageComparison(rules: rules)
  let (wanted, received) = (ComparedBody(.bytes(Bytes(expected))), ComparedBody(.bytes(Bytes(actual))))
  let mismatches =
    isResponse
    ? comparison.mismatches(
      ComparedResponse(fields: fields(type), body: wanted),
      ComparedResponse(fields: fields(actualType ?? type), body: received)
    )
    : comparison.mismatches(
      ComparedRequest(fields: fields(type), body: wanted),
      ComparedRequest(fields: fields(actualType ?? type), body: received)
    )
  return mismatches.filter { $0.part == .body }.map { "\($0.path) \($0.message)" }
}
