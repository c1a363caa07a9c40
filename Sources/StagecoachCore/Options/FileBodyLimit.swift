extension RequestOptions {
  static let fileBodyLimit = RequestOption<Int64?>("fileBodyLimit", default: 16 << 30)

  /// The most bytes of a response body that are written to a file; 16 GiB by default, nil for no limit.
  ///
  /// ``RequestOptions/bodyLimit`` is for bodies that are collected in memory.
  public var fileBodyLimit: Int64? {
    get { self[Self.fileBodyLimit] }
    set { self[Self.fileBodyLimit] = newValue }
  }
}
