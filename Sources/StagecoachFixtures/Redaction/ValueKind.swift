import StagecoachFormats

/// A kind of value that cannot hold the text of a placeholder.
///
/// In place of a secret of such a kind stands a made-up value, which follows from the placeholder and from the form of the
/// secret alone: its length, its case, its separators.
enum ValueKind: String, Sendable {
  case number, digits, hexadecimal, uuid, date
  case email = "e-mail address"
  case cardNumber = "card number"

  /// The kind of a value; `nil` if a placeholder can stand in its place.
  ///
  /// - Parameter type: The type that its format gives to the value.
  init?(of value: [UInt8], _ type: Leaf.ValueType) {
    if type == .number {
      self = .number
    } else if type != .text || value.isEmpty {
      return nil
    } else if value.allSatisfy(\.isDigit) {
      self = CardNumber.range(in: value, at: 0) == value.indices ? .cardNumber : .digits
    } else if CardNumber.range(in: value, at: 0) == value.indices {
      self = .cardNumber
    } else if Self.isUUID(value) {
      self = .uuid
    } else if value.count >= 16, value.allSatisfy(\.isHexDigit) {
      self = .hexadecimal
    } else if Self.isDate(value) {
      self = .date
    } else if Self.isAddress(value) {
      self = .email
    } else {
      return nil
    }
  }

  static func isUUID(_ value: some Collection<UInt8>) -> Bool {
    value.count == 36
      && value.enumerated().allSatisfy { offset, octet in
        [8, 13, 18, 23].contains(offset) ? octet == UInt8(ascii: "-") : octet.isHexDigit
      }
  }

  /// `1990-05-17`, also with a time behind it.
  private static func isDate(_ value: [UInt8]) -> Bool {
    let hyphens = [4, 7]
    guard value.count >= 10, value.count <= 35,
      value.prefix(10).enumerated().allSatisfy({
        hyphens.contains($0.offset) ? $0.element == UInt8(ascii: "-") : $0.element.isDigit
      })
    else { return false }
    return value.count == 10
      || (value[10] == UInt8(ascii: "T") || value[10] == 0x20)
        && value[11...].allSatisfy { $0.isDigit || $0.isOne(of: ":.+-Z") }
  }

  private static func isAddress(_ value: [UInt8]) -> Bool {
    guard let at = value.firstIndex(of: UInt8(ascii: "@")), at > 0, at + 1 < value.count, value.count <= 254,
      value[(at + 1)...].contains(UInt8(ascii: "."))
    else { return false }
    return value.allSatisfy { $0.isAlphanumeric || $0.isOne(of: "@._%+-") }
      && value.count { $0 == UInt8(ascii: "@") } == 1
  }

  /// Returns a value of the kind in the form of another one.
  ///
  /// - Parameters:
  ///   - placeholder: What the value stands for.
  ///   - attempt: Another number gives another value.
  func madeUp(like value: [UInt8], for placeholder: Placeholder, attempt: Int = 0) -> [UInt8] {
    var stream = DigestStream("\(placeholder.identifier) \(attempt)")
    switch self {
    case .number, .digits:
      // The first digit of a number is no 0, which would make it another one.
      var isFirst = true
      var isExponent = false
      return value.map { octet in
        if octet | 0x20 == UInt8(ascii: "e") { isExponent = true }
        guard octet.isDigit, !isExponent else { return octet }
        defer { isFirst = false }
        return isFirst ? stream.digit(in: 1...9) : stream.digit(in: 0...9)
      }
    case .cardNumber:
      let count = value.count(where: \.isDigit)
      var digits = [UInt8](arrayLiteral: 4) + (1..<count - 1).map { _ in stream.digit(in: 0...9) - 0x30 }
      digits[0] = value.first { $0.isDigit }.map { $0 - 0x30 } ?? 4
      digits.append(CardNumber.checkDigit(of: digits))
      var rest = digits[...]
      return value.map { octet in octet.isDigit ? rest.removeFirst() + 0x30 : octet }
    case .hexadecimal:
      let isUpper = value.contains(where: \.isUpperCase)
      return value.map { _ in stream.hexDigit(isUpper: isUpper) }
    case .uuid:
      let isUpper = value.contains(where: \.isUpperCase)
      return value.enumerated().map { offset, octet in
        switch offset {
        case 14: UInt8(ascii: "4")
        case 19: UInt8(ascii: "8")
        default: octet == UInt8(ascii: "-") ? octet : stream.hexDigit(isUpper: isUpper)
        }
      }
    case .date:
      // A day that every calendar has.
      let day = stream.next(below: 28) + 1
      let month = stream.next(below: 12) + 1
      let date = "2000-\(String(month + 100).dropFirst())-\(String(day + 100).dropFirst())"
      return Array(date.utf8) + value[10...]
    case .email:
      let name = placeholder.identifier.lowercased().replacing("_", with: "-")
      return Array("secret-\(name)\(attempt > 0 ? "-\(attempt)" : "")@example.com".utf8)
    }
  }
}

/// Octets that follow from a text.
private struct DigestStream {
  private let seed: String
  private var block: [UInt8] = []
  private var number = 0

  init(_ seed: String) { self.seed = seed }

  mutating func next(below count: Int) -> Int {
    if block.isEmpty {
      block = SHA256.hash(Array("\(seed) \(number)".utf8))
      number += 1
    }
    return Int(block.removeLast()) % count
  }

  mutating func digit(in range: ClosedRange<Int>) -> UInt8 {
    UInt8(0x30 + range.lowerBound + next(below: range.count))
  }

  mutating func hexDigit(isUpper: Bool) -> UInt8 {
    let value = UInt8(next(below: 16))
    return value < 10 ? 0x30 + value : value - 10 + (isUpper ? 0x41 : 0x61)
  }
}
