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

  /// How the request uses the ``Cache`` of its client; as RFC 9111 says by default.
  public var cacheMode: CacheMode {
    get { self[Self.cacheMode] }
    set { self[Self.cacheMode] = newValue }
  }
}
