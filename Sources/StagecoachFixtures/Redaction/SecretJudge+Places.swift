import StagecoachFormats

extension SecretJudge {
  /// A verdict about a leaf in the value of a field.
  struct FieldVerdict {
    /// `nil` if it is no secret.
    let name: String?
  }

  // MARK: Fields

  /// Returns what the field says about a leaf of its value; `nil` if it is judged by its own name.
  func fieldSecret(_ place: LeafPlace, _ name: LeafName?, _ field: String, _ context: Context)
    -> FieldVerdict?
  {
    let value = place.leaf.value
    switch field {
    case "authorization", "proxy-authorization": return FieldVerdict(name: authorization(place, field))
    case "authentication-info", "proxy-authentication-info":
      return FieldVerdict(name: name?.text.lowercased() == "rspauth" ? "DIGEST_RSPAUTH" : nil)
    case "www-authenticate", "proxy-authenticate": return FieldVerdict(name: nil)
    case "cookie", "set-cookie":
      if name?.kind == .cookie, let name { return FieldVerdict(name: cookieName(name.text, value)) }
      return FieldVerdict(name: nil)
    case "location", "content-location", "referer", "link", "content-type", "content-disposition": return nil
    case "x-amz-date" where context.isSigned: return FieldVerdict(name: "SIGNATURE_DATE")
    default: break
    }
    // A parameter in a secret field is judged by its own name, and by that of the field if it looks like a key.
    if let name, name.text.lowercased() != field, case .parameter = place.node.step {
      if isSecret(place.leaf, name, place, context) { return FieldVerdict(name: name.text) }
      guard naming.verdict(field) != .harmless, Self.isKey(value) else { return FieldVerdict(name: nil) }
      return FieldVerdict(name: field)
    }
    let whole = LeafName(text: field, kind: .field, node: place.index)
    return FieldVerdict(name: isSecret(place.leaf, whole, place, context) ? field : nil)
  }

  /// Returns the name of a leaf of `Authorization` (RFC 9110 11.6.2).
  private func authorization(_ place: LeafPlace, _ field: String) -> String? {
    let scheme = place.scheme ?? ""
    guard case .parameter(let key, _) = place.node.step else {
      // User and password of Basic are leaves of their own.
      if scheme == "basic" { return place.leaf.inner == nil ? "BASIC" : nil }
      let isPair = place.leaf.inner?.tree.nodes.first?.step == .parameter("user", 0)
      return !scheme.isEmpty && isPair ? nil : field
    }
    switch (scheme, key.lowercased()) {
    case ("digest", "response"), ("digest", "cnonce"), ("digest", "nc"): return "DIGEST_\(key)"
    case ("digest", _), (_, "realm"), (_, "algorithm"), (_, "headers"), (_, "keyid"), (_, "signedheaders"):
      return nil
    case (_, "signature"), (_, "oauth_signature"): return "SIGNATURE"
    case (_, "oauth_nonce"): return "SIGNATURE_NONCE"
    case (_, "oauth_timestamp"), (_, "created"), (_, "expires"), (_, "ts"): return "SIGNATURE_TIMESTAMP"
    case (_, "nonce"), (_, "mac"): return "SIGNATURE_\(key)"
    case (_, "oauth_signature_method"), (_, "oauth_version"), (_, "oauth_callback"): return nil
    case (let scheme, "credential") where scheme.hasPrefix("aws4-"): return "SIGNATURE_CREDENTIAL"
    default:
      let isSecret = naming.verdict(key) != .harmless || Self.isKey(place.leaf.value)
      return isSecret && !SecretValues.isTrivial(place.leaf.value) ? key : nil
    }
  }

