/// The most bytes of a response body that are written to a file; 16 GiB by default, nil for no limit.
///
/// ``BodyLimit`` is for bodies that are collected in memory.
public enum FileBodyLimit: RequestOptionKey {
  /// 16 GiB.
  public static let defaultValue: Int64? = 16 << 30
  /// `fileBodyLimit`
  public static let name = "fileBodyLimit"
}

extension RequestOptions {
  /// See ``FileBodyLimit``.
  public var fileBodyLimit: Int64? {
    get { self[FileBodyLimit.self] }
    set { self[FileBodyLimit.self] = newValue }
  }
}
