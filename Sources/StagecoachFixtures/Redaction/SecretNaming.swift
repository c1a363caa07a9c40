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

  /// Verdicts of late: the members of a list have the same names.
  private final class Cache: Sendable {
    private typealias Entry = (name: String, verdict: Verdict)

    private static let count = 1_024

    /// Each name has one place, which it shares with others.
    private let entries = Mutex<[Entry?]>(Array(repeating: nil, count: count))

    func verdict(_ name: String, _ make: () -> Verdict) -> Verdict {
      // FNV-1a.
      let hash = name.utf8.reduce(0x811C_9DC5) { (hash: UInt32, octet) in
        (hash ^ UInt32(octet)) &* 0x0100_0193
      }
      let place = Int(hash) % Self.count
      if let known = entries.withLock({ $0[place] }), known.name == name { return known.verdict }
      let verdict = make()
      entries.withLock { $0[place] = (name, verdict) }
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
      if !additional.isEmpty, additional.contains(Self.letters(name)) { return .named }
      return NameWords(name).verdict
    }
  }

  /// The letters and digits in lower case: names are compared without regard to case and word separators.
  private static func letters(_ name: String) -> String { NameWords(name).letters }
}

/// The words of a name.
struct NameWords: Sendable {
  /// In lower case, one behind the other: `apikeyid` for `APIKeyID`.
  private let octets: [UInt8]
  /// The end of each word.
  private let ends: [Int]

  init(_ name: String) {
    // In names with other letters than those of ASCII, the case tells no words.
    let name = name.utf8.allSatisfy { $0 < 0x80 } ? Array(name.utf8) : Array(name.lowercased().utf8)
    var octets: [UInt8] = []
    octets.reserveCapacity(name.count)
    var ends: [Int] = []
    for (index, octet) in name.enumerated() {
      let isPart = octet >= 0x80 || octet.isAlphanumeric
      if !octets.isEmpty, ends.last != octets.count {
        let before = name[index - 1]
        let startsWord =
          octet.isUpperCase
          && (before.isLowerCase || before.isUpperCase && name.has(index + 1, \.isLowerCase))
        if !isPart || startsWord { ends.append(octets.count) }
      }
      if isPart { octets.append(octet.isUpperCase ? octet | 0x20 : octet) }
    }
    if !octets.isEmpty, ends.last != octets.count { ends.append(octets.count) }
    (self.octets, self.ends) = (octets, ends)
  }

  var letters: String { String(decoding: octets, as: UTF8.self) }

  /// In lower case: `api`, `key` and `id` for `APIKeyID`.
  var words: [String] { ends.indices.map(word) }

  /// The last word.
  var last: String? { ends.isEmpty ? nil : word(ends.count - 1) }

  private func word(_ index: Int) -> String {
    String(decoding: octets[(index == 0 ? 0 : ends[index - 1])..<ends[index]], as: UTF8.self)
  }

  /// Whether the letters contain a text of ASCII in lower case, in one word or across several.
  func contains(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard octets.count >= count else { return false }
    return (0...(octets.count - count)).contains { start in
      (0..<count).allSatisfy { octets[start + $0] == text.utf8Start[$0] }
    }
  }

  /// A word, or a part of one or of several, that is the name of a secret.
  private struct Match {
    let part: String
    /// Whether more than one value is named.
    let isPlural: Bool
    /// The letters behind it in its last word.
    let rest: String
    let end: Int
  }

  /// What a name says about its value.
  var verdict: SecretNaming.Verdict {
    guard let last else { return .harmless }
    if octets.count <= Self.longestWhole, let verdict = Self.whole[letters] { return verdict }
    guard let match else { return verdictWithoutMatch(last) }
    let words = words
    let isLast =
      match.end == octets.count || words.count > 1 && Self.continuations.contains(last)
      || match.end + match.rest.utf8.count == octets.count && match.rest.allSatisfy(\.isNumber)
    // `token_type`, `password_policy`; and `hasPassword`.
    if !isLast || words.count == 1, Self.descriptions.contains(words.count == 1 ? match.rest : last) {
      return .harmless
    }
    if Self.questions.contains(words[0]), words.count > 1 { return .random }
    if match.part == "token", isLast, words.contains(where: Self.pages.contains) { return .harmless }
    if last == "state" { return .opaque }
    // `secretId`, but not `tokenId` and `secret/kmsKeyId`.
    if last == "id", words.count > 1,
      match.end != octets.count - 2 || !["session", "secret", "accesskey"].contains(match.part)
    {
      return .harmless
    }
    return verdict(of: match, isLast: isLast)
  }

