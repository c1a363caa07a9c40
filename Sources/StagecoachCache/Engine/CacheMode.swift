public import StagecoachCore

/// How a request uses a cache, as the Fetch standard names it.
public enum CacheMode: String, Sendable, Hashable, CaseIterable {
  /// As RFC 9111 says: a fresh response is used, a stale one is validated.
  case `default`
  /// Neither read nor written.
  case noStore
  /// Not read, but written: the request goes to the origin with `Cache-Control: no-cache`.
  case reload
  /// A stored response is validated before it is used, unless it is fresh and `immutable` (RFC 8246).
  case noCache
  /// Any stored response is used, fresh or stale; without one the request goes to the origin.
  case forceCache
  /// Any stored response is used, fresh or stale; without one the answer is 504 (RFC 9111 5.2.1.7).
  case onlyIfCached
}

extension RequestOptions {
  static let cacheMode = RequestOption<CacheMode>("cacheMode", default: .default)
  static let cachePartition = RequestOption<String?>("cachePartition", default: nil)

  /// How the request uses the ``Cache`` of its client; as RFC 9111 says by default.
  public var cacheMode: CacheMode {
    get { self[Self.cacheMode] }
    set { self[Self.cacheMode] = newValue }
  }

  /// Whose responses the request may get from the ``Cache``, and to whom its own is given: requests of different
  /// partitions share nothing.
  ///
  /// If it is `nil`, which is the default, a private cache takes a hash of whom `Authentication` answers for, or of
  /// the Authorization field of the caller. A shared cache has one partition unless this is set.
  public var cachePartition: String? {
    get { self[Self.cachePartition] }
    set { self[Self.cachePartition] = newValue }
  }
}