  /// Returns the name of a user or a password in Basic credentials or a URL.
  func credentialsName(of place: LeafPlace) -> String? {
    guard case .parameter(let key, 0) = place.node.step, key == "user" || key == "password" else {
      return nil
    }
    let isBasic = place.node.parent < 0 && place.outer?.scheme == "basic"
    let isAuthority = place.isIn("authority")
    guard isBasic || isAuthority || place.isInCredentials else { return nil }
    let name = isAuthority ? "URL_PASSWORD" : "BASIC_PASSWORD"
    if place.isInCredentials, !isBasic {
      // Base64 of two words with a colon is also how identifiers are written: `User:1`.
      let isNamed =
        place.outer?.scheme != nil || place.outer?.name.map { naming.verdict($0.text) != .harmless } ?? false
      return key == "password" && (isNamed || Self.isKey(place.leaf.value)) ? name : nil
    }
    if key == "password" { return name }
    // A key may take the place of the user: Stripe, GitHub.
    let hasPassword = place.neighbours(of: place.index).contains { index in
      place.tree.nodes[index].step == .parameter("password", 0)
        && place.tree.nodes[index].leaf?.value.isEmpty == false
        && place.tree.nodes[index].leaf?.value != Array("x-oauth-basic".utf8)
    }
    return !hasPassword && SecretValues.isOpaque(place.leaf.value)
      && place.leaf.value.contains(where: \.isDigit)
      ? name : nil
  }

  /// Returns the name of a segment of a path that is a secret: a random one at most three behind a word such as `token`
  /// or `webhooks`.
  func segmentName(of place: LeafPlace) -> String? {
    guard case .index(let number) = place.node.step, number > 0, place.isIn("path")
    else { return nil }
    if let prefix = Self.segmentPrefixes.first(where: place.leaf.value.starts),
      Self.isToken(Array(place.leaf.value.dropFirst(prefix.count)))
    {
      return String(decoding: prefix.dropLast(), as: UTF8.self)
    }
    guard Self.isToken(place.leaf.value) else { return nil }
    for index in (max(place.node.parent + 1, place.index - 3)..<place.index).reversed() {
      guard let before = place.tree.nodes[index].leaf, !before.value.contains(where: \.isDigit) else {
        continue
      }
      let word = String(decoding: before.value, as: UTF8.self)
      let isSecret =
        Self.linkWords.contains(word.lowercased())
        || ![.harmless, .random].contains(naming.verdict(word))
          && !naming.allows(word)
      return isSecret ? word : nil
    }
    return nil
  }

  /// Returns the name of the object around `{"value": ...}` if that is one of a secret and the value looks like one:
  /// `"adminPassword": {"value": "x7"}`.
  func containerName(of place: LeafPlace) -> String? {
    let value = place.leaf.value
    guard case .member(let key) = place.node.step, key.lowercased() == "value", place.leaf.type == .text,
      let container = place.containerName, value.count >= 4, !SecretValues.isProse(value),
      !SecretValues.isURL(value),
      !SecretValues.isTrivial(value), value.contains(where: \.isLetter)
    else { return nil }
    switch naming.verdict(container) {
    case .named, .secret, .password: return container
    case .opaque, .credentials, .code: return SecretValues.isOpaque(value) ? container : nil
    default: return nil
    }
  }

  private static func isToken(_ segment: [UInt8]) -> Bool {
    SecretValues.isRandom(segment) || segment.count >= 32 && segment.allSatisfy(\.isHexDigit)
  }

  private static let linkWords: Set<String> = [
    "reset", "confirm", "verify", "activate", "invite", "unsubscribe", "magic", "share", "webhook",
    "webhooks", "hooks", "services", "workflows", "commands", "incomingwebhook",
  ]
  /// The starts of segments that are secrets: `private-0a1b...` of calendars.
  private static let segmentPrefixes = ["private-", "secret-", "token-", "key-"].map { Array($0.utf8) }

  // MARK: Cookies

  private static let sessionCookies = TextStarts(
    ["sess", "auth", "remember", "csrf", "xsrf", "aspnet", "loggedin", "ticket", "connectsid"].map {
      ($0, ())
    }
  )

  /// Returns the name of a cookie that is a secret: one of a session, or with a random value.
  func cookieName(_ name: String, _ value: [UInt8]) -> String? {
    guard !SecretValues.isTrivial(value) else { return nil }
    let verdict = naming.verdict(name)
    let words = NameWords(name)
    let isSession =
      verdict == .named || words.last.map { $0.hasSuffix("sid") } ?? false
      || words.contains(anyOf: Self.sessionCookies) && !words.contains("author")
      || [.secret, .password, .text, .opaque, .credentials].contains(verdict)
    let isDescribed = verdict != .named && NameWords.descriptions.contains(words.last ?? "")
    guard isSession && !isDescribed || isRandomCookie(value) else { return nil }
    return name.isEmpty ? "COOKIE" : name
  }

