/// The longest time to connect, with name resolution and TLS; 10 s by default, nil for no limit.
public enum ConnectTimeout: RequestOptionKey {
  /// 10 s.
  public static let defaultValue: Duration? = .seconds(10)
  /// `connectTimeout`
  public static let name = "connectTimeout"
}

/// The longest time to wait for a free connection; 30 s by default, nil for no limit.
public enum PoolTimeout: RequestOptionKey {
  /// 30 s.
  public static let defaultValue: Duration? = .seconds(30)
  /// `poolTimeout`
  public static let name = "poolTimeout"
}

/// The longest time from the end of the request to the head of the response; 30 s by default, nil for
/// no limit.
public enum HeadTimeout: RequestOptionKey {
  /// 30 s.
  public static let defaultValue: Duration? = .seconds(30)
  /// `headTimeout`
  public static let name = "headTimeout"
}

/// The longest pause between two chunks of a body, in either direction, while the reader waits; 30 s
/// by default, nil for no limit.
public enum IdleTimeout: RequestOptionKey {
  /// 30 s.
  public static let defaultValue: Duration? = .seconds(30)
  /// `idleTimeout`
  public static let name = "idleTimeout"
}

/// The longest time for the whole exchange with its body, across all attempts; off by default.
///
/// ``Client`` keeps it; a request that is given to a ``Pipeline`` has nobody who would.
/// At its end the task of the exchange is cancelled, and a stage that ignores this is waited for.
public enum TotalTimeout: RequestOptionKey {
  /// No limit.
  public static let defaultValue: Duration? = nil
  /// `totalTimeout`
  public static let name = "totalTimeout"
}

/// The most bytes of a response body that are collected in memory; 16 MiB by default.
public enum BodyLimit: RequestOptionKey {
  /// 16 MiB.
  public static let defaultValue = 16 * 1024 * 1024
  /// `bodyLimit`
  public static let name = "bodyLimit"
}

/// The most bytes of a refused response's body that an error keeps; 64 KiB by default.
public enum ErrorBodyLimit: RequestOptionKey {
  /// 64 KiB.
  public static let defaultValue = 64 * 1024
  /// `errorBodyLimit`
  public static let name = "errorBodyLimit"
}

/// The most bytes of a request's target and fields; 64 KiB by default.
public enum RequestHeadLimit: RequestOptionKey {
  /// 64 KiB.
  public static let defaultValue = 64 * 1024
  /// `requestHeadLimit`
  public static let name = "requestHeadLimit"
}

extension RequestOptions {
  /// See ``ConnectTimeout``.
  public var connectTimeout: Duration? {
    get { self[ConnectTimeout.self] }
    set { self[ConnectTimeout.self] = newValue }
  }

  /// See ``PoolTimeout``.
  public var poolTimeout: Duration? {
    get { self[PoolTimeout.self] }
    set { self[PoolTimeout.self] = newValue }
  }

  /// See ``HeadTimeout``.
  public var headTimeout: Duration? {
    get { self[HeadTimeout.self] }
    set { self[HeadTimeout.self] = newValue }
  }

  /// See ``IdleTimeout``.
  public var idleTimeout: Duration? {
    get { self[IdleTimeout.self] }
    set { self[IdleTimeout.self] = newValue }
  }

  /// See ``TotalTimeout``.
  public var totalTimeout: Duration? {
    get { self[TotalTimeout.self] }
    set { self[TotalTimeout.self] = newValue }
  }

  /// See ``BodyLimit``.
  public var bodyLimit: Int {
    get { self[BodyLimit.self] }
    set { self[BodyLimit.self] = newValue }
  }

  /// See ``ErrorBodyLimit``.
  public var errorBodyLimit: Int {
    get { self[ErrorBodyLimit.self] }
    set { self[ErrorBodyLimit.self] = newValue }
  }

  /// See ``RequestHeadLimit``.
  public var requestHeadLimit: Int {
    get { self[RequestHeadLimit.self] }
    set { self[RequestHeadLimit.self] = newValue }
  }
}
