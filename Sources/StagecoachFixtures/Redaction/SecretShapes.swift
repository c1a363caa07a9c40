import StagecoachFormats

/// Detects secrets by their shape, whatever their name.
enum SecretShapes {
  struct Finding: Sendable {
    let range: Range<Int>
    let kind: SecretKind
  }

  /// Returns the secrets in a text, in order. The time is linear: nothing is read twice, or only up to a limit.
  static func all(in text: [UInt8]) -> [Finding] {
    var findings: [Finding] = []
    var position = 0
    var isInWord = false
    while position < text.count {
      let octet = text[position]
      let isOfWord = octet.isAlphanumeric
      let mayStart = isOfWord ? !isInWord : octet == UInt8(ascii: "-") || octet == UInt8(ascii: ":")
      isInWord = isOfWord || octet == UInt8(ascii: "_")
      position += 1
      guard mayStart, let finding = finding(in: text, at: position - 1) else { continue }
      findings.append(finding)
      position = finding.range.upperBound
      isInWord = text[position - 1].isAlphanumeric || text[position - 1] == UInt8(ascii: "_")
    }
    return findings
  }

  /// Returns the secret at a hyphen, at a colon or at the start of a word.
  private static func finding(in text: [UInt8], at start: Int) -> Finding? {
    let octet = text[start]
    if octet == UInt8(ascii: "-") { return privateKey(text, at: start) }
    if octet == UInt8(ascii: ":") { return urlPassword(text, at: start) }
    if let key = KeyForm.key(in: text, at: start), !isInBase64(text, start) { return key }
    if octet.isDigit {
      guard let range = CardNumber.range(in: text, at: start) else { return nil }
      // A bare number may be an id as well; under the name of a card it is found by the name.
      let isGrouped = text[range].contains { !$0.isDigit }
      return isGrouped ? Finding(range: range, kind: .cardNumber) : nil
    }
    if octet == UInt8(ascii: "e"), let token = jsonWebToken(text, at: start) { return token }
    if octet == UInt8(ascii: "B") || octet == UInt8(ascii: "b"), let token = credentials(text, at: start) {
      return token
    }
    return nil
  }

  /// Whether Base64 goes on at an offset: a plus sign or a slash is before it, and many digits of all kinds before that.
  private static func isInBase64(_ text: [UInt8], _ start: Int) -> Bool {
    guard text.has(start - 1, { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) else { return false }
    let before = text[max(0, start - 40)..<start]
    return before.count == 40 && before.allSatisfy(\.isBase64Digit) && before.contains(where: \.isUpperCase)
      && before.contains(where: \.isLowerCase) && before.contains(where: \.isDigit)
  }

  /// Three to five segments of base64url, of which the first one is a JSON object.
  private static func jsonWebToken(_ text: [UInt8], at start: Int) -> Finding? {
    guard text.has(start + 1, { $0 == UInt8(ascii: "y") }), text[start...].starts(with: "eyJ".utf8),
      !text.has(start - 1, { $0 == UInt8(ascii: "-") })
    else {
      return nil
    }
    var end = start
    var segments = 0
    while segments < 5 {
      let segment = text[end...].prefix {
        $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
      end = segment.endIndex
      segments += 1
      guard segments == 1 ? segment.count >= 10 : true else { return nil }
      guard segments < 5, text.has(end, { $0 == UInt8(ascii: ".") }),
        segments > 1 || text.has(end + 1, { $0.isBase64Digit || $0 == UInt8(ascii: ".") })
      else { break }
      end += 1
    }
    guard segments >= 3, end - start >= 24 else { return nil }
    return Finding(range: start..<end, kind: .jsonWebToken)
  }

  private static func privateKey(_ text: [UInt8], at hyphens: Int) -> Finding? {
    guard text.has(hyphens + 1, { $0 == UInt8(ascii: "-") }),
      text[hyphens...].starts(with: "-----BEGIN ".utf8)
    else { return nil }
    let label = text[(hyphens + 11)...].prefix(40, while: { $0 != UInt8(ascii: "-") })
    let name = String(decoding: label, as: UTF8.self)
    guard name.hasSuffix("PRIVATE KEY") || name.hasSuffix("PRIVATE KEY BLOCK"),
      text[label.endIndex...].starts(with: "-----".utf8)
    else { return nil }
    // An escaped key is found in the decoded text. A key without an end is cut off; what there is of it is secret.
    let start = endOfHeaders(text, label.endIndex + 5)
    var end = start
    while text.has(end, { $0.isBase64Digit || $0.isSpace || $0.isOne(of: "=:,.") }),
      !text[end...].starts(with: "--".utf8)
    { end += 1 }
    let isEscaped = text.has(end) {
      $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "&")
    }
    let key = text.trimmed(start..<end)
    return key.count >= 16 && !isEscaped ? Finding(range: key, kind: .privateKey) : nil
  }

  /// The end of the lines behind the first one that say how a key is written, such as `Version: 1` and `Proc-Type: 4`.
  private static func endOfHeaders(_ text: [UInt8], _ start: Int) -> Int {
    var end = start
    while true {
      let line = text[end...].drop(while: \.isSpace).prefix(256) { $0 != 0x0A && $0 != 0x0D }
      let name = line.prefix { $0.isLetter || $0 == UInt8(ascii: "-") }
      guard !name.isEmpty, line[name.endIndex...].starts(with: ": ".utf8) else { return end }
      end = line.endIndex
    }
  }

  /// The password of `://user:password@host`. Without a password, the user if it looks like a key.
  static func urlPassword(_ text: [UInt8], at start: Int) -> Finding? {
    guard text.has(start + 1, { $0 == UInt8(ascii: "/") }), text[start...].starts(with: "://".utf8) else {
      return nil
    }
    let authority = text[(start + 3)...].prefix(
      1_024,
      while: { !$0.isSpace && !$0.isOne(of: "/?#\"'<>\\") }
    )
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return nil }
    let information = authority[..<at]
    guard let colon = information.firstIndex(of: UInt8(ascii: ":")) else {
      guard SecretValues.isRandom(information) else { return nil }
      return Finding(range: information.indices, kind: .urlPassword)
    }
    return colon + 1 < at ? Finding(range: (colon + 1)..<at, kind: .urlPassword) : nil
  }

  /// `Bearer` or `Basic` in a text, with a random value behind it.
  private static func credentials(_ text: [UInt8], at start: Int) -> Finding? {
    let word = text[start...].prefix(8, while: \.isLetter)
    guard word.count == 5 || word.count == 6, text.has(word.endIndex, { $0 == 0x20 }) else { return nil }
    let scheme = String(decoding: word, as: UTF8.self).lowercased()
    guard scheme == "bearer" || scheme == "basic" else { return nil }
    let value = text[(word.endIndex + 1)...].prefix { $0.isBase64Digit || $0.isOne(of: ".~=") }
    let digits = value.filter { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "~") }
    guard SecretValues.isRandom(digits) else { return nil }
    return Finding(range: value.startIndex..<value.endIndex, kind: .credentials)
  }
}

extension SecretShapes {
  /// The kind of a text that is a secret as a whole; `nil` if it is none.
  static func whole(_ text: [UInt8]) -> SecretKind? {
    guard text.count <= maxWholeLength else { return nil }
    let findings = all(in: text)
    return findings.count == 1 && findings[0].range == text.indices ? findings[0].kind : nil
  }

  private static let maxWholeLength = 16_384
}
