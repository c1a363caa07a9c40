/// The reason why a text is taken for a secret.
package struct SecretKind: Sendable, Hashable {
  /// Its place behind the name of an authentication scheme.
  static let credentials = SecretKind("credentials")
  /// A user with a password in a URL.
  static let urlPassword = SecretKind("URL password")
  /// A JSON Web Token (RFC 7519), signed or encrypted.
  static let jsonWebToken = SecretKind("JSON Web Token")
  /// A private key in PEM (RFC 7468) or of OpenPGP (RFC 9580 6.2).
  static let privateKey = SecretKind("private key")
  /// The number of a payment card.
  static let cardNumber = SecretKind("card number")
  /// The custom detector of the options.
  static let custom = SecretKind("custom")

  /// What it is, such as `GitHub token`.
  package let text: String

  init(_ text: String) { self.text = text }

  /// The name of placeholders.
  var placeholderName: String { Placeholder.name(from: text) }
}
