package import HTTPTypes

/// The names that indicate secrets: of fields, of parameters in URLs and forms, of members and elements in content.
///
/// This is the only such list: errors, events and histories hide these values, a redirect to another origin removes
/// them, and recorded fixtures replace them.
package enum SecretNames {
  /// Parts of names, without word separators: `api-key`, `api_key` and `apiKey` contain `apikey`.
  package static let parts = [
    "token", "secret", "password", "passwd", "passphrase", "passcode", "pwd", "signature", "credential",
    "session",
    "jwt", "assertion", "authorization", "csrf", "xsrf", "hmac", "mnemonic", "seedphrase", "recoveryphrase",
    "samlresponse", "viewstate", "eventvalidation", "connectionstring",
    // Keys.
    "apikey", "authkey", "accesskey", "privatekey", "accountkey", "encryptionkey", "subscriptionkey",
    "functionskey",
    "applicationkey", "appkey", "masterkey", "signingkey", "sharedkey", "licensekey", "consumerkey",
    "integrationkey", "presharedkey",
    // Codes that are used once, and what proves who asked for them.
    "authcode", "devicecode", "usercode", "verificationcode", "securitycode", "recoverycode", "backupcode",
    "accesscode", "activationcode", "mfacode", "smscode", "resetcode", "twofactorcode", "codeverifier",
    "codechallenge", "oauthverifier",
    // Password, token, secret and key in other languages.
    "passwort", "kennwort", "geheimnis", "motdepasse", "contraseña", "contrasena", "palavrapasse",
    "wachtwoord",
    "lösenord", "losenord", "adgangskode", "salasana", "şifre", "пароль", "токен", "секрет", "密码", "密碼",
    "口令", "令牌", "密钥", "密鑰", "パスワード", "トークン", "秘密鍵", "暗証番号", "비밀번호", "비밀키", "토큰",
    "zugangscode", "losungswort", "zugriffsschlüssel", "zugriffsschluessel", "toegangscode", "parolachiave",
    "paroladordine", "kodeord", "hemlighet", "hemmelighed", "salaisuus", "jelszó", "jelszo", "lozinka",
    "katasandi", "matkhau", "mậtkhẩu", "κωδικόςπρόσβασης", "كلمةالمرور", "كلمةالسر", "סיסמה", "पासवर्ड",
    "รหัสผ่าน",
  ]

  private static let partOctets = parts.map { Array($0.utf8) }

  /// Whole words of names, which mean nothing as part of another word: `footpath` contains `otp`.
  package static let words = [
    "auth", "cookie", "otp", "totp", "hotp", "psk", "cvv", "cvc",
    "senha", "hasło", "haslo", "heslo", "passord", "sifre", "segredo", "segreto", "secreto", "sekret",
    "jeton",
    "mdp", "geheim", "hemmelig", "parolă", "κωδικός", "κωδικος", "암호",
  ]

  private static let wordOctets = words.map { Array($0.utf8) }

  /// Names that indicate secrets only for parameters: an error's `code` is not secret, and a field's `key` rarely is.
  private static let ofParameters: Set<String> = ["sig", "key", "code", "pass", "pin", "form_key"]

  /// Returns whether the name of a field indicates a secret.
  package static func contains(_ name: HTTPField.Name) -> Bool { contains(name.rawName) }

  /// Returns whether the name of a URL or form parameter indicates a secret.
  package static func contains(parameter name: Substring) -> Bool {
    let name = name.contains("%") ? Substring(decoding: name.utf8.percentDecoded, as: UTF8.self) : name
    let lowercased = name.lowercased()
    return ofParameters.contains(lowercased) || lowercased.contains("auth") || contains(name)
  }

  /// Returns whether a name indicates a secret in any context.
  package static func contains(_ name: some StringProtocol) -> Bool {
    name.utf8.allSatisfy { $0 < 0x80 } ? contains(name.utf8) : contains(name.lowercased().utf8)
  }

  private static func contains(_ name: some Sequence<UInt8>) -> Bool {
    // The letters and digits in lower case, without word separators.
    var letters: [UInt8] = []
    var start = 0
    func endsWord() -> Bool {
      defer { start = letters.count }
      return wordOctets.contains { $0.elementsEqual(letters[start...]) }
    }
    var wasLower = false
    for octet in name {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet)
      let isPart = octet >= 0x80 || octet.isLetterOrDigit
      if !isPart || isUpper && wasLower, endsWord() { return true }
      if isPart { letters.append(isUpper ? octet | 0x20 : octet) }
      wasLower = isPart && !isUpper
    }
    return endsWord() || partOctets.contains { letters.firstRange(of: $0) != nil }
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
