#if Tracing
  import HTTPTypes
  import Instrumentation
  public import StagecoachCore
  public import Tracing

  /// The stage that makes spans of swift-distributed-tracing, and tells servers of them.
  ///
  /// At the top of a pipeline it makes a span of each exchange; next to the transport one of each attempt, whose context
  /// the tracer puts into the fields of the request (`traceparent` and the like). The second are children of the first,
  /// as the first are of whatever span the caller is in.
  ///
  /// ```swift
  /// var pipeline = Pipeline.standard(over: transport)
  /// pipeline.prepend(TraceSpans(.exchange))
  /// pipeline.append(TraceSpans(.attempt))
  /// ```
  ///
  /// A span lasts until the body of the response has ended. Its attributes are those of the semantic conventions of
  /// OpenTelemetry: `http.request.method`, `url.full` (without secrets), `server.address`,
  /// `http.response.status_code`, `http.request.resend_count`, `error.type`.
  public struct TraceSpans: Middleware {
    /// What a span stands for.
    @nonexhaustive
    public enum Subject: Sendable, Hashable {
      /// A call with all its hops and attempts.
      case exchange
      /// One request on the wire.
      case attempt
    }

    private let subject: Subject
    private let tracer: (any Tracer)?

    /// A stage.
    ///
    /// - Parameters:
    ///   - subject: What a span stands for.
    ///   - tracer: Makes the spans; if nil, the one of the instrumentation system when a request comes.
    public init(_ subject: Subject, tracer: (any Tracer)? = nil) {
      self.subject = subject
      self.tracer = tracer
    }

    /// `TraceSpans(exchange)` or `TraceSpans(attempt)`.
    public var name: String { "TraceSpans(\(subject))" }

    /// Passes the request on within a span.
    public func handle(_ request: Request, next: Next) async throws -> Response {
      let tracer = tracer ?? InstrumentationSystem.tracer
      let span = tracer.startAnySpan(
        request.method.rawValue,
        ofKind: subject == .attempt ? .client : .internal
      )
      describe(request, span)
      let passed = subject == .attempt ? injected(request, span, tracer) : request
      do {
        var response = try await ServiceContext.withValue(span.context) { try await next(passed) }
        note(&response, span)
        return response
      } catch {
        Self.end(span, error)
        throw error
      }
    }

    private func describe(_ request: Request, _ span: any Span) {
      span.updateAttributes { attributes in
        attributes.set("http.request.method", value: .string(request.method.rawValue))
        attributes.set("url.full", value: .string(Redaction.url(of: request.head)))
        attributes.set("server.address", value: .string(request.head.authority.map(Self.host) ?? ""))
        if request.attempt > 1 {
          attributes.set("http.request.resend_count", value: .int32(request.attempt - 1))
        }
      }
    }

    /// The host of an authority, without user information and port.
    private static func host(_ authority: String) -> String {
      let host = authority.split(separator: "@").last ?? ""
      guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else { return String(host) }
      return String(host[..<colon])
    }

    private func injected(_ request: Request, _ span: any Span, _ tracer: any Tracer) -> Request {
      var request = request
      tracer.inject(span.context, into: &request.fields, using: FieldInjector())
      return request
    }

    private func note(_ response: inout Response, _ span: any Span) {
      let status = response.status
      span.updateAttributes { $0.set("http.response.status_code", value: .int64(Int64(status.code))) }
      if status.code >= 400 {
        span.updateAttributes { $0.set("error.type", value: .string("\(status.code)")) }
        span.setStatus(SpanStatus(code: .error))
      }
      response.body.onEnd { end in
        switch end {
        case .failed(let error): Self.end(span, error)
        default: span.end()
        }
      }
    }

    private static func end(_ span: any Span, _ error: any Error) {
      let error = error as? ExchangeError
      // Of an error the kind: its text shows what was sent and received.
      span.updateAttributes { $0.set("error.type", value: .string(error?.kind.description ?? "cancelled")) }
      span.setStatus(SpanStatus(code: .error))
      span.end()
    }
  }

  /// Puts what a tracer says into fields; what is no field is left out.
  private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout HTTPFields) {
      guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else { return }
      carrier[name] = value
    }
  }
#endif
