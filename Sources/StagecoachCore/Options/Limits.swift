extension RequestOptions {
  static let connectTimeout = RequestOption<Duration?>("connectTimeout", default: .seconds(10))

  /// The longest time to connect, with name resolution and TLS; 10 s by default, nil for no limit.
  public var connectTimeout: Duration? {
    get { self[Self.connectTimeout] }
    set { self[Self.connectTimeout] = newValue }
  }

  static let poolTimeout = RequestOption<Duration?>("poolTimeout", default: .seconds(30))

  /// The longest time to wait for a free connection; 30 s by default, nil for no limit.
  public var poolTimeout: Duration? {
    get { self[Self.poolTimeout] }
    set { self[Self.poolTimeout] = newValue }
  }

  static let headTimeout = RequestOption<Duration?>("headTimeout", default: .seconds(30))

  /// The longest time from the end of the request to the head of the response; 30 s by default, nil for
  /// no limit.
  public var headTimeout: Duration? {
    get { self[Self.headTimeout] }
    set { self[Self.headTimeout] = newValue }
  }

  static let idleTimeout = RequestOption<Duration?>("idleTimeout", default: .seconds(30))

  /// The longest pause between two chunks of a body, in either direction, while the reader waits; 30 s
  /// by default, nil for no limit.
  public var idleTimeout: Duration? {
    get { self[Self.idleTimeout] }
    set { self[Self.idleTimeout] = newValue }
  }

  static let totalTimeout = RequestOption<Duration?>("totalTimeout", default: nil)

  /// The longest time for the whole exchange with its body, across all attempts; off by default.
  ///
  /// ``Client`` keeps it; a request that is given to a ``Pipeline`` has nobody who would.
  /// At its end the task of the exchange is cancelled, and a stage that ignores this is waited for.
  public var totalTimeout: Duration? {
    get { self[Self.totalTimeout] }
    set { self[Self.totalTimeout] = newValue }
  }

  package static let bodyLimit = RequestOption<Int>("bodyLimit", default: 16 * 1024 * 1024)

  /// The most bytes of a response body that are collected in memory; 16 MiB by default.
  public var bodyLimit: Int {
    get { self[Self.bodyLimit] }
    set { self[Self.bodyLimit] = newValue }
  }

  static let errorBodyLimit = RequestOption<Int>("errorBodyLimit", default: 64 * 1024)

  /// The most bytes of a refused response's body that an error keeps; 64 KiB by default.
  public var errorBodyLimit: Int {
    get { self[Self.errorBodyLimit] }
    set { self[Self.errorBodyLimit] = newValue }
  }

  static let requestHeadLimit = RequestOption<Int>("requestHeadLimit", default: 64 * 1024)

  /// The most bytes of a request's target and fields; 64 KiB by default.
  public var requestHeadLimit: Int {
    get { self[Self.requestHeadLimit] }
    set { self[Self.requestHeadLimit] = newValue }
  }
}