  private func isRandomCookie(_ value: [UInt8]) -> Bool {
    guard value.count >= 16 else { return false }
    // Tokens are joined by punctuation, also with escapes.
    let characters = value.filter { !$0.isOne(of: ".%:|!*~") }
    return Self.isKey(value) || characters.count >= 20 && SecretValues.isRandom(characters)
  }

  // MARK: Signatures

  /// Returns the name of a parameter of a signature in a URL or a form: it belongs to one request.
  func signatureParameter(_ name: LeafName, _ place: LeafPlace) -> String? {
    guard case .parameter(let key, _) = place.node.step, key.utf8.count <= 32,
      key.utf8.first?.isOne(of: "xXoOsSeEpPaAgG") == true
    else { return nil }
    let lower = key.lowercased()
    for prefix in ["x-amz-", "x-goog-", "oauth_"] where lower.hasPrefix(prefix) {
      let rest = String(lower.dropFirst(prefix.count))
      switch rest {
      case "signature": return "SIGNATURE"
      case "date", "expires", "credential", "nonce", "timestamp": return "SIGNATURE_\(rest)"
      case "security-token": return "SIGNATURE_SECURITY_TOKEN"
      default: return nil
      }
    }
    switch lower {
    case "sig", "se", "st", "skoid", "sktid", "skt", "ske", "sduoid":
      let names = place.neighbourNames(of: name.node).union([lower])
      guard names.isSuperset(of: ["sig", "sv"]) else { return nil }
      return lower == "sig" ? "SIGNATURE" : "SIGNATURE_\(lower)"
    case "signature", "expires", "policy", "awsaccesskeyid", "googleaccessid", "ossaccesskeyid":
      let names = place.neighbourNames(of: name.node).union([lower])
      guard names.contains("signature"), names.contains("expires") || names.contains("policy") else {
        return nil
      }
      return lower == "signature" ? "SIGNATURE" : "SIGNATURE_\(lower)"
    default: return nil
    }
  }

  // MARK: Short names

  private static let people: Set<String> = [
    "user", "username", "userid", "usr", "login", "email", "mail", "account", "accountnumber", "accountid",
    "card", "cardnumber", "customer", "customerid", "msisdn", "phone", "mobile", "uid", "uname", "benutzer",
    "usuario", "usuário", "utilisateur", "utente", "gebruiker", "identifier",
  ]

  private func isBesideCredentials(_ names: Set<String>) -> Bool {
    names.contains { name in
      if Self.people.contains(name) { return true }
      switch naming.verdict(name) {
      case .password, .code, .secret, .number, .named: return true
      default: return false
      }
    }
  }

  func isSecret(
    _ leaf: Leaf,
    _ short: SecretNaming.Short,
    _ name: LeafName,
    _ place: LeafPlace,
    _ context: Context
  ) -> Bool {
    let value = leaf.value
    guard name.kind != .field || short == .key || short == .signature, !SecretValues.isTrivial(value),
      leaf.type == .text || leaf.type == .number
    else {
      return false
    }
    let isText = leaf.type == .text
    // Read last: most values are no secrets anyway.
    var names: Set<String> { place.neighbourNames(of: name.node) }
    switch short {
    case .keyMaterial: return isText && value.count >= 8 && names.contains("kty")
    case .pin:
      return (3...12).contains(value.count) && value.allSatisfy(\.isDigit)
        && (context.logsIn || isBesideCredentials(names))
    case .cardNumber:
      return (12...19).contains(value.count(where: \.isDigit))
        && value.allSatisfy { $0.isDigit || $0 == 0x20 || $0 == UInt8(ascii: "-") }
        && !names.isDisjoint(with: Self.cardNames)
    case .code: return isCode(leaf, place, name, context)
    case .sessionID:
      guard isText, !Self.isResourceID(value) else { return false }
      return context.logsIn || Self.isKey(value) || SecretValues.isOpaque(value) && isBesideCredentials(names)
    case .key: return isText && Self.isKey(value) && names.isDisjoint(with: Self.objectNames)
    case .signature:
      // The signature of a package stands beside the name of a public key.
      return isText && value.count >= 16 && SecretValues.isOpaque(value) && !names.contains("keyid")
    case .state: return isText && isState(value, name, place, names)
    case .password:
      if context.logsIn || isBesideCredentials(names) { return isText || value.count >= 4 }
      return isText && SecretValues.isOpaque(value) && value.contains(where: \.isDigit)
    case .ticket:
      let isTicket = ["ST-", "PT-", "TGT-", "PGT-", "PGTIOU-"].contains { value.starts(with: $0.utf8) }
      return isText && (isTicket && value.count >= 8 || SecretValues.isRandom(value))
    }
  }

