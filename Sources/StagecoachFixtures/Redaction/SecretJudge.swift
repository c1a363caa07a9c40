import HTTPTypes
import StagecoachFormats

/// Decides which leaves of a message are secrets because of their names and places.
///
/// A name speaks for its own leaf and for the elements of a list under it, and only if the leaf can be a secret.
struct SecretJudge: Sendable {
  /// What a message says about the meaning of short names in it.
  struct Context: Sendable {
    /// Whether the message is a request.
    let isRequest: Bool
    /// Whether the path is that of a request which logs in, or the like.
    let logsIn: Bool
    /// Whether the message is signed in its `Authorization` field.
    let isSigned: Bool
    /// Whether the content is a program or a style sheet.
    let isProgram: Bool
  }

  let naming: SecretNaming
  private let secretPaths: LeafPaths
  private let allowedPaths: LeafPaths
  /// Whether the user keeps anything.
  private let keepsSome: Bool

  init(_ options: RedactionOptions) {
    naming = SecretNaming(additional: options.secretNames, allowed: options.allowedNames)
    secretPaths = LeafPaths(options.secretPaths)
    allowedPaths = LeafPaths(options.allowedPaths)
    keepsSome = !options.allowedNames.isEmpty || !options.allowedPaths.isEmpty
  }

  private static let loginWords: Set<String> = [
    "login", "signin", "logon", "auth", "authn", "authenticate", "authentication", "authorize", "oauth",
    "oauth2", "token", "session", "sessions", "register", "signup", "password", "verify", "verification",
    "2fa", "mfa", "otp", "challenge", "activate", "unlock", "confirm", "pin", "sso",
  ]

  func context(of message: RedactableMessage, _ trees: MessageTree) -> Context {
    let path = message.target?.prefix { $0 != "?" && $0 != "#" } ?? ""
    let logsIn = path.split(separator: "/").contains { segment in
      let words = NameWords(String(segment)).words
      return words.contains(where: Self.loginWords.contains) || Self.loginWords.contains(words.joined())
    }
    let isSigned = message.fields.contains { field in
      field.name == .authorization
        && (field.value.hasPrefix("AWS4-") || field.value.lowercased().hasPrefix("oauth "))
    }
    return Context(
      isRequest: message.method != nil,
      logsIn: logsIn,
      isSigned: isSigned,
      isProgram: message.mediaType?.isProgram ?? false
    )
  }

  /// Whether a leaf stays, with all that is in it, because the options say so, even if it has the shape of a secret.
  func keeps(_ place: LeafPlace, fieldName: String?) -> Bool {
    guard keepsSome else { return false }
    if let fieldName, naming.allows(fieldName) { return true }
    var next: LeafPlace? = place
    while let place = next {
      if allowedPaths.contains(place) || place.name.map({ naming.allows($0.text) }) ?? false { return true }
      next = place.outer
    }
    return false
  }

  /// Returns the name of the secret that a leaf is as a whole, even if the options keep it; `nil` if it is none.
  ///
  /// - Parameter fieldName: The name of the field whose value the text is.
  func secretName(
    of place: LeafPlace,
    part: MessageTree.Part,
    fieldName: String?,
    in context: Context
  ) -> String? {
    let leaf = place.leaf
    guard leaf.type != .boolean, leaf.type != .null, !leaf.value.isEmpty else { return nil }
    if secretPaths.contains(place) { return place.name?.text ?? fieldName ?? part.name }
    let name = place.name
    if let fieldName, place.outer == nil,
      let verdict = fieldSecret(place, name, fieldName.lowercased(), context)
    {
      return verdict.name
    }
    if place.isInCredentials { return credentialsName(of: place) }
    if let name = credentialsName(of: place) ?? segmentName(of: place) { return name }
    guard let name else { return nil }
    if let parameter = signatureParameter(name, place) { return parameter }
    if name.kind == .cookie { return cookieName(name.text, leaf.value) }
    if isSecret(leaf, name, place, context) { return name.text }
    return containerName(of: place)
  }

  /// Whether the value of a name differs from request to request: it matches any value, and stands for none.
  ///
  /// - Parameter placeholderName: The name of a placeholder.
  static func isOneTime(_ placeholderName: String) -> Bool {
    placeholderName == "SIGNATURE" || placeholderName.hasPrefix("SIGNATURE_")
      || placeholderName.hasPrefix("DIGEST_")
      || placeholderName.hasSuffix("_SIGNATURE") || placeholderName == "CODE_CHALLENGE"
  }

  // MARK: Values

  /// Whether a value is a secret under its name.
  func isSecret(_ leaf: Leaf, _ name: LeafName, _ place: LeafPlace, _ context: Context) -> Bool {
    let value = leaf.value
    let verdict = naming.verdict(name.text)
    if verdict != .harmless, leaf.type == .text, place.isSetInProgram(context),
      Self.isTextOfProgram(value, verdict)
    {
      return false
    }
    switch verdict {
    case .harmless: return false
    case .named: return true
    case .short(let short): return isSecret(leaf, short, name, place, context)
    case .random: return leaf.type == .text && (Self.isKey(value) || RandomText.isShortKey(value))
    case .secret, .password, .text, .opaque, .credentials, .code, .number, .phrase: break
    }
    if leaf.type == .number { return isSecretNumber(value, verdict, name) }
    guard !SecretValues.isTrivial(value), !isMessage(value, name, place, context) else { return false }
    switch verdict {
    case .password: return !isWorkingDirectory(value, name)
    case .text where isPlain(value): return false
    case .secret, .text:
      return !isAccessKey(value, name) && !isWordOfModel(value, name, place, context)
        && !SecretValues.isURL(value) && !(name.isElement && value.contains(0x20))
    case .opaque:
      return SecretValues.isOpaque(value)
        || context.logsIn && leaf.inner == nil && !value.contains(0x20) && !SecretValues.isWord(value)
    case .credentials:
      return value.count >= 6 && !SecretValues.isWord(value) && !SecretValues.isURL(value)
        && !value.contains { "$<".utf8.contains($0) }
    case .code:
      return value.count >= 3 && value.count <= 4_096 && !SecretValues.isWord(value)
        && !SecretValues.isURL(value)
    case .number: return value.count { $0.isDigit } >= 6 && value.count <= 64
    case .phrase: return name.isElement || value.count { $0 == 0x20 } >= 3 || SecretValues.isRandom(value)
    case .harmless, .named, .short, .random: return false
    }
  }

