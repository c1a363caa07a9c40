import HTTPTypes
import Stagecoach
import StagecoachCache
import Synchronization
import TestSupport
import Testing

/// Stale answers: in the background, in place of failures, and never otherwise (RFC 9111 4.2.4, RFC 5861).
@Suite(.timeLimit(.minutes(15))) struct StaleTests {
  @Test func aStaleResponseIsUsedWhileItIsValidated() async throws {
    let count = Counter()
    let bench = try CacheBench { _ in
      .of(
        "\(count.add())",
        200,
        ["Cache-Control": "max-age=10, stale-while-revalidate=60", "ETag": "\"\(count.value)\""]
      )
    }
    #expect(try await bench.get().body == "1")
    bench.time.advance(by: .seconds(20))
    let stale = try await bench.get()
    #expect(stale.body == "1")
    #expect(stale.source == .stale)
    #expect(stale["Cache-Status"] == "Stagecoach; hit; ttl=-10")
    // Validated once, in the background.
    while bench.events.all.count(where: { if case .stored = $0 { true } else { false } }) < 2 {
      await Task.yield()
    }
    let next = try await bench.get()
    #expect(next.body == "2")
    #expect(next.source == .cache)
    #expect(count.value == 2)
    #expect(bench.seen.all.last?.fields[.ifNoneMatch] == "\"1\"")
    await bench.client.shutdown()
  }

  @Test func withoutAClientItIsValidatedFirst() async throws {
    let count = Counter()
    let transport = HandlerTransport { _ in
      .of("\(count.add())", 200, ["Cache-Control": "max-age=0, stale-while-revalidate=60", "ETag": "\"x\""])
    }
    let pipeline = Pipeline(over: transport, stages: [Cache()])
    for number in 1...3 {
      let body = try await pipeline.send(.get("http://h/a")).body.collect(upTo: 10)
      #expect(body == Bytes("\(number)"))
    }
  }

  @Test func shutdownCancelsTheValidation() async throws {
    let cancelled = Signal()
    let count = Counter()
    let bench = try CacheBench { _ in
      if count.add() > 1 {
        do { try await sleepUntilCancelled() } catch {
          cancelled.set()
          throw error
        }
      }
      return .of("1", 200, ["Cache-Control": "max-age=0, stale-while-revalidate=60", "ETag": "\"x\""])
    }
    _ = try await bench.get()
    #expect(try await bench.get().source == .stale)
    while count.value < 2 { await Task.yield() }
    await bench.client.shutdown()
    await cancelled.wait()
  }

  private struct Failure: Sendable, CustomTestStringConvertible {
    let kind: ExchangeError.Kind
    let isReplaced: Bool
    var testDescription: String { "\(kind)" }
  }

  @Test(arguments: [
    Failure(kind: .nameResolution, isReplaced: true), Failure(kind: .connectionRefused, isReplaced: true),
    Failure(kind: .connectionFailed, isReplaced: true), Failure(kind: .proxyRefused, isReplaced: true),
    Failure(kind: .connectionReset, isReplaced: true), Failure(kind: .timeout(.head), isReplaced: true),
    Failure(kind: .tls(.untrusted), isReplaced: false), Failure(kind: .tls(.pinMismatch), isReplaced: false),
    Failure(kind: .limit(.responseHead), isReplaced: false),
    Failure(kind: .protocolViolation, isReplaced: false),
    Failure(kind: .policy, isReplaced: false),
  ])
  private func aFailureOfTheNetworkIsReplaced(_ failure: Failure) async throws {
    let count = Counter()
    let bench = try CacheBench { _ in
      if count.add() > 1 { throw ExchangeError(failure.kind, "no") }
      return .of("old", 200, ["Cache-Control": "max-age=10, stale-if-error=100"])
    }
    _ = try await bench.get()
    bench.time.advance(by: .seconds(20))
    guard failure.isReplaced else {
      await #expect(throws: ExchangeError.self) { try await bench.get() }
      return
    }
    let stale = try await bench.get()
    #expect(stale.source == .stale)
    #expect(stale.body == "old")
    #expect(stale["Cache-Status"] == "Stagecoach; hit; ttl=-10; detail=\"\(failure.kind)\"")
    let told = bench.events.all.contains { event in
      if case .stale(20, 10, instead: "\(failure.kind)") = event { true } else { false }
    }
    #expect(told)
  }

  @Test func cancellationIsNotAFailureOfTheNetwork() async throws {
    let count = Counter()
    let bench = try CacheBench { _ in
      if count.add() > 1 { try await sleepUntilCancelled() }
      return .of("old", 200, ["Cache-Control": "max-age=10, stale-if-error=100"])
    }
    _ = try await bench.get()
    bench.time.advance(by: .seconds(20))
    let task = Task { try await bench.get() }
    while count.value < 2 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(arguments: [(500, true), (502, true), (503, true), (504, true), (501, false), (404, false)])
  func anErrorOfTheServerIsReplaced(_ status: Int, isReplaced: Bool) async throws {
    let count = Counter()
    let bench = try CacheBench { _ in
      count.add() > 1
        ? .of("error", status) : .of("old", 200, ["Cache-Control": "max-age=10, stale-if-error=100"])
    }
    _ = try await bench.get()
    bench.time.advance(by: .seconds(20))
    let second = try await bench.get()
    #expect(second.body == (isReplaced ? "old" : "error"))
    #expect(second.status == (isReplaced ? 200 : status))
    bench.time.advance(by: .seconds(200))
    #expect(try await bench.get().body == "error")
  }

  @Test func whatMustBeValidatedIsNeverStale() async throws {
    let count = Counter()
    let bench = try CacheBench(isShared: true) { _ in
      if count.add() > 1 { throw ExchangeError(.connectionRefused, "no") }
      return .of("old", 200, ["Cache-Control": "max-age=10, must-revalidate, stale-if-error=100"])
    }
    _ = try await bench.get()
    bench.time.advance(by: .seconds(20))
    let answer = try await bench.get()
    #expect(answer.status == 504)
    #expect(answer["Cache-Status"] == "Stagecoach; detail=\"connectionRefused\"")
  }

  /// RFC 9111 5.2.2.2 asks for an error: the caller's own cache leaves it to the one that has occurred.
  @Test func aPrivateCachePassesTheErrorOn() async throws {
    let count = Counter()
    let bench = try CacheBench(pipeline: { .standard(over: $0, validation: nil, cache: $1) }) { _ in
      if count.add() == 2 { throw ExchangeError(.connectionRefused, "no") }
      return .of(
        "\(count.value)",
        200,
        ["Cache-Control": "max-age=0, must-revalidate", "ETag": "\"\(count.value)\""]
      )
    }
    #expect(try await bench.get(set: { $0.options.retryPolicy = .never }).body == "1")
    await #expect {
      try await bench.get(set: { $0.options.retryPolicy = .never })
    } throws: {
      ($0 as? ExchangeError)?.kind == .connectionRefused
    }
    #expect(try await bench.get().body == "3")
  }

  @Test func withoutAValidatorItIsAskedForAgainInTheBackground() async throws {
    let count = Counter()
    let bench = try CacheBench { _ in
      .of("\(count.add())", 200, ["Cache-Control": "max-age=10, stale-while-revalidate=60"])
    }
    _ = try await bench.get()
    bench.time.advance(by: .seconds(20))
    #expect(try await bench.get().body == "1")
    while bench.events.all.count(where: { if case .stored = $0 { true } else { false } }) < 2 {
      await Task.yield()
    }
    #expect(try await bench.get().body == "2")
    #expect(count.value == 2)
    await bench.client.shutdown()
  }

  /// An endless body, which tells when it is cancelled.
  private final class Endless: BodySource {
    let cancelled = Signal()
    func next() async throws -> Bytes? {
      try Task.checkCancellation()
      await Task.yield()
      return Bytes("more")
    }
    func cancel() { cancelled.set() }
  }

  @Test func aBackgroundValidationDoesNotReadUnstorableBodies() async throws {
    let endless = Endless()
    let count = Counter()
    let bench = try CacheBench { _ in
      guard count.add() > 1 else {
        return .of("1", 200, ["Cache-Control": "max-age=10, stale-while-revalidate=60"])
      }
      let body = Response.Body(source: endless)
      return Response(.ok, fields: [.cacheControl: "no-store"], body: body)
    }
    _ = try await bench.get()
    bench.time.advance(by: .seconds(20))
    #expect(try await bench.get().source == .stale)
    await endless.cancelled.wait()
    await bench.client.shutdown()
  }
}
