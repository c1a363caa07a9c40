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
    if value.count <= 9, value.count == 1 || !value.contains(where: \.isDigit),
      trivial.contains(String(decoding: value, as: UTF8.self).lowercased())
    {
      return true
    }
    if let first = value.first,
      !first.isAlphanumeric || value.count >= 6 && first | 0x20 == UInt8(ascii: "x"),
      value.allSatisfy({ $0 == first })
    {
      return true
    }
    switch (value.first, value.last) {
    case (UInt8(ascii: "{"), UInt8(ascii: "}")):
      return value.starts(with: "{{".utf8) && value.dropLast().last == 0x7D
    // `<your token>` of documentation.
    case (UInt8(ascii: "<"), UInt8(ascii: ">")):
      return value.dropFirst().dropLast().allSatisfy { $0.isLetter || " _-".utf8.contains($0) }
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

  /// Whether a value consists only of letters in lower case and separators, as a word in a protocol, or of capitals
  /// joined by underscores, as a constant.
  static func isWord(_ value: [UInt8]) -> Bool {
    let underscore = UInt8(ascii: "_")
    return value.allSatisfy { $0.isLowerCase || $0 == underscore || $0 == UInt8(ascii: "-") }
      || value.contains(underscore) && value.allSatisfy { $0.isUpperCase || $0 == underscore }
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

  /// Whether a value is a sentence: words of letters and whole numbers, with spaces between them, and a capital at the
  /// start or a mark at the end, or five of them.
  static func isSentence(_ value: [UInt8]) -> Bool {
    let words = value.split(separator: 0x20)
    guard words.count > 1, let first = words[0].first, let last = value.last else { return false }
    let isPlain = words.allSatisfy { word in
      let core = word.drop { "([\"'".utf8.contains($0) }.reversed().drop { ".,:;!?)]\"'".utf8.contains($0) }
      return core.allSatisfy(\.isDigit)
        || core.allSatisfy { $0.isLetter || $0 >= 0x80 || "'-/".utf8.contains($0) }
          && core.dropLast().allSatisfy { !$0.isUpperCase }
        || core.allSatisfy(\.isUpperCase)
    }
    return isPlain && (first.isUpperCase || first >= 0x80 || ".!?:".utf8.contains(last) || words.count >= 5)
  }

  static func isURL(_ value: [UInt8]) -> Bool {
    value.starts(with: "http://".utf8) || value.starts(with: "https://".utf8)
  }

  /// Whether a value is a handle without meaning for people: at least 8 characters without spaces, and no word or a few
  /// joined words such as `ClientIP`.
  static func isOpaque(_ value: [UInt8]) -> Bool {
    value.count >= 8 && !value.contains { $0 <= 0x20 || $0.isOne(of: "<>(){}") } && !isWord(value)
      && !isOrdinaryWord(value) && !isURL(value) && !(value.count < 16 && value.allSatisfy(\.isLetter))
  }

  /// Whether a value looks like a random key: at least 16 characters of base64, mixed, and no UUID.
  static func isRandom(_ value: some Collection<UInt8>) -> Bool {
    guard value.count >= 16, value.allSatisfy({ $0.isBase64Digit || $0 == UInt8(ascii: "=") }),
      !isUUID(value),
      !startsWithDate(value)
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
    guard changes * 8 >= value.count, counts.count >= 8, counts.keys.contains(where: { $0.isDigit }) else {
      return false
    }
    // `_get360HorizontalAngle`
    return value.count > 64 || RandomText.wordShare(Array(value)[...]) < 0.6
  }

  private static func startsWithDate(_ value: some Collection<UInt8>) -> Bool {
    zip(value, 0..<8).allSatisfy { octet, index in
      index == 4 || index == 7 ? octet == UInt8(ascii: "-") : octet.isDigit
    }
  }

  static func isUUID(_ value: some Collection<UInt8>) -> Bool {
    value.count == 36
      && value.enumerated().allSatisfy { offset, octet in
        [8, 13, 18, 23].contains(offset) ? octet == UInt8(ascii: "-") : octet.isHexDigit
      }
  }
}
