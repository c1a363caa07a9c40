import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BackgroundScopeTests {
  /// A client and the scope that its stages get.
  private static func make() async throws -> (Client, BackgroundScope) {
    let scopes = Log<BackgroundScope>()
    let transport = HandlerTransport(recordLimit: 0) { request in
      if let scope = request.exchange?.background { scopes.add(scope) }
      return Response(.ok)
    }
    let client = try Client(over: transport)
    _ = try await client.send(.get("http://h/"))
    return (client, try #require(scopes.all.first))
  }

  @Test func workOutlivesTheCall() async throws {
    let (client, scope) = try await Self.make()
    let done = Signal()
    #expect(scope.run { done.set() })
    await done.wait()
    _ = client
  }

  @Test func worksThatShutTheClientDownDoNotWaitForEachOther() async throws {
    let (client, scope) = try await Self.make()
    let both = Counter()
    let done = Counter()
    for _ in 0..<2 {
      scope.run {
        both.add()
        while both.value < 2 { await Task.yield() }
        await client.shutdown()
        done.add()
      }
    }
    while done.value < 2 { await Task.yield() }
  }

  @Test func shutdownCancelsAndAwaitsWorkAndRefusesMore() async throws {
    let (client, scope) = try await Self.make()
    let started = Signal()
    let ended = Counter()
    for _ in 0..<10 {
      scope.run {
        started.set()
        try? await sleepUntilCancelled()
        for _ in 0..<20 { await Task.yield() }
        ended.add()
      }
    }
    await started.wait()
    await client.shutdown()
    #expect(ended.value == 10)
    #expect(!scope.run { ended.add() })
    await client.shutdown()
    #expect(ended.value == 10)
  }

  @Test func workIsCancelledWhenTheClientGoesAway() async throws {
    var made: (client: Client, scope: BackgroundScope)? = try await Self.make()
    let started = Signal()
    let cancelled = Signal()
    made?.scope.run {
      started.set()
      try? await sleepUntilCancelled()
      cancelled.set()
    }
    await started.wait()
    made = nil
    await cancelled.wait()
  }

  @Test func workMayShutItsClientDown() async throws {
    let (client, scope) = try await Self.make()
    let done = Signal()
    scope.run {
      await client.shutdown()
      done.set()
    }
    await done.wait()
    #expect(!scope.run {})
  }

  @Test func aCallThatWaitsForCancelledWorkFailsWithTheShutdown() async throws {
    struct Refreshing: Middleware {
      let started: Signal
      func handle(_ request: Request, next: Next) async throws -> Response {
        let (results, result) = AsyncThrowingStream.makeStream(of: Never.self)
        request.exchange?.background?.run {
          do { try await sleepUntilCancelled() } catch { result.finish(throwing: error) }
        }
        started.set()
        for try await _ in results {}
        return try await next(request)
      }
    }
    let started = Signal()
    let client = try Client(
      Pipeline(over: HandlerTransport { _ in Response(.ok) }, stages: [Refreshing(started: started)])
    )
    let call = Task { try await client.send(.get("http://h/")) }
    await started.wait()
    await client.shutdown()
    let error = await #expect(throws: ExchangeError.self) { try await call.value }
    #expect(error?.kind == .shutdown)
  }

  @Test func aPipelineAloneHasNoScope() async throws {
    let pipeline = Pipeline(over: HandlerTransport { _ in Response(.ok) }, stages: [])
    let response = try await pipeline.send(.get("http://h/"))
    #expect(response.request?.exchange != nil)
    #expect(response.request?.exchange?.background == nil)
  }
}
