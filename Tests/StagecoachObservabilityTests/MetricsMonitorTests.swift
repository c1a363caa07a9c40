#if Metrics
  import CoreMetrics
  import HTTPTypes
  import MetricsTestKit
  import Stagecoach
  import StagecoachObservability
  import Testing

  @Suite struct MetricsMonitorTests {
    private let metrics = TestMetrics()
    private let time = ManualTime()

    private func send(
      _ method: HTTPRequest.Method = .get,
      _ handler: @escaping @Sendable (Request) async throws -> Response
    ) async throws {
      let monitor = MetricsMonitor(factory: metrics)
      let transport = HandlerTransport { [time] request in
        time.advance(by: .milliseconds(20))
        return try await handler(request)
      }
      let client = try Client(
        Pipeline(over: transport) {},
        configuration: .init(monitors: [monitor], clock: time)
      )
      _ = try? await client.value(for: Request(method, "http://h/?token=hush"), as: .data)
    }

    @Test func anExchangeIsMeasured() async throws {
      try await send { _ in Response(.notFound, body: .bytes("abc")) }
      let duration = try metrics.expectTimer(
        "http.client.request.duration",
        [("method", "GET"), ("outcome", "4xx")]
      )
      #expect(duration.values == [20_000_000])
      let head = try metrics.expectTimer("http.client.response.head", [("method", "GET"), ("status", "404")])
      #expect(head.values == [20_000_000])
      #expect(try metrics.expectRecorder("http.client.response.body.size", [("method", "GET")]).values == [3])
      #expect(try metrics.expectMeter("http.client.active_requests").values == [1, 0])
    }

    private struct Answering: Middleware {
      func handle(_ request: Request, next: Next) async throws -> Response {
        Response(head: HTTPResponse(status: .notFound), body: .bytes("abc"), source: .cache)
      }
    }

    @Test func anAnswerWithoutAHeadFromTheNetworkHasAStatus() async throws {
      let client = try Client(
        Pipeline(over: HandlerTransport { _ in Response(.ok) }, stages: [Answering()]),
        configuration: .init(monitors: [MetricsMonitor(factory: metrics)], clock: time)
      )
      _ = try? await client.value(for: .get("http://h/"), as: .data)
      let outcome = [("method", "GET"), ("outcome", "4xx")]
      #expect(try metrics.expectTimer("http.client.request.duration", outcome).values.count == 1)
      #expect(metrics.timers.count == 1)
    }

    @Test func failuresAreOutcomes() async throws {
      try await send(.put) { _ in throw ExchangeError(.timeout(.head), "late") }
      try await send(.put) { _ in throw CancellationError() }
      for outcome in ["timeout.head", "cancelled"] {
        let timer = try metrics.expectTimer(
          "http.client.request.duration",
          [("method", "PUT"), ("outcome", outcome)]
        )
        #expect(timer.values == [20_000_000])
      }
    }

    @Test func unknownMethodsAreOtherAndSecretsAreLeftOut() async throws {
      let method = try #require(HTTPRequest.Method("BREW"))
      try await send(method) { _ in Response(.ok, body: .bytes("abc")) }
      _ = try metrics.expectTimer("http.client.request.duration", [("method", "other"), ("outcome", "2xx")])
      for timer in metrics.timers {
        #expect(!"\(timer.dimensions)".contains("hush"))
        #expect(!"\(timer.dimensions)".contains("BREW"))
      }
    }
  }
#endif
