/// A secret that remains in a message, named by its placeholder.
public struct SecretLeak: Sendable, Hashable, CustomStringConvertible {
  /// The place, such as `reply body`.
  public let place: String
  /// The offset of the secret in bytes.
  public let offset: Int
  /// The placeholder that should replace the secret.
  public let placeholder: String

  /// The place and the placeholder.
  public var description: String { "\(place): \(placeholder) at byte \(offset)" }
}
