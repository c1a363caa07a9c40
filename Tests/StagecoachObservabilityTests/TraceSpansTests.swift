#if Tracing
  import HTTPTypes
  import InMemoryTracing
  import Instrumentation
  import Stagecoach
  import StagecoachObservability
  import Testing
  import Tracing

  @Suite struct TraceSpansTests {
    private let tracer = InMemoryTracer()

    /// Sends each attempt again while the answer is 503.
    private struct Again: Middleware {
      func handle(_ request: Request, next: Next) async throws -> Response {
        var request = request
        while true {
          let response = try await next(request)
          guard response.status.code == 503 else { return response }
          await response.body.discard()
          request.attempt += 1
        }
      }
    }

    private func pipeline(_ handler: @escaping @Sendable (Request) async throws -> Response) -> (
      Pipeline, HandlerTransport
    ) {
      let transport = HandlerTransport(handler)
      return (
        Pipeline(over: transport) {
          TraceSpans(.exchange, tracer: tracer)
          Again()
          TraceSpans(.attempt, tracer: tracer)
        }, transport
      )
    }

    @Test func aSpanOfTheExchangeAndOneOfEachAttempt() async throws {
      let (pipeline, transport) = pipeline { request in
        Response(request.attempt == 1 ? .serviceUnavailable : .ok, body: .bytes("abc"))
      }
      let request = Request(
        head: HTTPRequest(method: .get, scheme: "http", authority: "h:8080", path: "/?token=hush")
      )
      let response = try await pipeline.send(request)
      // It lasts until the body has ended.
      #expect(tracer.finishedSpans.count == 1)
      _ = try await response.body.collect(upTo: 10)
      let spans = tracer.finishedSpans
      #expect(spans.map(\.kind) == [.client, .client, .internal])
      let exchange = try #require(spans.first { $0.kind == .internal })
      let attempts = spans.filter { $0.kind == .client }
      #expect(attempts.map(\.parentSpanID) == [exchange.spanID, exchange.spanID])
      #expect(Set(spans.map(\.traceID)).count == 1)
      #expect(attempts.map { $0.attributes.get("http.response.status_code") } == [.int64(503), .int64(200)])
      #expect(attempts.map { $0.attributes.get("http.request.resend_count") } == [nil, .int32(1)])
      #expect(attempts.first?.status?.code == .error)
      #expect(attempts.last?.status == nil)
      #expect(exchange.attributes.get("url.full") == .string("http://h:8080/?token=[redacted]"))
      #expect(exchange.attributes.get("server.address") == .string("h"))
      // Each attempt tells the server of its own span.
      let sent = transport.requests.map { $0.fields[HTTPField.Name(InMemoryTracer.spanIDKey)!] }
      #expect(sent == attempts.map(\.spanID))
    }

    @Test func aFailureEndsTheSpans() async throws {
      let (pipeline, _) = pipeline { _ in throw ExchangeError(.connectionReset, "reset") }
      _ = try? await pipeline.send(.get("http://h/"))
      #expect(tracer.finishedSpans.count == 2)
      for span in tracer.finishedSpans {
        #expect(span.attributes.get("error.type") == .string("connectionReset"))
        #expect(span.status?.code == .error)
      }
    }

    @Test func spansDoNotShowTheErrorText() async throws {
      let (pipeline, _) = pipeline { _ in throw ExchangeError(.connectionReset, "after s3cr3t") }
      _ = try? await pipeline.send(.get("http://h/"))
      #expect(tracer.finishedSpans.count == 2)
      for span in tracer.finishedSpans {
        #expect(span.status?.code == .error)
        #expect(span.status?.message == nil)
      }
    }

    @Test func theSpanOfTheCallerIsTheParent() async throws {
      let (pipeline, _) = pipeline { _ in Response(.ok) }
      try await tracer.withSpan("caller") { _ in _ = try await pipeline.send(.get("http://h/")) }
      let spans = tracer.finishedSpans
      let caller = try #require(spans.first { $0.operationName == "caller" })
      #expect(
        spans.first { $0.kind == .internal && $0.operationName == "GET" }?.parentSpanID == caller.spanID
      )
    }

    @Test func aDroppedBodyEndsTheSpans() async throws {
      let (pipeline, _) = pipeline { _ in Response(.ok, body: .bytes("abc")) }
      try await pipeline.send(.get("http://h/")).body.cancel()
      #expect(tracer.finishedSpans.count == 2)
      #expect(tracer.activeSpans.isEmpty)
    }
  }
#endif
