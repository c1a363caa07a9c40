import StagecoachCore
import Synchronization

/// Decides by its name which values are secrets.
struct SecretNaming: Sendable {
  enum Verdict: Sendable, Hashable {
    case harmless
    /// Named by the user.
    case named
    /// A token, a secret or a key.
    case secret
    case password
    /// A secret that is a text: a number under the name is a count or a time.
    case text
    /// A signature, an assertion, a session: the same names are those of other things.
    case opaque
    /// The value of an `Authorization` field.
    case credentials
    /// A code that is used once, a verification value of a card.
    case code
    /// The number of a card or an account.
    case number
    /// The words of a recovery phrase.
    case phrase
    /// Only what looks like a key.
    case random
    /// A short name, which means a secret only beside others.
    case short(Short)
  }

  enum Short: Sendable, Hashable {
    case keyMaterial, pin, code, sessionID, key, signature, state, password, cardNumber, ticket
  }

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

  /// Whether the values of a name are no secrets because the user says so.
  func allows(_ name: String) -> Bool { !allowed.isEmpty && allowed.contains(Self.letters(name)) }

  func verdict(_ name: String) -> Verdict {
    guard name.utf8.count <= 256 else { return .harmless }
    return cache.verdict(name) {
      if !allowed.isEmpty || !additional.isEmpty {
        let letters = Self.letters(name)
        if allowed.contains(letters) { return .harmless }
        if additional.contains(letters) { return .named }
      }
      return NameWords(name).verdict
    }
  }

  /// The letters and digits in lower case: names are compared without regard to case and word separators.
  private static func letters(_ name: String) -> String { NameWords(name).letters }
}

/// The words of a name.
struct NameWords: Sendable {
  /// In lower case: `api`, `key` and `id` for `APIKeyID`.
  let words: [String]

  init(_ name: String) {
    var words: [String] = []
    var word: [UInt8] = []
    let octets = Array(name.utf8)
    for (index, octet) in octets.enumerated() {
      let isPart = octet >= 0x80 || octet.isAlphanumeric
      let before = index > 0 ? octets[index - 1] : 0
      let startsWord =
        octet.isUpperCase
        && (before.isLowerCase || before.isUpperCase && octets.has(index + 1, \.isLowerCase))
      if !isPart || startsWord, !word.isEmpty {
        words.append(String(decoding: word, as: UTF8.self).lowercased())
        word = []
      }
      if isPart { word.append(octet) }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self).lowercased()) }
    self.words = words
  }

  var letters: String { words.joined() }

  /// A word, or a part of one or of several, that is the name of a secret.
  private struct Match {
    let part: String
    /// Whether more than one value is named.
    let isPlural: Bool
    /// The letters behind it in its last word.
    let rest: Substring
    let end: String.Index
  }

  /// What a name says about its value.
  var verdict: SecretNaming.Verdict {
    let letters = letters
    guard let first = words.first, let last = words.last else { return .harmless }
    if let verdict = Self.whole[letters] { return verdict }
    guard let match = match(in: letters) else { return verdictWithoutMatch(first, last, letters) }
    let isLast =
      match.end == letters.endIndex
      || match.rest.endIndex == letters.endIndex && match.rest.allSatisfy(\.isNumber)
    // `token_type`, `password_policy`; and `hasPassword`.
    if !isLast || words.count == 1, Self.descriptions.contains(words.count == 1 ? String(match.rest) : last) {
      return .harmless
    }
    if Self.questions.contains(first), words.count > 1 { return .random }
    if match.part == "token", isLast, words.contains(where: Self.pages.contains) { return .harmless }
    if last == "state" { return .opaque }
    if last == "id", words.count > 1, !["session", "secret", "accesskey"].contains(match.part) {
      return .random
    }
    return verdict(of: match, isLast: isLast)
  }

  private func verdict(of match: Match, isLast: Bool) -> SecretNaming.Verdict {
    switch match.part {
    case "session":
      words.last == "session" || !isLast && words.last != "id" || match.isPlural ? .opaque : .secret
    case "signature", "assertion", "hmac", "auth", "cookie", "credential", "jeton": .opaque
    case "authorization": .credentials
    case "mnemonic", "seedphrase", "recoveryphrase": .phrase
    case "passcode", "otp", "totp", "hotp", "cvv", "cvc": .code
    case let part where part.hasSuffix("code"): .code
    case let part where Self.passwords.contains(part): match.isPlural ? .opaque : isLast ? .password : .text
    default: match.isPlural ? .opaque : isLast || words.last == "id" ? .secret : .text
    }
  }

  private func verdictWithoutMatch(_ first: String, _ last: String, _ letters: String) -> SecretNaming.Verdict
  {
    if let verdict = Self.lastWords[last], words.count > 1,
      !words.dropLast().contains(where: Self.qualifiers.contains)
    {
      return verdict
    }
    if words.contains(where: Self.foreignKeys.contains) { return .random }
    if ["cardnumber", "accountnumber", "ccnumber"].contains(where: letters.hasSuffix) { return .number }
    let isAboutAuthors =
      letters.contains("author") && !letters.contains("authori") || letters.contains("authority")
    if letters.contains("auth"), !isAboutAuthors, !Self.descriptions.contains(last) { return .random }
    return .harmless
  }

  /// Returns the match that ends last.
  private func match(in letters: String) -> Match? {
    var best: Match?
    func add(_ match: Match) {
      if best.map({ $0.end <= match.end }) ?? true { best = match }
    }
    // The end of each word.
    var ends: [String.Index] = []
    var end = letters.startIndex
    for word in words {
      let start = end
      end = letters.index(start, offsetBy: word.count)
      ends.append(end)
      if SecretNames.words.contains(word) { add(Match(part: word, isPlural: false, rest: "", end: end)) }
      if word.hasSuffix("s"), SecretNames.words.contains(String(word.dropLast())) {
        add(Match(part: String(word.dropLast()), isPlural: true, rest: "", end: end))
      }
    }
    for part in SecretNames.parts {
      for range in letters.ranges(of: part) {
        let wordEnd = ends.first { $0 >= range.upperBound } ?? letters.endIndex
        let rest = letters[range.upperBound..<wordEnd]
        let before = letters[..<range.lowerBound]
        // `secretary`, `tokenizer`; `obsession`, `possession`.
        if Self.otherWords.contains(String(rest)) { continue }
        if part == "session", before.hasSuffix("ob") || before.hasSuffix("pos") { continue }
        let isPlural = rest == "s" || rest == "en"
        add(Match(part: part, isPlural: isPlural, rest: rest, end: isPlural ? wordEnd : range.upperBound))
      }
    }
    return best
  }
}
