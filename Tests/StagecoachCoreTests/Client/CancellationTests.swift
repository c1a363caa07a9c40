import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// Cancelling the task throws `CancellationError` itself, whatever the exchange is doing.
@Suite(.timeLimit(.minutes(1))) struct CancellationTests {
  private struct Waiting: ResponseSerializer {
    let accepts = Acceptance.any
    let started: Signal
    var error: (any Error)?
    func serialize(_ response: Response) async throws -> Int {
      started.set()
      do { try await sleepUntilCancelled() } catch { throw self.error ?? error }
      return 0
    }
  }

  private static func check(
    _ started: Signal,
    _ call: @escaping @Sendable () async throws -> Void
  ) async {
    let task = Task { try await call() }
    await started.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(arguments: [nil, .seconds(3600)] as [Duration?])
  func aCancelledTaskSendsNothing(timeout: Duration?) async throws {
    let calls = Counter()
    let answer = Stage { _, _ in
      calls.add()
      return Response(.ok)
    }
    let client = try Client(Pipeline(over: HandlerTransport { _ in Response(.ok) }, stages: [answer]))
    let request = Request.get("http://h/").with(\.totalTimeout, timeout)
    for call in 0...2 {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        switch call {
        case 0: _ = try await client.send(request)
        case 1: _ = try await client.value(for: request, as: .data)
        default: _ = try await client.response(for: request, as: .data)
        }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(calls.value == 0)
  }

  @Test(arguments: [nil, .seconds(3600)] as [Duration?])
  func cancellingInsideAStagesWaitThrowsCancellation(timeout: Duration?) async throws {
    let started = Signal()
    let stage = Stage { request, next in
      started.set()
      try await sleepUntilCancelled()
      return try await next(request)
    }
    let client = try Client(Pipeline(over: HandlerTransport { _ in Response(.ok) }, stages: [stage]))
    await Self.check(started) {
      _ = try await client.value(for: .get("http://h/").with(\.totalTimeout, timeout), as: .data)
    }
  }

  @Test(arguments: [nil, .seconds(3600)] as [Duration?])
  func cancellingInsideTheTransportThrowsCancellation(timeout: Duration?) async throws {
    let started = Signal()
    let client = try Client(
      over: HandlerTransport { _ in
        started.set()
        try await sleepUntilCancelled()
        return Response(.ok)
      }
    )
    await Self.check(started) {
      _ = try await client.value(for: .get("http://h/").with(\.totalTimeout, timeout), as: .data)
    }
  }

  @Test func cancellingWhileTheRequestBodyIsReadThrowsCancellation() async throws {
    let started = Signal()
    let client = try Client(
      over: HandlerTransport { request in
        _ = try await read(request.body)
        return Response(.ok)
      }
    )
    let stream = AsyncThrowingStream<Bytes, any Error>(unfolding: {
      started.set()
      try await sleepUntilCancelled()
      return nil
    })
    await Self.check(started) {
      _ = try await client.send(.post("http://h/", body: .oneShot(stream, length: nil)))
    }
  }

  @Test(arguments: [nil, .seconds(3600)] as [Duration?])
  func cancellingWhileTheResponseBodyIsReadThrowsCancellation(timeout: Duration?) async throws {
    let started = Signal()
    let stream = AsyncThrowingStream<Bytes, any Error>(unfolding: {
      started.set()
      try await sleepUntilCancelled()
      return nil
    })
    let client = try Client(over: HandlerTransport { _ in Response(.ok, body: Response.Body(stream)) })
    await Self.check(started) {
      _ = try await client.value(for: .get("http://h/").with(\.totalTimeout, timeout), as: .data)
    }
  }

  @Test func cancellingWhileARefusedBodyIsReadThrowsCancellation() async throws {
    let started = Signal()
    let stream = AsyncThrowingStream<Bytes, any Error>(unfolding: {
      started.set()
      try await sleepUntilCancelled()
      return nil
    })
    let client = try Client(over: HandlerTransport { _ in Response(.notFound, body: Response.Body(stream)) })
    await Self.check(started) { _ = try await client.value(for: .get("http://h/"), as: .data) }
  }

  @Test func cancellingInsideTheSerializerThrowsCancellation() async throws {
    let client = try Client(over: HandlerTransport { _ in Response(.ok, body: .bytes("1")) })
    let started = Signal()
    await Self.check(started) {
      _ = try await client.value(for: .get("http://h/"), as: Waiting(started: started))
    }
  }

  @Test func cancellingInsideACompoundMemberThrowsCancellation() async throws {
    let client = try Client(over: HandlerTransport { _ in Response(.ok, body: .bytes("1")) })
    for error in [nil, Foreign()] as [(any Error)?] {
      let started = Signal()
      let compound = CompoundResponseSerializer<Int>(
        members: [Waiting(started: started, error: error), JSONResponseSerializer(Int.self)]
      )
      await Self.check(started) { _ = try await client.value(for: .get("http://h/"), as: compound) }
    }
  }

  @Test func aForeignCancellationErrorBecomesCancellation() async throws {
    let started = [Signal(), Signal(), Signal()]
    let foreign = { @Sendable (signal: Signal) async throws -> Response in
      signal.set()
      do { try await sleepUntilCancelled() } catch { throw Foreign(text: "cancelled, in other words") }
      return Response(.ok)
    }
    let transport = try Client(over: HandlerTransport { _ in try await foreign(started[0]) })
    await Self.check(started[0]) { _ = try await transport.send(.get("http://h/")) }
    let stage = try Client(
      Pipeline(
        over: HandlerTransport { _ in Response(.ok) },
        stages: [Stage { _, _ in try await foreign(started[1]) }]
      )
    )
    await Self.check(started[1]) { _ = try await stage.send(.get("http://h/")) }
    let serializer = try Client(over: HandlerTransport { _ in Response(.ok) })
    await Self.check(started[2]) {
      _ = try await serializer.value(
        for: .get("http://h/"),
        as: Waiting(started: started[2], error: Foreign())
      )
    }
  }

  @Test func aRequestSerializerMayCheckForCancellation() async throws {
    struct Checking: RequestSerializer {
      func serialize(_ input: Int, into request: inout Request) throws { throw CancellationError() }
    }
    let client = try Client(over: HandlerTransport { _ in Response(.ok) })
    await #expect(throws: CancellationError.self) {
      _ = try await client.value(for: .get("http://h/"), sending: RequestContent(1, Checking()), as: .data)
    }
  }
}
