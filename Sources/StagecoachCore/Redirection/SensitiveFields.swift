public import HTTPTypes

extension RequestOptions {
  static let sensitiveFields = RequestOption<Set<HTTPField.Name>>("sensitiveFields", default: [])

  /// The names of request fields that are secrets for one origin, besides those whose name says so. Empty by default.
  ///
  /// A name says so that holds `token`, `secret`, `password`, `passphrase`, `api-key`, `auth-key`, `access-key`,
  /// `private-key`, `credential`, `signature`, `assertion`, `session`, `jwt` or `authorization`, or of which `auth`,
  /// `cookie` or `otp` is a word: Authorization, Cookie, `X-Api-Key`, `X-Auth` and `X-Amz-Security-Token` among them.
  /// Setting this adds to them and takes none out: ``RedirectProposal/allowSensitive`` is for those that are to go
  /// along.
  ///
  /// A redirect to another origin takes them out of the request, for the rest of the chain; errors, events and
  /// histories do not show their values.
  ///
  /// ```swift
  /// var request = Request.get("https://api.example.com/report")
  /// request.fields[HTTPField.Name("X-Team")!] = "s"
  /// request.options.sensitiveFields = [HTTPField.Name("X-Team")!]
  /// ```
  ///
  /// What the defaults of a client mark stays marked, whatever a request marks.
  public var sensitiveFields: Set<HTTPField.Name> {
    get { all(Self.sensitiveFields).reduce(into: []) { $0.formUnion($1) } }
    set { self[Self.sensitiveFields] = newValue }
  }
}
