public import HTTPTypes

/// An error of an exchange: the stage that failed, the reason, the heads of the request and the response, and advice.
///
/// This is the only error type that the API of a client, a pipeline and a body throws, besides Swift's
/// `CancellationError` when the task is cancelled. A stage throws it with a kind and a message; the pipeline adds the
/// rest once, where it calls the stage.
///
/// ```swift
/// do {
///   let user: User = try await client.get("users/7")
/// } catch let error as ExchangeError where error.kind == .status {
///   print(error.response?.status as Any, String(decoding: error.bodyPrefix))
/// }
/// ```
public struct ExchangeError: Error {
  /// The kind of error.
  public var kind: Kind

  /// A one-sentence description of the error.
  public var message: String

  /// Advice on how to resolve the error; the default advice of the kind if the stage gives none.
  public var advice: String?

  /// The name of the stage that failed; empty until the pipeline has filled it in.
  public var stage: String

  /// The head of the request as the failing stage received it, without secrets.
  public var request: HTTPRequest?

  /// The head of the response, if there is one, without secrets.
  public var response: HTTPResponse?

  /// The first bytes of the response body, as far as they were received.
  public var bodyPrefix: Bytes

  /// The response body as decoded by the error model of the request; see ``decoded(as:)``.
  public var decodedBody: (any Sendable)?

  /// The limit that was exceeded, for kinds `timeout` and `limit`.
  public var limit: Limit?

  /// The time since the exchange started.
  public var elapsed: Duration?

  /// The number of attempts sent to a transport, over all hops.
  public var attempts: Int

  /// The number of redirects followed.
  public var hops: Int

  /// Whether any byte of the request may have reached the peer; `nil` if unknown.
  public var requestMayHaveBeenSent: Bool?

  /// Whether the failed connection had been reused, so that the server may have closed it just as the request was
  /// sent; `nil` if unknown (RFC 9112 9.3.1).
  public var connectionWasReused: Bool?

  /// The time to wait before sending the request again, if known.
  public var retryAfter: Duration?

  /// The underlying error, if any.
  public var underlying: (any Error)?

  /// Creates an error as a stage reports it. The pipeline fills in the other properties.
  public init(
    _ kind: Kind,
    _ message: String,
    advice: String? = nil,
    limit: Limit? = nil,
    underlying: (any Error)? = nil
  ) {
    self.kind = kind
    self.message = message
    self.advice = advice ?? kind.advice
    self.stage = ""
    self.bodyPrefix = Bytes()
    self.limit = limit
    self.attempts = 0
    self.hops = 0
    self.underlying = underlying
  }

  /// Returns the response body as decoded by the error model of the request, if it has this type.
  public func decoded<Model>(as type: Model.Type) -> Model? {
    decodedBody as? Model
  }

  /// Whether the failure is transient, so that sending the same request again may succeed.
  ///
  /// Whether a retry is safe is a separate question, which depends on the method and the body of the request.
  public var isTransient: Bool {
    switch kind {
    case .nameResolution, .connectionRefused, .connectionFailed, .connectionReset, .incompleteBody: true
    case .limit(.queue): true
    case .stageFailure(let failure): failure.isTransient
    case .timeout(let phase): phase != .total
    case .contentCoding(let reason): reason == .truncated
    case .status: response.map { Self.transientStatuses.contains($0.status.code) } ?? false
    default: false
    }
  }

  private static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// A limit that was exceeded.
  public struct Limit: Sendable, Hashable, CustomStringConvertible {
    /// The name of the option that sets the limit; `engine` for a limit of the engine that no option raises.
    public var option: String
    /// The value of the limit, with its unit.
    public var value: String

    /// Creates a limit.
    public init(option: String, value: String) {
      self.option = option
      self.value = value
    }

    /// The option and its value.
    public var description: String { "\(option) = \(value)" }
  }
}
