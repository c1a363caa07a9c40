public import HTTPTypes

/// What went wrong with an exchange: which stage failed, why, what was sent and received, and what to
/// do about it.
///
/// This is the one error that crosses the API of a client, a pipeline and a body; cancelling a task
/// throws Swift's `CancellationError` instead. A stage throws it with a kind and a message; the
/// pipeline adds the rest where it calls the stage, once.
///
/// ```swift
/// do {
///   let user: User = try await client.get("users/7")
/// } catch let error as ExchangeError where error.kind == .status {
///   print(error.response?.status as Any, String(decoding: error.bodyPrefix))
/// }
/// ```
public struct ExchangeError: Error {
  /// What kind of failure it is.
  public var kind: Kind

  /// What happened, in one sentence for a person.
  public var message: String

  /// What a person can do about it, if there is something to say; what its kind alone suggests where the stage says
  /// nothing.
  public var advice: String?

  /// The name of the stage that failed; empty until the pipeline has filled it in.
  public var stage: String

  /// The head of the request as the failing stage saw it, without secrets.
  public var request: HTTPRequest?

  /// The head of the response, if one came, without secrets.
  public var response: HTTPResponse?

  /// The start of the response body, as far as it was received and kept.
  public var bodyPrefix: Bytes

  /// The response body as the error model of the request decoded it; see ``decoded(as:)``.
  public var decodedBody: (any Sendable)?

  /// The limit that was reached, for kinds `timeout` and `limit`.
  public var limit: Limit?

  /// The time since the exchange started.
  public var elapsed: Duration?

  /// How many times a transport was asked, in all hops.
  public var attempts: Int

  /// How many redirects had been followed.
  public var hops: Int

  /// Whether any byte of the request may have reached the peer; nil where nobody knows.
  public var requestMayHaveBeenSent: Bool?

  /// Whether the connection that failed had served a request before, so that the server may have closed it
  /// just as this request was sent (RFC 9112 9.3.1); nil where nobody knows.
  public var connectionWasReused: Bool?

  /// The error underneath.
  public var underlying: (any Error)?

  /// A failure, as a stage states it; the pipeline fills in the rest.
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

  /// The response body decoded by the error model of the request, if it is of this type.
  public func decoded<Model>(as type: Model.Type) -> Model? {
    decodedBody as? Model
  }

  /// Whether sending the same request again may succeed: the failure is of a passing nature.
  ///
  /// It says nothing of whether that is safe, which is for the request's method and body to decide.
  public var isTransient: Bool {
    switch kind {
    case .nameResolution, .connectionRefused, .connectionFailed, .connectionReset, .incompleteBody: true
    case .circuitOpen, .limit(.queue): true
    case .timeout(let phase): phase != .total
    case .contentCoding(let reason): reason == .truncated
    case .status: response.map { Self.transientStatuses.contains($0.status.code) } ?? false
    default: false
    }
  }

  private static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// A limit that was reached.
  public struct Limit: Sendable, Hashable, CustomStringConvertible {
    /// The name of the option that sets it.
    public var option: String
    /// Its value, with the unit.
    public var value: String

    /// A limit.
    public init(option: String, value: String) {
      self.option = option
      self.value = value
    }

    /// The option and its value.
    public var description: String { "\(option) = \(value)" }
  }
}
