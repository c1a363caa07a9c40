/// What can be said about a value without its name.
enum SecretValues {
  private static let trivial: Set<String> = [
    "", "true", "false", "yes", "no", "on", "off", "null", "nil", "none", "undefined", "*", "0", "1", "-",
    "deleted",
    // Schemes, and placeholders in schemas and documentation.
    "bearer", "basic", "digest", "negotiate", "required", "optional", "string", "redacted",
  ]

  /// Whether a value is no secret whatever its name: nothing, a word that says that there is none, a mask, a variable.
  static func isTrivial(_ value: [UInt8]) -> Bool {
    if value.count <= 9, trivial.contains(String(decoding: value, as: UTF8.self).lowercased()) { return true }
    if let first = value.first, !first.isAlphanumeric, value.allSatisfy({ $0 == first }) { return true }
    switch (value.first, value.last) {
    case (UInt8(ascii: "{"), UInt8(ascii: "}")):
      return value.starts(with: "{{".utf8) && value.dropLast().last == 0x7D
    case (UInt8(ascii: "$"), UInt8(ascii: "}")): return value.starts(with: "${".utf8)
    case (UInt8(ascii: "["), UInt8(ascii: "]")):
      return value.count <= 12 && value.dropFirst().dropLast().allSatisfy(\.isLetter)
    default: return isMask(value)
    }
  }

  /// A value of which only the end is shown: `****1234`, `••••1234`.
  private static func isMask(_ value: [UInt8]) -> Bool {
    let mask = value.prefix { $0 == UInt8(ascii: "*") || $0 == 0xE2 || $0 == 0x80 || $0 == 0xA2 }
    return mask.count >= 4 && value.count - mask.count <= 4
  }

  /// Whether a value consists only of letters in lower case and separators, as a word in a protocol.
  static func isWord(_ value: [UInt8]) -> Bool {
    value.allSatisfy { $0.isLowerCase || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
  }

  /// Whether a value is a word of a language: letters, of which only the first one, or all, are in upper case.
  static func isOrdinaryWord(_ value: [UInt8]) -> Bool {
    value.dropFirst().allSatisfy(\.isLowerCase) && value.first?.isLetter == true
      || value.allSatisfy(\.isUpperCase)
  }

  /// Whether a value is a text that people read: words with spaces between them, or a key of such a text.
  static func isProse(_ value: [UInt8]) -> Bool {
    if value.allSatisfy({ $0.isLetter || $0 >= 0x80 || $0.isOne(of: "_-.") }) { return true }
    return value.contains(0x20)
  }

  static func isURL(_ value: [UInt8]) -> Bool {
    value.starts(with: "http://".utf8) || value.starts(with: "https://".utf8)
  }

  /// Whether a value is a handle without meaning for people: at least 8 characters without spaces, and no word.
  static func isOpaque(_ value: [UInt8]) -> Bool {
    value.count >= 8 && !value.contains { $0 <= 0x20 || $0.isOne(of: "<>(){}") } && !isWord(value)
      && !isOrdinaryWord(value) && !isURL(value)
  }

  /// Whether a value looks like a random key: at least 16 characters of base64, mixed, and no UUID.
  static func isRandom(_ value: some Collection<UInt8>) -> Bool {
    guard value.count >= 16, value.allSatisfy({ $0.isBase64Digit || $0 == UInt8(ascii: "=") }), !isUUID(value)
    else { return false }
    var counts: [UInt8: Int] = [:]
    var changes = 0
    var last = 0
    for octet in value {
      counts[octet, default: 0] += 1
      let kind = octet.isDigit ? 1 : octet.isUpperCase ? 2 : octet.isLowerCase ? 3 : 0
      // A capital that begins a word is no change.
      if kind != 0, last != 0, kind != last, !(last == 2 && kind == 3) { changes += 1 }
      last = kind
    }
    return changes * 8 >= value.count && counts.count >= 8 && counts.keys.contains { $0.isDigit }
  }

  static func isUUID(_ value: some Collection<UInt8>) -> Bool {
    value.count == 36 && value.filter { $0 == UInt8(ascii: "-") }.count == 4
      && value.allSatisfy { $0.isHexDigit || $0 == UInt8(ascii: "-") }
  }
}
