import StagecoachCore
import Synchronization

/// Decides by its name whether a value is a secret.
struct SecretNaming: Sendable {
  enum Verdict: Sendable {
    case harmless
    /// Only if the value looks like a key: members with the name `code` or `key` rarely contain secrets.
    case ifRandom
    case secret
  }

  /// Last words of names of values that describe a secret, such as `token_type` and `password_policy`.
  private static let descriptions: Set<String> = [
    "type", "types", "hint", "supported", "method", "methods", "alg", "algorithm", "count", "limit", "length",
    "policy",
    "status", "enabled", "required", "format", "scope", "scopes", "in", "at", "expiry", "expires",
    "expiration", "input",
    "tokenizer", "details",
  ]

  /// The verdicts so far: the members of a list have the same names.
  private final class Cache: Sendable {
    private let verdicts = Mutex<[String: Verdict]>([:])

    func verdict(_ name: String, _ make: () -> Verdict) -> Verdict {
      if let known = verdicts.withLock({ $0[name] }) { return known }
      let verdict = make()
      verdicts.withLock { verdicts in
        if verdicts.count >= 4_096 { verdicts = [:] }
        verdicts[name] = verdict
      }
      return verdict
    }
  }

  private let cache = Cache()
  private let additional: Set<String>
  private let allowed: Set<String>

  init(additional: Set<String>, allowed: Set<String>) {
    self.additional = Set(additional.map(Self.letters))
    self.allowed = Set(allowed.map(Self.letters))
  }

  func allows(_ name: String) -> Bool { !allowed.isEmpty && allowed.contains(Self.letters(name)) }

  /// Returns whether a field, an element or an attribute contains a secret.
  func isSecret(_ name: String) -> Bool { verdict(member: name) == .secret }

  /// Returns whether a parameter of a query, a form or multipart content contains a secret.
  func isSecret(parameter name: String) -> Bool { verdict(member: name) != .harmless }

  /// Returns whether a member of a JSON object contains a secret.
  func verdict(member name: String) -> Verdict {
    cache.verdict(name) {
      if let explicit = explicit(name) { return explicit ? .secret : .harmless }
      if SecretNames.contains(name) { return Self.isDescription(name) ? .harmless : .secret }
      let isParameter = SecretNames.contains(parameter: name[...])
      return isParameter && !Self.isDescription(name) && !Self.isAboutAuthors(name) ? .ifRandom : .harmless
    }
  }

  /// Returns the verdict of the options; `nil` if they do not contain the name.
  private func explicit(_ name: String) -> Bool? {
    guard !allowed.isEmpty || !additional.isEmpty else { return nil }
    let letters = Self.letters(name)
    if allowed.contains(letters) { return false }
    return additional.contains(letters) ? true : nil
  }

  private static func isDescription(_ name: String) -> Bool {
    let words = Placeholder.name(from: name).split(separator: "_")
    guard words.count > 1, let last = words.last else { return false }
    return descriptions.contains(last.lowercased())
  }

  /// `author`, `coAuthors` and `authority`, but not `authorization`.
  private static func isAboutAuthors(_ name: String) -> Bool {
    let name = letters(name)
    return name.contains("author") && !name.contains("authori") || name.contains("authority")
  }

  /// The letters and digits in lower case: names are compared without regard to case and word separators.
  private static func letters(_ name: String) -> String {
    String(decoding: name.utf8.filter { $0.isAlphanumeric || $0 >= 0x80 }, as: UTF8.self).lowercased()
  }
}

/// What can be said about a value without its name.
enum SecretValues {
  private static let trivial: Set<String> = [
    "", "true", "false", "yes", "no", "on", "off", "null", "nil", "none", "undefined", "*", "0", "1", "-",
    "deleted",
    // Schemes, and placeholders in schemas and documentation.
    "bearer", "basic", "digest", "negotiate", "required", "optional", "string",
  ]

  /// Whether a value is no secret whatever its name.
  static func isTrivial(_ value: [UInt8]) -> Bool {
    value.count <= 9 && trivial.contains(String(decoding: value, as: UTF8.self).lowercased())
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

  static func isURL(_ value: [UInt8]) -> Bool {
    value.starts(with: "http://".utf8) || value.starts(with: "https://".utf8)
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

  private static func isUUID(_ value: some Collection<UInt8>) -> Bool {
    value.count == 36 && value.filter { $0 == UInt8(ascii: "-") }.count == 4
      && value.allSatisfy { $0.isHexDigit || $0 == UInt8(ascii: "-") }
  }
}
