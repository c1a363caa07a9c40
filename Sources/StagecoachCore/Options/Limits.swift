extension RequestOptions {
  static let connectTimeout = RequestOption<Duration?>("connectTimeout", default: .seconds(10))

  /// The maximum time to connect, including name resolution and TLS; 10 s by default, `nil` for no limit.
  public var connectTimeout: Duration? {
    get { self[Self.connectTimeout] }
    set { self[Self.connectTimeout] = newValue }
  }

  static let poolTimeout = RequestOption<Duration?>("poolTimeout", default: .seconds(30))

  /// The maximum time to wait for a free connection; 30 s by default, `nil` for no limit.
  public var poolTimeout: Duration? {
    get { self[Self.poolTimeout] }
    set { self[Self.poolTimeout] = newValue }
  }

  static let headTimeout = RequestOption<Duration?>("headTimeout", default: .seconds(30))

  /// The maximum time from the end of the request to the head of the response; 30 s by default, `nil` for no limit.
  public var headTimeout: Duration? {
    get { self[Self.headTimeout] }
    set { self[Self.headTimeout] = newValue }
  }

  static let idleTimeout = RequestOption<Duration?>("idleTimeout", default: .seconds(30))

  /// The maximum pause between two chunks of a body, in either direction, while the reader is waiting; 30 s by
  /// default, `nil` for no limit.
  public var idleTimeout: Duration? {
    get { self[Self.idleTimeout] }
    set { self[Self.idleTimeout] = newValue }
  }

  static let totalTimeout = RequestOption<Duration?>("totalTimeout", default: nil, distinguishes: false)

  /// The maximum time for the whole exchange, including its body and all attempts; no limit by default.
  ///
  /// Enforced by ``Client``; a ``Pipeline`` used without a client ignores it. When the time is up, the task of the
  /// exchange is cancelled; a stage that ignores cancellation delays the error.
  public var totalTimeout: Duration? {
    get { self[Self.totalTimeout] }
    set { self[Self.totalTimeout] = newValue }
  }

  package static let bodyLimit = RequestOption<Int>(
    "bodyLimit",
    default: 16 * 1024 * 1024,
    distinguishes: false
  )

  /// The maximum size of a response body collected in memory, in bytes; 16 MiB by default.
  public var bodyLimit: Int {
    get { self[Self.bodyLimit] }
    set { self[Self.bodyLimit] = newValue }
  }

  package static let errorBodyLimit = RequestOption<Int>(
    "errorBodyLimit",
    default: 64 * 1024,
    distinguishes: false
  )

  /// The maximum size of the part of a refused response's body that an error keeps, in bytes; 64 KiB by default.
  public var errorBodyLimit: Int {
    get { self[Self.errorBodyLimit] }
    set { self[Self.errorBodyLimit] = newValue }
  }

  static let requestHeadLimit = RequestOption<Int>("requestHeadLimit", default: 64 * 1024)

  /// The maximum size of a request's target and fields, in bytes; 64 KiB by default.
  public var requestHeadLimit: Int {
    get { self[Self.requestHeadLimit] }
    set { self[Self.requestHeadLimit] = newValue }
  }
}
