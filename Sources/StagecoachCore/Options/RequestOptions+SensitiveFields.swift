public import HTTPTypes

extension RequestOptions {
  static let sensitiveFields = RequestOption<Set<HTTPField.Name>>("sensitiveFields", default: [])

  /// The names of request fields that are secret and meant for one origin, in addition to the built-in ones; empty by
  /// default.
  ///
  /// A field is sensitive without being listed here if its name contains `token`, `secret`, `password`, `passphrase`,
  /// `api-key` or another secret key, `credential`, `signature`, `assertion`, `session`, `jwt`, `csrf` or
  /// `authorization`, or the word `auth`, `cookie` or `otp`; for example Authorization, Cookie, `X-Api-Key`, `X-Auth`
  /// and `X-Amz-Security-Token`. This option only adds names; to let a field follow a redirect, use
  /// ``RedirectProposal/allowSensitive``.
  ///
  /// A redirect to another origin removes these fields from the request, for the rest of the chain. Errors, events and
  /// histories do not show their values.
  ///
  /// ```swift
  /// var request = Request.get("https://api.example.com/report")
  /// request.fields[HTTPField.Name("X-Team")!] = "s"
  /// request.options.sensitiveFields = [HTTPField.Name("X-Team")!]
  /// ```
  ///
  /// A request cannot unmark fields that the defaults of its client mark.
  public var sensitiveFields: Set<HTTPField.Name> {
    get { all(Self.sensitiveFields).reduce(into: []) { $0.formUnion($1) } }
    set { self[Self.sensitiveFields] = newValue }
  }
}
