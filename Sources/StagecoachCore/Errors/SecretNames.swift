import HTTPTypes

/// Which names speak of secrets: those of fields, of parameters in URLs and forms, of members and elements in content.
///
/// The one list: what errors, events and histories do not show, and what a redirect to another origin takes out.
enum SecretNames {
  /// Parts of names, whatever separates their words: `api-key`, `api_key` and `apiKey` hold `apikey`.
  private static let parts = [
    "token", "secret", "password", "passwd", "passphrase", "pwd", "signature", "apikey", "authkey",
    "accesskey",
    "privatekey", "credential", "session", "jwt", "assertion", "authorization",
  ].map { Array($0.utf8) }

  /// Words of names, which would say nothing as a part of another: `footpath` holds `otp`.
  private static let words = ["auth", "cookie", "otp"].map { Array($0.utf8) }

  /// What speaks of secrets in the names of parameters alone: an error's `code` is none, and a field's `key` seldom.
  private static let ofParameters: Set<String> = ["sig", "key", "code", "pass"]

  /// Whether a field is one that holds a secret, as far as its name tells.
  static func contains(_ name: HTTPField.Name) -> Bool { contains(name.rawName) }

  /// Whether a parameter of a URL or a form is one that holds a secret, as far as its name tells.
  static func contains(parameter name: Substring) -> Bool {
    let name = name.contains("%") ? Substring(decoding: name.utf8.percentDecoded, as: UTF8.self) : name
    let lowercased = name.lowercased()
    return ofParameters.contains(lowercased) || lowercased.contains("auth") || contains(name)
  }

  /// Whether a name speaks of secrets wherever it stands.
  static func contains(_ name: some StringProtocol) -> Bool {
    // The letters and digits in lower case, without what separates words.
    var letters: [UInt8] = []
    var start = 0
    func endsWord() -> Bool {
      defer { start = letters.count }
      return words.contains { $0.elementsEqual(letters[start...]) }
    }
    var wasLower = false
    for octet in name.utf8 {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet)
      let isPart = octet >= 0x80 || octet.isLetterOrDigit
      if !isPart || isUpper && wasLower, endsWord() { return true }
      if isPart { letters.append(isUpper ? octet | 0x20 : octet) }
      wasLower = isPart && !isUpper
    }
    return endsWord() || parts.contains { letters.firstRange(of: $0) != nil }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: false
    }
  }
}
