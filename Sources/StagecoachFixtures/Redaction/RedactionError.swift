/// The reason why a recording is not written. It contains no secret.
@nonexhaustive
public enum RedactionError: Error, Sendable, Hashable {
  /// A body, a field value or a target is larger than this number of bytes.
  case tooLarge(limit: Int)
  /// A part of a message has more values than this limit.
  case tooManyValues(limit: Int)
  /// There are more secrets than this number.
  case tooManySecrets(limit: Int)
  /// Messages still contain secrets.
  case leaked([SecretLeak])
}

extension RedactionError: CustomStringConvertible {
  /// A description without secrets.
  public var description: String {
    switch self {
    case .tooLarge(let limit): "a message has a part of more than \(limit) bytes, which cannot be redacted"
    case .tooManyValues(let limit):
      "a message has a part with more than \(limit) values, which cannot be redacted"
    case .tooManySecrets(let limit): "there are more than \(limit) secrets"
    case .leaked(let leaks):
      "secrets remain: "
        + leaks.prefix(20).map(\.description).joined(separator: "; ")
        + (leaks.count > 20 ? "; and \(leaks.count - 20) more" : "")
    }
  }
}
