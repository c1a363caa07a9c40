import HTTPTypes

/// The stage that tells each server where its request belongs in a distributed trace (W3C Trace Context): it sets
/// `traceparent`.
///
/// A request that has the field, or whose option ``RequestOptions/traceParent`` is set, gets a span of that trace;
/// `tracestate` is passed on as it is. Any other begins a trace. Below Redirects and Retry each hop and attempt is
/// a span of its own.
///
/// ```swift
/// var pipeline = Pipeline.standard(over: transport)
/// pipeline.append(TraceContext())
/// var request = Request.get("http://example.com/")
/// request.options.traceParent = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
/// ```
///
/// Identifiers come from the random source of the client. A tracing system brings its own identifiers: then this
/// stage is not needed.
public struct TraceContext: Middleware {
  /// Whether traces that begin here are marked as recorded.
  public var samples: Bool
  /// Whether a request without a trace begins one; else it is passed on as it is.
  public var startsTraces: Bool

  /// A stage.
  ///
  /// - Parameters:
  ///   - samples: Whether traces that begin here are marked as recorded; false by default.
  ///   - startsTraces: Whether a request without a trace begins one; true by default.
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
    // Several are none (3.2).
    let parent = values.count == 1 ? TraceParent(values[0]) : nil
    let random = request.random
    var request = request
    // A state without its parent says nothing (3.3).
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

  /// Which span a request belongs to, where it has no `traceparent` field; none by default.
  public var traceParent: TraceParent? {
    get { self[Self.traceParent] }
    set { self[Self.traceParent] = newValue }
  }
}

extension HTTPField.Name {
  static let baggage = HTTPField.Name("baggage")!
}
