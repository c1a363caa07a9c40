extension RequestOptions {
  private static let keepsContentCoding = RequestOption<Bool>("keepsContentCoding", default: false)

  /// Whether the body is wanted with the content codings that the server gave it (RFC 9110 8.4.1), as for a file that
  /// is to be what the server published; `false` by default.
  package var keepsContentCoding: Bool {
    get { self[Self.keepsContentCoding] }
    set { self[Self.keepsContentCoding] = newValue }
  }
}
