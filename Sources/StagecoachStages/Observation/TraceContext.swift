package import HTTPTypes
public import StagecoachCore

/// A stage that adds trace context to requests: it sets `traceparent` (W3C Trace Context).
///
/// A request that has the field, or whose option ``RequestOptions/traceParent`` is set, becomes a span of that trace;
/// `tracestate` is passed on unchanged. Any other request starts a trace. Below Redirects and Retry each hop and
/// attempt is a separate span.
///
/// ```swift
/// var pipeline = Pipeline.standard(over: transport)
/// pipeline.append(TraceContext())
/// var request = Request.get("http://example.com/")
/// request.options.traceParent = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
/// ```
///
/// Identifiers are taken from the random source of the client. A tracing system that provides identifiers does not
/// need this stage.
public struct TraceContext: Middleware {
  /// Whether new traces are marked as sampled.
  public var samples: Bool
  /// Whether a request without a trace starts one; otherwise it is passed on unchanged.
  public var startsTraces: Bool

  /// Creates a stage.
  ///
  /// - Parameters:
  ///   - samples: Whether new traces are marked as sampled; `false` by default.
  ///   - startsTraces: Whether a request without a trace starts one; `true` by default.
  public init(samples: Bool = false, startsTraces: Bool = true) {
    self.samples = samples
    self.startsTraces = startsTraces
  }

  /// Sets the field and passes the request on.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    try await next(traced(request))
  }

  @inline(never)
  private func traced(_ request: Request) -> Request {
    let values = request.fields.filter { $0.name == .traceparent }.map(\.value)
    // Several fields are treated as none (3.2).
    let parent = values.count == 1 ? TraceParent(values[0]) : nil
    let random = request.randomNumberGenerator
    var request = request
    // A state without its parent is meaningless (3.3).
    if parent == nil, !values.isEmpty || request.options.traceParent == nil {
      request.fields[.traceparent] = nil
      request.fields[.tracestate] = nil
    }
    let current: TraceParent
    if let above = parent ?? request.options.traceParent {
      current = above.child(random: random)
    } else if startsTraces {
      current = TraceParent(isSampled: samples, random: random)
    } else {
      return request
    }
    request.fields[.traceparent] = current.description
    return request
  }
}

extension RequestOptions {
  static let traceParent = RequestOption<TraceParent?>("traceParent", default: nil)

  /// The parent span of a request without a `traceparent` field; `nil` by default.
  public var traceParent: TraceParent? {
    get { self[Self.traceParent] }
    set { self[Self.traceParent] = newValue }
  }
}

extension HTTPField.Name {
  package static let baggage = HTTPField.Name("baggage")!
}