  private func verdict(of match: Match, isLast: Bool) -> SecretNaming.Verdict {
    switch match.part {
    case "session":
      words.last == "session" || !isLast && words.last != "id" || match.isPlural ? .opaque : .secret
    case "signature", "assertion", "hmac", "auth", "cookie", "credential", "jeton", "geheim", "hemmelig":
      .opaque
    case "authorization": .credentials
    case "mnemonic", "seedphrase", "recoveryphrase": .phrase
    case "passcode", "otp", "totp", "hotp", "cvv", "cvc": .code
    case let part where part.hasSuffix("code"): .code
    case let part where Self.passwords.contains(part): match.isPlural ? .opaque : isLast ? .password : .text
    default: match.isPlural ? .opaque : isLast || words.last == "id" ? .secret : .text
    }
  }

  private func verdictWithoutMatch(_ last: String) -> SecretNaming.Verdict {
    if let verdict = Self.lastWords[last], ends.count > 1,
      !words.dropLast().contains(where: Self.qualifiers.contains)
    {
      return verdict
    }
    if hasWord(of: Self.foreignKeys) { return hasWord(of: Self.foreignQualifiers) ? .secret : .random }
    // `appId` is the identifier of an app, `appid` a key.
    if last == "appid", words.count == 1 { return .random }
    if contains("number"), ["cardnumber", "accountnumber", "ccnumber"].contains(where: letters.hasSuffix) {
      return .number
    }
    guard contains("auth"), !Self.descriptions.contains(last) else { return .harmless }
    let isAboutAuthors = contains("author") && !contains("authori") || contains("authority")
    return isAboutAuthors ? .harmless : .random
  }

  private static let longestWhole = whole.keys.map(\.utf8.count).max() ?? 0
  private static let words = TextStarts(SecretNames.words.map { ($0, $0) })
  private static let parts = TextStarts(SecretNames.parts.map { ($0, $0) })

  /// Whether one of the words is one of some texts.
  private func hasWord(of texts: TextStarts<Void>) -> Bool {
    ends.indices.contains { index in
      let word = octets[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
      return texts.stands(in: word, at: word.startIndex) { $0 == word.count }
    }
  }

  /// Whether one of some texts is in the letters, in one word or across several.
  func contains(anyOf texts: TextStarts<Void>) -> Bool {
    let letters = octets[...]
    return letters.indices.contains { texts.stands(in: letters, at: $0) }
  }

  /// The match that ends last.
  private var match: Match? {
    var best: Match?
    func add(_ part: String, isPlural: Bool, rest: String, end: Int) {
      guard best.map({ $0.end <= end }) ?? true else { return }
      best = Match(part: part, isPlural: isPlural, rest: rest, end: end)
    }
    var start = 0
    for end in ends {
      Self.words.forEach(in: octets[..<end], at: start) { count, name in
        let isPlural = end - start == count + 1 && octets[end - 1] == UInt8(ascii: "s")
        if isPlural || end - start == count { add(name, isPlural: isPlural, rest: "", end: end) }
        return false
      }
      start = end
    }
    var word = 0
    let letters = octets[...]
    for start in letters.indices {
      Self.parts.forEach(in: letters, at: start) { count, name in
        let end = start + count
        while ends[word] <= start { word += 1 }
        let wordEnd = ends[word...].first { $0 >= end } ?? octets.count
        let rest = String(decoding: octets[end..<wordEnd], as: UTF8.self)
        // `secretary`, `tokenizer`; `obsession`, `possession`.
        if Self.otherWords.contains(rest) { return false }
        let before = octets[..<start]
        if name == "session",
          before.suffix(2).elementsEqual("ob".utf8) || before.suffix(3).elementsEqual("pos".utf8)
        {
          return false
        }
        let isPlural = rest == "s" || rest == "en"
        add(name, isPlural: isPlural, rest: rest, end: isPlural ? wordEnd : end)
        return false
      }
    }
    return best
  }
}
