#if Tracing
  import HTTPTypes
  import Instrumentation
  public import StagecoachCore
  public import Tracing

  /// A stage that creates spans of swift-distributed-tracing and propagates their context to servers.
  ///
  /// At the top of a pipeline it creates a span for each exchange; next to the transport, one for each attempt, whose
  /// context the tracer adds to the fields of the request (`traceparent` and the like). The spans of attempts are
  /// children of the span of the exchange, which is a child of the caller's span.
  ///
  /// ```swift
  /// var pipeline = Pipeline.standard(over: transport)
  /// pipeline.prepend(TraceSpans(.exchange))
  /// pipeline.append(TraceSpans(.attempt))
  /// ```
  ///
  /// A span ends when the body of the response has ended. Its attributes follow the semantic conventions of
  /// OpenTelemetry: `http.request.method`, `url.full` (without secrets), `server.address`,
  /// `http.response.status_code`, `http.request.resend_count`, `error.type`.
  public struct TraceSpans: Middleware {
    /// The subject of a span.
    @nonexhaustive
    public enum Subject: Sendable, Hashable {
      /// A call with all its hops and attempts.
      case exchange
      /// One request on the wire.
      case attempt
    }

    private let subject: Subject
    private let tracer: (any Tracer)?

    /// Creates a stage.
    ///
    /// - Parameters:
    ///   - subject: The subject of the spans.
    ///   - tracer: The tracer; if `nil`, the one of the instrumentation system at the time of a request.
    public init(_ subject: Subject, tracer: (any Tracer)? = nil) {
      self.subject = subject
      self.tracer = tracer
    }

    /// The name of the stage: `TraceSpans(exchange)` or `TraceSpans(attempt)`.
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
        attributes.set("server.address", value: .string(TargetURI.Origin(request.head)?.host ?? ""))
        if request.attempt > 1 {
          attributes.set("http.request.resend_count", value: .int32(request.attempt - 1))
        }
      }
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

  /// Adds the context of a tracer to fields; anything that is not a valid field is skipped.
  private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout HTTPFields) {
      guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else { return }
      carrier[name] = value
    }
  }
#endif
