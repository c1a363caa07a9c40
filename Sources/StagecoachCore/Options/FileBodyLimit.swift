extension RequestOptions {
  package static let fileBodyLimit = RequestOption<Int64?>(
    "fileBodyLimit",
    default: 16 << 30,
    distinguishes: false
  )

  /// The maximum size of a response body written to a file, in bytes; 16 GiB by default, `nil` for no limit.
  ///
  /// ``RequestOptions/bodyLimit`` is the limit for bodies collected in memory.
  public var fileBodyLimit: Int64? {
    get { self[Self.fileBodyLimit] }
    set { self[Self.fileBodyLimit] = newValue }
  }
}
