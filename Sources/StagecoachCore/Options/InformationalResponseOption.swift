package import HTTPTypes

extension RequestOptions {
  private static let informational = RequestOption<(@Sendable (HTTPResponse) -> Void)?>(
    "informationalResponseHandler",
    default: nil,
    distinguishes: false
  )

  /// Receives each informational response with all its fields, where the event shows no secrets.
  package var informationalResponseHandler: (@Sendable (HTTPResponse) -> Void)? {
    get { self[Self.informational] }
    set { self[Self.informational] = newValue }
  }
}
