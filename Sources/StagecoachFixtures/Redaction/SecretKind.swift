/// The reason why a text is taken for a secret.
package enum SecretKind: String, Sendable, Hashable, CaseIterable {
  /// The name of its field, parameter, member, element or cookie.
  case name
  /// Its place behind the name of an authentication scheme.
  case credentials
  /// A user with a password in a URL.
  case urlPassword = "URL password"
  /// A JSON Web Token (RFC 7519).
  case jsonWebToken = "JSON Web Token"
  /// A private key in PEM (RFC 7468).
  case privateKey = "private key"
  /// An access key of AWS.
  case awsKey = "AWS key"
  /// A token of GitHub.
  case gitHubToken = "GitHub token"
  /// A token of GitLab.
  case gitLabToken = "GitLab token"
  /// A token or a webhook of Slack.
  case slackToken = "Slack token"
  /// A secret key of Stripe.
  case stripeKey = "Stripe key"
  /// A key or a token of Google.
  case googleKey = "Google key"
  /// The number of a payment card.
  case cardNumber = "card number"
  /// The custom detector of the options.
  case custom

  /// The name of placeholders.
  var placeholderName: String { Placeholder.name(from: rawValue) }

  /// The kind of the secrets with a placeholder name.
  init(placeholderName: String) {
    self = Self.allCases.first { $0.placeholderName == placeholderName } ?? .name
  }
}
