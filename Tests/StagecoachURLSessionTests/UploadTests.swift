import Dispatch
import HTTPTypes
import Stagecoach
import StagecoachConformance
import StagecoachURLSession
import Synchronization
import Testing

/// What is told of the sending of a request.
private final class Sending: EventMonitor {
  private let all = Mutex<[Event.Kind]>([])

  var kinds: [Event.Kind] { all.withLock { $0 } }

  func receive(_ event: Event) {
    switch event.kind {
    case .requestHeadSent, .requestBodyProgress, .requestSent, .requestFailed, .responseHeadReceived:
      all.withLock { $0.append(event.kind) }
    default: break
    }
  }

  var names: [String] {
    kinds.reduce(into: []) { names, kind in
      let name =
        switch kind {
        case .requestHeadSent: "head sent"
        case .requestBodyProgress: "progress"
        case .requestSent: "sent"
        case .requestFailed: "failed"
        default: "head received"
        }
      if names.last != name { names.append(name) }
    }
  }

  var progress: [(bytes: Int64, total: Int64?)] {
    kinds.compactMap { kind in
      if case .requestBodyProgress(let bytes, let total) = kind { (bytes, total) } else { nil }
    }
  }
}

extension URLSessionTests {
  /// Bodies that are too large for memory, whose length the engine does not know.
  @Suite struct UploadTests {
    private func body(megabytes: Int, length: Int64?) -> Request.Body {
      .stream(length: length) {
        AsyncStream { continuation in
          for _ in 0..<megabytes { continuation.yield(Bytes([UInt8](repeating: 65, count: 1_000_000))) }
          continuation.finish()
        }
      }
    }

    @Test(arguments: [nil, 3_000_000])
    func reportsAllProgressAndTheEndOnce(length: Int64?) async throws {
      let server = try WireServer(answering: WireServer.ok)
      defer { server.stop() }
      let sending = Sending()
      let client = try Client(
        over: URLSessionTransport(),
        base: server.url,
        configuration: .init(monitors: [sending])
      )
      let request = Request.post("/", body: body(megabytes: 3, length: length))
      _ = try await client.send(request).body.collect(upTo: 10)
      #expect(sending.names == ["head sent", "progress", "sent", "head received"])
      #expect(sending.progress.count > 1)
      #expect(sending.progress.allSatisfy { $0.total == 3_000_000 })
      #expect(sending.progress.last?.bytes == 3_000_000)
    }

    /// The limit of waiting for the head must not run before the request is sent.
    @Test(arguments: [nil, 20_000_000])
    func aPeerThatTakesNoMoreIsIdle(length: Int64?) async throws {
      let end = DispatchSemaphore(value: 0)
      defer { end.signal() }
      let server = try WireServer { wire in
        try wire.readHead()
        // The body is more than the buffers of both sides hold.
        end.wait()
      }
      defer { server.stop() }
      let time = ManualTime()
      let transport = URLSessionTransport(clock: time)
      let sending = Sending()
      let client = try Client(over: transport, base: server.url, configuration: .init(monitors: [sending]))
      var request = Request.post("/", body: body(megabytes: 20, length: length))
      request.options.connectTimeout = nil
      request.options.headTimeout = .seconds(10)
      request.options.idleTimeout = .seconds(3600)
      let sent = request
      let upload = Task { await failure { _ = try await client.send(sent) } }
      #expect(try await server.wait { $0.flatMap(\.requests).count == 1 })
      let passing = Task {
        while !Task.isCancelled {
          time.advance(by: .seconds(60))
          try await Task.sleep(for: .milliseconds(5))
        }
      }
      #expect(await upload.value?.kind == .timeout(.idle))
      passing.cancel()
      #expect(sending.names == ["head sent", "progress", "failed"])
    }

    @Test func anAnswerBeforeTheEndOfTheRequestEndsIt() async throws {
      let end = DispatchSemaphore(value: 0)
      defer { end.signal() }
      let server = try WireServer { wire in
        try wire.readHead()
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        end.wait()
      }
      defer { server.stop() }
      let request = server.request("/", .put, body: body(megabytes: 20, length: nil))
      let (head, text) = try await withinAMinute { try await URLSessionTransport().answer(request) }
      #expect(head.status == .ok)
      #expect(text.isEmpty)
    }
  }
}