  /// Whether a number is a secret: it is a whole one, and not a count.
  private func isSecretNumber(_ value: [UInt8], _ verdict: SecretNaming.Verdict, _ name: LeafName) -> Bool {
    guard value.allSatisfy(\.isDigit), !name.isElement || verdict == .code else { return false }
    switch verdict {
    case .secret, .number: return value.count >= 6
    case .password: return value.count >= 4
    case .code: return value.count >= 3 && value.count <= 10
    default: return false
    }
  }

  /// Whether a value looks like a key: random, or a UUID or digest as long as a key, or one in groups of four.
  static func isKey(_ value: [UInt8]) -> Bool {
    if value.contains(0x20) {
      let groups = value.split(separator: 0x20)
      return groups.count > 2
        && groups.allSatisfy { $0.count == 4 && $0.allSatisfy { $0.isUpperCase || $0.isDigit } }
    }
    return SecretValues.isRandom(value) || SecretValues.isUUID(value)
      || value.count >= 32 && value.allSatisfy(\.isHexDigit) && value.contains(where: \.isDigit)
  }

  /// Whether a text in quotes in a program is no secret: most are names, messages and parts of addresses.
  private static func isTextOfProgram(_ value: [UInt8], _ verdict: SecretNaming.Verdict) -> Bool {
    switch verdict {
    case .named, .phrase, .number: return false
    case .random, .short: return SecretValues.isUUID(value) || RandomText.wordShare(value[...]) >= 0.5
    default: break
    }
    let digits = value.count(where: \.isDigit)
    // `mus-0-int_srch`
    let isSlug =
      digits == 1 && value.count(where: { $0.isOne(of: "-_") }) > 1
      && value.allSatisfy { $0.isLowerCase || $0.isDigit || $0.isOne(of: "-_") }
    return digits == 0 || isSlug || value.contains { $0.isOne(of: "()") } || SecretValues.isURL(value)
      || RandomText.wordShare(value[...]) >= 0.6
  }

  /// Whether a value tells something about a secret whose name is only a part of a longer one: a word, a number, a
  /// time, a text.
  private func isPlain(_ value: [UInt8]) -> Bool {
    value.count <= 3 || SecretValues.isWord(value) || SecretValues.isOrdinaryWord(value)
      || value.allSatisfy { $0.isDigit || ".,:+-/ TZ%".utf8.contains($0) }
      || value.contains(0x20) && (!value.contains(where: \.isDigit) || SecretValues.isSentence(value))
  }

  /// Whether a value is a key of a keyboard: `accesskey="s"`.
  private func isAccessKey(_ value: [UInt8], _ name: LeafName) -> Bool {
    value.count == 1 && (name.kind == .attribute || name.text.lowercased().hasSuffix("accesskey"))
  }

  /// Whether `token` in a response is not that of a login: a word of a language model, or the symbol of a coin.
  private func isWordOfModel(_ value: [UInt8], _ name: LeafName, _ place: LeafPlace, _ context: Context)
    -> Bool
  {
    guard !context.isRequest, case .member = place.node.step, name.text.lowercased() == "token" else {
      return false
    }
    return value.count < 16 && !value.contains(where: \.isDigit)
      && (value.allSatisfy(\.isLetter) || value[0] == 0x20)
      || !place.neighbourNames(of: name.node).isDisjoint(with: ["logprob", "bytes"])
  }

  /// `PWD=/home/user` of a shell.
  private func isWorkingDirectory(_ value: [UInt8], _ name: LeafName) -> Bool {
    name.text.lowercased().hasSuffix("pwd") && value.first == UInt8(ascii: "/")
  }

  /// Whether a value is what a program says about a secret: `"errors": {"password": ["is too short"]}`.
  private func isMessage(_ value: [UInt8], _ name: LeafName, _ place: LeafPlace, _ context: Context) -> Bool {
    guard SecretValues.isProse(value) else { return false }
    if !context.isRequest, isLabel(value) {
      return ![.phrase, .credentials].contains(naming.verdict(name.text))
    }
    if value.contains(0x20), name.isElement || name.text.contains(".") {
      return naming.verdict(name.text) != .phrase && !value.contains(where: \.isDigit)
    }
    return place.isAmongMessages
  }

  /// Whether a value in a response is a text about a secret: its name with a capital, as in `"password": "Passwort"`, or
  /// a sentence with such a name or of five words.
  private func isLabel(_ value: [UInt8]) -> Bool {
    guard value.count <= 256, let first = value.first else { return false }
    let isSentence = SecretValues.isSentence(value)
    if isSentence, value.count(where: { $0 == 0x20 }) >= 4 { return true }
    guard
      isSentence
        || !first.isLowerCase && value.allSatisfy({ $0.isLetter || $0 >= 0x80 || " -".utf8.contains($0) })
    else { return false }
    let text = String(decoding: value, as: UTF8.self)
    return ([Substring(text)] + text.split { !$0.isLetter }).contains { word in
      ![.harmless, .random].contains(naming.verdict(String(word)))
    }
  }
}