  private static let cardNames: Set<String> = [
    "cvv", "cvc", "cvv2", "expmonth", "expyear", "expiry", "expirydate", "brand",
  ]
  /// The names beside the key of a stored object.
  private static let objectNames: Set<String> = ["value", "etag", "size", "lastmodified"]
  private static let authorizationRequestNames: Set<String> = [
    "responsetype", "redirecturi", "clientid", "codechallenge", "idtoken",
  ]

  /// Whether a `state` or a `nonce` is one of an authorization (RFC 6749 4.1).
  private func isState(_ value: [UInt8], _ name: LeafName, _ place: LeafPlace, _ names: Set<String>) -> Bool {
    // `_nonce` of a form.
    if name.text.hasPrefix("_"), SecretValues.isOpaque(value) { return true }
    if !names.isDisjoint(with: Self.authorizationRequestNames) { return true }
    guard names.contains("code") else { return false }
    // `?code=US&state=CA` is a place.
    guard case .member = place.node.step else {
      return value.count >= 3 && !(value[0].isUpperCase && SecretValues.isOrdinaryWord(value))
    }
    return SecretValues.isOpaque(value)
  }

  private static let authorizationNames: Set<String> = [
    "state", "granttype", "redirecturi", "codeverifier", "clientid", "clientsecret", "sessionstate", "iss",
  ]

  /// Whether a `code` is one of an authorization (RFC 6749 4.1), or a password for one time.
  private func isCode(_ leaf: Leaf, _ place: LeafPlace, _ name: LeafName, _ context: Context) -> Bool {
    let value = leaf.value
    let isText = leaf.type == .text
    if isText, SecretValues.isRandom(value) { return true }
    guard isText || context.isRequest, value.count >= 3 else { return false }
    let names = place.neighbourNames(of: name.node)
    guard names.isDisjoint(with: ["error", "message", "errors", "msg", "status"]) else { return false }
    if isText, !names.isDisjoint(with: Self.authorizationNames) {
      guard case .member = place.node.step else { return true }
      return context.isRequest || SecretValues.isOpaque(value)
    }
    guard context.isRequest, context.logsIn || isBesideCredentials(names) else { return false }
    return (4...10).contains(value.count) && value.allSatisfy(\.isDigit)
      || isText && value.count >= 6 && value.contains(where: \.isDigit) && !value.contains(0x20)
  }

  /// The identifiers of Twilio name what they identify: `SM` and `AC` with 32 hexadecimal digits.
  private static func isResourceID(_ value: [UInt8]) -> Bool {
    value.count == 34 && value.prefix(2).allSatisfy(\.isUpperCase)
      && value.dropFirst(2).allSatisfy(\.isHexDigit)
  }
}

extension LeafPlace {
  /// Whether the leaf is the name or the password in Base64.
  var isInCredentials: Bool {
    guard node.parent < 0, outer != nil, outer?.leaf.inner?.coding != .same,
      case .parameter(let key, 0) = node.step
    else { return false }
    return key == "user" || key == "password"
  }

  /// The scheme of the credentials that the leaf is in, in lower case.
  var scheme: String? {
    guard tree.nodes.count > 1, case .parameter(let field, _) = tree.nodes[0].step,
      field.hasSuffix("authorization"),
      case .parameter(let scheme, _) = tree.nodes[1].step
    else { return nil }
    return scheme.lowercased()
  }
}
