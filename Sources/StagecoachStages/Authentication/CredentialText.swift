import StagecoachCore

/// A name and a password in the form in which they are hashed and sent: without control characters, in normalization
/// form C (RFC 7617 2.1, RFC 7616 4).
struct CredentialText {
  let user: String
  let password: String
  let charset: Charset

  init(user: String, password: String, charset: Charset) throws(CredentialError) {
    guard !user.utf8.contains(where: Self.isControl) else { throw .controlCharacterInUser }
    guard !password.utf8.contains(where: Self.isControl) else { throw .controlCharacterInPassword }
    self.user = user.precomposed
    self.password = password.precomposed
    self.charset = charset
  }

  func octets(_ text: String) throws(CredentialError) -> [UInt8] {
    do { return try charset.encode(text) } catch { throw .unencodable(charset: charset.name) }
  }

  private static func isControl(_ octet: UInt8) -> Bool { octet < 0x20 || octet == 0x7F }
}
