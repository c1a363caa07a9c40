/// Why a credential cannot be sent.
@nonexhaustive
public enum CredentialError: Error, Sendable, Hashable {
  /// The user's name holds a colon, which Basic cannot carry (RFC 7617 2).
  case colonInUser
  /// The user's name holds a control character (RFC 7617 2, RFC 9110 5.5).
  case controlCharacterInUser
  /// The password holds a control character (RFC 7617 2).
  case controlCharacterInPassword
  /// The name, the password or the realm has a character that the charset has no place for.
  case unencodable(charset: String)
}

extension CredentialError: CustomStringConvertible {
  /// What is wrong, for a person, without the credential.
  public var description: String {
    switch self {
    case .colonInUser: "the user's name holds a colon, which the Basic scheme cannot carry (RFC 7617 2)"
    case .controlCharacterInUser: "the user's name holds a control character"
    case .controlCharacterInPassword: "the password holds a control character"
    case .unencodable(let charset): "the credential holds a character that \(charset) has no place for"
    }
  }
}
