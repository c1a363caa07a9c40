/// Numbers of payment cards (ISO/IEC 7812).
enum CardNumber {
  /// Returns the range of a card number that starts at an offset: 14 to 16 digits with the start of a known network and
  /// a correct check digit, in groups separated by spaces or hyphens or without separators.
  static func range(in text: [UInt8], at start: Int) -> Range<Int>? {
    guard !text.has(start - 1, isJoint), text[start] >= UInt8(ascii: "3"),
      text[start] <= UInt8(ascii: "6") || text[start] == 0x32
    else { return nil }
    var digits: [UInt8] = []
    var end = start
    var groups: [Int] = [0]
    while end < text.count, digits.count <= 16 {
      if text[end].isDigit {
        digits.append(text[end] - 0x30)
        groups[groups.count - 1] += 1
        end += 1
      } else if text[end] == 0x20 || text[end] == UInt8(ascii: "-"), text.has(end + 1, \.isDigit),
        groups.count < 4
      {
        groups.append(0)
        end += 1
      } else {
        break
      }
    }
    guard (14...16).contains(digits.count), !text.has(end, \.isAlphanumeric),
      !(text.has(end, isJoint) && text.has(end + 1, \.isAlphanumeric))
    else { return nil }
    guard [[14], [15], [16], [4, 4, 4, 4], [4, 6, 5], [4, 6, 4]].contains(groups) else { return nil }
    return isIssued(digits) && hasValidCheckDigit(digits) ? start..<end : nil
  }

  /// Characters that join a number with another one to something that is no card number.
  private static func isJoint(_ octet: UInt8) -> Bool {
    octet == UInt8(ascii: ".") || octet == UInt8(ascii: "-") || octet == UInt8(ascii: "_")
      || octet == UInt8(ascii: "+")
  }

  private static func isIssued(_ digits: [UInt8]) -> Bool {
    let start = digits.prefix(4).reduce(0) { 10 * $0 + Int($1) }
    switch digits.count {
    case 14:
      return (3000...3059).contains(start) || (3600...3699).contains(start) || (3800...3999).contains(start)
    case 15: return (3400...3499).contains(start) || (3700...3799).contains(start)
    default:
      return (4000...4999).contains(start) || (5100...5599).contains(start) || (2221...2720).contains(start)
        || start == 6011 || (6440...6599).contains(start) || (3528...3589).contains(start)
    }
  }

  /// The digit that makes a number of these digits one of a card.
  static func checkDigit(of digits: [UInt8]) -> UInt8 {
    (0...9).first { hasValidCheckDigit(digits + [$0]) } ?? 0
  }

  /// The formula of Luhn.
  private static func hasValidCheckDigit(_ digits: [UInt8]) -> Bool {
    let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
      let value = Int(digit.element)
      guard digit.offset % 2 == 1 else { return sum + value }
      return sum + (value > 4 ? 2 * value - 9 : 2 * value)
    }
    return sum % 10 == 0
  }
}
