import HTTPTypes
public import StagecoachCore
import Synchronization

/// A stage that injects faults, for tests of the stages above it. Place it next to the transport.
///
/// ```swift
/// let faults = FaultInjection(.sequence([.refuse, .resetBeforeHead, nil]))
/// let client = try Client(Pipeline(over: transport) { Retry(); faults }, base: "http://test/")
/// let page = try await client.get("/", as: .text)  // the third attempt
/// ```
///
/// Retry above sees failures before the head of the response, but not those of the body: see ``Fault``.
///
/// Each injected fault is reported as an event, ``FaultHappened``.
public struct FaultInjection: Middleware {
  private final class Count: Sendable {
    private let next = Atomic(0)

    func take() -> Int { next.add(1, ordering: .relaxed).oldValue }
  }

  private let plan: FaultPlan
  private let count = Count()

  /// Creates a stage with a plan. Copies of the stage count requests together.
  public init(_ plan: FaultPlan) {
    self.plan = plan
  }

  /// Passes the request on with the faults of the plan.
  ///
  /// - Throws: The error that a transport throws for such a fault.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    let faults = plan.faults(of: count.take(), request)
    guard !faults.isEmpty else { return try await next(request) }
    let time = request.clock
    for fault in faults { request.emit(FaultHappened(fault: fault)) }
    if let response = try await beforeSending(request, faults, time) { return response }
    var response = try await next(request)
    for fault in faults {
      switch fault {
      case .resetBeforeHead, .garbage, .stallBeforeHead:
        response.body.cancel()
        throw try await failure(instead: fault, request, time)
      case .reset(let count), .truncate(let count), .stall(let count):
        let idle = request.options.idleTimeout
        response.pass { BrokenSource($0, fault, after: count, idle, time) }
      case .bandwidth(let rate):
        response.pass { ThrottledSource(BodyReader($0), bytesPerSecond: rate, time: time) }
      case .slowClose(let delay):
        response.pass { LateEndSource($0, delay, time) }
      default: break
      }
    }
    return response
  }

  private func beforeSending(
    _ request: Request,
    _ faults: [Fault],
    _ time: any TimeSource
  ) async throws -> Response? {
    for fault in faults {
      switch fault {
      case .latency(let delay, let jitter):
        let part = Double(request.randomNumberGenerator.next() >> 11) * 0x1p-52 - 1
        try await time.sleep(until: time.now + max(.zero, delay + jitter * part))
      case .refuse: throw unsent(.connectionRefused, "nothing listens at that address")
      case .unresolved: throw unsent(.nameResolution, "the host could not be resolved")
      case .tls(let reason): throw unsent(.tls(reason), "the TLS handshake failed")
      case .status(let code, let retryAfter):
        var response = Response(HTTPResponse.Status(code: code))
        if let retryAfter { response.fields[.retryAfter] = "\(retryAfter)" }
        return response
      default: break
      }
    }
    return nil
  }

  private func unsent(_ kind: ExchangeError.Kind, _ message: String) -> ExchangeError {
    var error = ExchangeError(kind, "\(message) (injected fault)")
    error.requestMayHaveBeenSent = false
    return error
  }

  private func failure(
    instead fault: Fault,
    _ request: Request,
    _ time: any TimeSource
  ) async throws -> ExchangeError {
    var error: ExchangeError
    switch fault {
    case .garbage: error = ExchangeError(.protocolViolation, "the peer sent invalid HTTP (injected fault)")
    case .stallBeforeHead:
      let limit = request.options.headTimeout
      try await time.sleep(until: time.now + (limit ?? .seconds(1 << 40)))
      error = .timeout(.head, after: limit ?? .zero)
    default:
      error = ExchangeError(
        .connectionReset,
        "the peer reset the connection before it responded (injected fault)"
      )
    }
    error.requestMayHaveBeenSent = true
    return error
  }
}

extension Response {
  /// Passes the body through another source. Its declared length is kept, and the events of the exchange count its
  /// bytes once.
  mutating func pass(through make: (Body) -> any BodySource) {
    let length = body.length
    body = Body(transforming: make(body), length: length)
  }
}

/// An event: a fault was injected.
public struct FaultHappened: StageEvent, Hashable {
  /// The fault.
  public let fault: Fault

  /// A description of the fault.
  public var description: String { "injected fault: \(fault)" }
}
