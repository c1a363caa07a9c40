#if Logging
  import HTTPTypes
  import InMemoryLogging
  import Logging
  import Stagecoach
  import StagecoachObservability
  import Synchronization
  import Testing

  @Suite struct LogMonitorTests {
    private static func entries(
      at level: Logger.Level,
      _ handler: @escaping @Sendable (Request) async throws -> Response
    ) async throws -> [InMemoryLogHandler.Entry] {
      try await entries(at: level, reading: .text, handler)
    }

    private static func entries(
      at level: Logger.Level,
      reading serializer: some ResponseSerializer,
      _ handler: @escaping @Sendable (Request) async throws -> Response
    ) async throws -> [InMemoryLogHandler.Entry] {
      let log = InMemoryLogHandler()
      var logger = Logger(label: "test") { _ in log }
      logger.logLevel = level
      let client = try Client(
        over: HandlerTransport(handler),
        configuration: .init(monitors: [LogMonitor(logger)], clock: ManualTime())
      )
      var request = Request.get("http://h/a?token=hush1")
      request.fields[.authorization] = "Bearer hush2"
      // On this clock nobody would end the wait before another attempt.
      request.options.retryPolicy = .never
      _ = try? await client.value(for: request, as: serializer)
      return log.entries
    }

    private static let answer: @Sendable (Request) -> Response = { _ in
      Response(.ok, fields: [.contentType: "text/plain", .setCookie: "a=hush3"], body: .bytes("abc"))
    }

    @Test func anExchangeIsOneLine() async throws {
      let entries = try await Self.entries(at: .info, Self.answer)
      #expect(entries.map { "\($0.message)" } == ["GET http://h/a?token=[redacted] · 200 OK · 0.0 ms"])
      let entry = try #require(entries.first)
      #expect(entry.level == .info)
      #expect(entry.metadata["method"] == "GET")
      #expect(entry.metadata["status"] == "200")
      #expect(entry.metadata["url"] == "http://h/a?token=[redacted]")
      #expect(entry.metadata["duration"] == "0.0")
      #expect(entry.metadata["attempt"] == "1")
      #expect(entry.metadata["exchange"] != nil)
    }

    @Test func aFailureIsAnError() async throws {
      let entries = try await Self.entries(at: .error) { _ in
        throw ExchangeError(.connectionRefused, "nobody\nlistens")
      }
      #expect(entries.map(\.level) == [.error])
      #expect(entries.first?.metadata["error"] == "connectionRefused")
      #expect(entries.first?.message == "GET http://h/a?token=[redacted] · failed: nobody listens · 0.0 ms")
      #expect(try await Self.entries(at: .error, Self.answer).isEmpty)
    }

    /// Answers by itself, as a cache does, and asks the origin while the body is read.
    private final class Answering: Middleware {
      private let isRead = Atomic(false)

      func handle(_ request: Request, next: Next) async throws -> Response {
        guard request.head.path != "/wire" else { return try await next(request) }
        guard request.head.path != "/missing" else {
          return Response(head: HTTPResponse(status: .notFound), body: .bytes("abc"), source: .cache)
        }
        let body = Response.Body(
          AsyncStream<Bytes>(unfolding: {
            guard !self.isRead.exchange(true, ordering: .relaxed) else { return nil }
            _ = try? await next(request)
            return "abc"
          })
        )
        return Response(head: HTTPResponse(status: .nonAuthoritativeInformation), body: body, source: .cache)
      }
    }

    @Test(arguments: [("/", "203"), ("/missing", "404"), ("/wire", "200")])
    func anAnswerWithoutAHeadFromTheNetworkHasAStatus(path: String, status: String) async throws {
      let log = InMemoryLogHandler()
      let client = try Client(
        Pipeline(over: HandlerTransport(Self.answer), stages: [Validation(), Answering()]),
        configuration: .init(monitors: [LogMonitor(Logger(label: "test") { _ in log })])
      )
      _ = try? await client.value(for: .get("http://h\(path)"), as: .data)
      #expect(log.entries.map { $0.metadata["status"] } == ["\(status)"])
      #expect(log.entries.first?.message.description.contains(" · \(status)") == true)
    }

    private struct Tag: Middleware {
      func handle(_ request: Request, next: Next) async throws -> Response { try await next(request) }
    }

    private struct Replacing: Middleware {
      func handle(_ request: Request, next: Next) async throws -> Response {
        _ = try await next(request)
        let head = HTTPResponse(status: .nonAuthoritativeInformation)
        return Response(head: head, body: .bytes("abc"), source: .cache)
      }
    }

    /// The inner one of two stages of the same name returns first.
    @Test func logsTheStatusOfTheOutermostStage() async throws {
      let log = InMemoryLogHandler()
      let client = try Client(
        Pipeline(over: HandlerTransport(Self.answer), stages: [Tag(), Replacing(), Tag()]),
        configuration: .init(monitors: [LogMonitor(Logger(label: "test") { _ in log })])
      )
      _ = try await client.value(for: .get("http://h/"), as: .data)
      #expect(log.entries.map { $0.metadata["status"] } == ["203"])
    }

    private enum Kind: String, Decodable { case known }

    /// The error of a decoder quotes a value that is no case of the type.
    @Test func whatWasReceivedIsNotLogged() async throws {
      let entries = try await Self.entries(at: .trace, reading: .json([String: Kind].self)) { _ in
        Response(.ok, fields: [.contentType: "application/json"], body: .bytes(#"{"token":"s3cr3t"}"#))
      }
      let failures = entries.filter { $0.level == .error }
      #expect(failures.count == 1)
      #expect(failures.first?.metadata["error"] == "serialization")
      for entry in entries { #expect(!"\(entry)".contains("s3cr3t")) }
    }

    @Test func aLowerLevelLogsMore() async throws {
      let debug = try await Self.entries(at: .debug, Self.answer)
      #expect(
        debug.map { "\($0.message)" } == [
          "GET http://h/a?token=[redacted] started", "head received: 200 OK", "cookies: a stored for h",
          "GET http://h/a?token=[redacted] · 200 OK · 0.0 ms",
        ]
      )
      let trace = try await Self.entries(at: .trace, Self.answer)
      #expect(trace.contains { $0.message == "entered HandlerTransport" && $0.level == .trace })
      #expect(trace.contains { $0.message == "body complete: 3 bytes" })
      for entry in trace { #expect(!"\(entry)".contains("hush")) }
    }
  }
#endif
