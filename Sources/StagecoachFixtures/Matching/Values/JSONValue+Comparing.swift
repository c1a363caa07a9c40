import StagecoachCore

extension JSONNumber {
  /// Whether the literal has neither a fraction nor an exponent.
  var isInteger: Bool { !text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") } }

  /// Returns whether both numbers have the same value, exactly and whatever their size: `1`, `1.0` and `10e-1`.
  func hasValue(of other: JSONNumber) -> Bool {
    if text == other.text { return true }
    guard let left = Decimal(text), let right = Decimal(other.text) else { return false }
    return left == right
  }

  /// A number as a fraction 0.digits and a power of ten.
  private struct Decimal: Equatable {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0

    /// Parses a literal; `nil` if its exponent is out of range.
    init?(_ text: String) {
      let parts = text.utf8.split(maxSplits: 1, omittingEmptySubsequences: false) {
        $0 | 0x20 == UInt8(ascii: "e")
      }
      let halves = parts[0].drop { $0 == UInt8(ascii: "-") }
        .split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
      let all = halves.joined()
      let significant = all.drop { $0 == UInt8(ascii: "0") }
      digits = Array(significant)
      while digits.last == UInt8(ascii: "0") { digits.removeLast() }
      guard !digits.isEmpty else { return }
      isNegative = text.utf8.first == UInt8(ascii: "-")
      let shift = halves[0].count - (all.count - significant.count)
      guard parts.count > 1 else {
        exponent = shift
        return
      }
      guard let written = Int(Substring(parts[1])) else { return nil }
      let (sum, isOverflow) = written.addingReportingOverflow(shift)
      guard !isOverflow else { return nil }
      exponent = sum
    }
  }
}

/// The members of an object by key. Keys are compared by code units, and of duplicates the last one is used.
struct JSONMembers {
  private struct Key: Hashable {
    let bytes: [UInt8]
  }

  private var values: [Key: JSONValue] = [:]
  /// The keys in order, each once.
  private(set) var keys: [String] = []

  init(_ object: JSONObject) {
    for member in object.members where values.updateValue(member.value, forKey: Self.key(member.key)) == nil {
      keys.append(member.key)
    }
  }

  var isEmpty: Bool { keys.isEmpty }
  var count: Int { keys.count }
  /// The value of the first key.
  var first: JSONValue? { keys.first.flatMap { self[$0] } }

  subscript(key: String) -> JSONValue? { values[Self.key(key)] }

  private static func key(_ key: String) -> Key { Key(bytes: Array(key.utf8)) }
}

extension JSONValue {
  /// The name of the type in the wording of Pact.
  var typeName: String {
    switch self {
    case .null: "Null"
    case .bool: "Boolean"
    case .number(let number): number.isInteger ? "Integer" : "Decimal"
    case .string: "String"
    case .array: "Array"
    case .object: "Object"
    }
  }

  /// The value for a message: a string in single quotes, and otherwise JSON.
  var quoted: String {
    if case .string(let text) = self { "'\(text)'" } else { description }
  }

  /// The value with its type, for a message.
  var typed: String { "\(quoted) (\(typeName))" }

  /// The characters of a string, and otherwise JSON.
  var plainText: String {
    if case .string(let text) = self { text } else { description }
  }

  /// Returns whether two values have the same type; all numbers have the same.
  func hasType(of other: JSONValue) -> Bool {
    switch (self, other) {
    case (.null, .null), (.bool, .bool), (.number, .number), (.string, .string), (.array, .array),
      (.object, .object):
      true
    default: false
    }
  }

  /// Returns whether two values are equal, where numbers are compared by value and the order of members is ignored.
  func isEquivalent(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): return left.hasValue(of: right)
    case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isEquivalent(to: $1) }
    case (.object(let left), .object(let right)):
      let (left, right) = (JSONMembers(left), JSONMembers(right))
      return left.count == right.count
        && left.keys.allSatisfy { key in
          guard let value = left[key], let other = right[key] else { return false }
          return value.isEquivalent(to: other)
        }
    default: return self == other
    }
  }
}
