import StagecoachCore

/// The reason that a credential cannot be sent.
@nonexhaustive
public enum CredentialError: Error, Sendable, Hashable {
  /// The user name contains a colon, which is not allowed in Basic (RFC 7617 2).
  case colonInUser
  /// The user name contains a control character (RFC 7617 2, RFC 9110 5.5).
  case controlCharacterInUser
  /// The password contains a control character (RFC 7617 2).
  case controlCharacterInPassword
  /// The name, the password or the realm contains a character that is not in the charset.
  case unencodable(charset: String)
}

extension CredentialError: CustomStringConvertible {
  /// A description without the credential.
  public var description: String {
    switch self {
    case .colonInUser: "the user name contains a colon, which is not allowed in the Basic scheme (RFC 7617 2)"
    case .controlCharacterInUser: "the user name contains a control character"
    case .controlCharacterInPassword: "the password contains a control character"
    case .unencodable(let charset): "the credential contains a character that is not in \(charset)"
    }
  }
}
