import HTTPTypes
import StagecoachStages
import Synchronization
import TestSupport
import Testing

@testable import StagecoachCore
@testable import StagecoachResilience

@Suite(.timeLimit(.minutes(2))) struct CoalescingTests {
  @Test(
    "9.1 coalescing: identical requests in flight share one exchange",
    arguments: [HTTPRequest.Method.get, .head]
  )
  func identicalRequestsShare(method: HTTPRequest.Method) async throws {
    let bench = CoalescingBench()
    var tasks = [await bench.start(method, joins: false)]
    for _ in 0..<50 { tasks.append(await bench.start(method, joins: true)) }
    bench.gate.set()
    for task in tasks { #expect(try await task.value == "body") }
    #expect(bench.transport.requests.count == 1)
    #expect(bench.probe.words.contains("concurrency(response shared with 50 others)"))
    // Nothing of it is left: who comes later asks anew.
    #expect(try await bench.start(method, joins: false).value == "body")
    #expect(bench.transport.requests.count == 2)
  }

  @Test(
    "9.1 coalescing: what is not identical",
    arguments: [
      ("other path", "http://h/b", [:], true), ("other origin", "http://other/a", [:], true),
      ("other scheme", "https://h/a", [:], true), ("query", "http://h/a?x=1", [:], true),
      ("other field", "http://h/a", ["Accept": "text/plain"], true),
      ("credentials of another", "http://h/a", ["Authorization": "Bearer b"], true),
      ("no credentials", "http://h/a", ["Authorization": ""], true),
      ("other cookie", "http://h/a", ["Cookie": "a=2"], true),
      ("range", "http://h/a", ["Range": "bytes=0-1"], true),
      ("equal", "http://h/a", [:], false), ("default port, case", "http://H:80/a", [:], false),
      ("ignored fields", "http://h/a", ["User-Agent": "me", "traceparent": "00-1-1-00"], false),
    ] as [(String, String, [String: String], Bool)]
  )
  func onlyIdenticalRequestsShare(name: String, url: String, fields: [String: String], isApart: Bool)
    async throws
  {
    let bench = CoalescingBench()
    let base: @Sendable (inout Request) -> Void = { request in
      request.fields[.authorization] = "Bearer a"
      request.fields[.cookie] = "a=1"
    }
    let first = await bench.start(.get, "http://h/a", joins: false, base)
    let second = await bench.start(.get, url, joins: !isApart) { request in
      base(&request)
      for (name, value) in fields {
        guard let name = HTTPField.Name(name) else { continue }
        request.fields[name] = value.isEmpty ? nil : value
      }
    }
    bench.gate.set()
    _ = try await (first.value, second.value)
    #expect(bench.transport.requests.count == (isApart ? 2 : 1))
  }

  @Test(
    "9.1 coalescing: GET and HEAD without body alone",
    arguments: [HTTPRequest.Method.post, .put, .delete, .options]
  )
  func otherMethodsAreNotShared(method: HTTPRequest.Method) async throws {
    let bench = CoalescingBench()
    let tasks = [await bench.start(method, joins: false), await bench.start(method, joins: false)]
    bench.gate.set()
    for task in tasks { #expect(try await task.value == "body") }
    #expect(bench.transport.requests.count == 2)
  }

  @Test func contentAndOptionsKeepApart() async throws {
    let bench = CoalescingBench()
    let mirror = RequestOption("mirror", default: 0)
    let changes: [@Sendable (inout Request) -> Void] = [
      { _ in }, { $0.body = .bytes("x") }, { $0.options.coalesces = false }, { $0.options[mirror] = 1 },
      // Whoever waits less gets a failure that is not the other's.
      { $0.options.headTimeout = .seconds(1) },
    ]
    var tasks: [Task<String, any Error>] = []
    for change in changes { tasks.append(await bench.start(joins: false, change)) }
    tasks.append(await bench.start(joins: true) { $0.options.totalTimeout = .seconds(100) })
    bench.gate.set()
    for task in tasks { #expect(try await task.value == "body") }
    #expect(bench.transport.requests.count == 5)
  }

  @Test func aChangeEndsTheJoiningForItsOrigin() async throws {
    let bench = CoalescingBench()
    let before = await bench.start(joins: false)
    let elsewhere = await bench.start(.get, "http://other/", joins: false)
    let change = await bench.start(.put, "http://h/x", joins: false)
    let during = await bench.start(joins: false)
    let alsoElsewhere = await bench.start(.get, "http://other/", joins: true)
    bench.gate.set()
    for task in [before, elsewhere, change, during, alsoElsewhere] { _ = try await task.value }
    #expect(bench.transport.requests.count == 4)
  }

  /// What was asked for while a change was under way may be from before it.
  @Test func whatWasAskedForDuringAChangeIsNotSharedAfterIt() async throws {
    let (changed, answered) = (Signal(), Signal())
    let bench = CoalescingBench { request in
      await (request.method == .put ? changed : answered).wait()
      return Response(.ok, body: .bytes("body"))
    }
    bench.gate.set()
    let change = await bench.start(.put, joins: false)
    let during = await bench.start(joins: false)
    changed.set()
    #expect(try await change.value == "body")
    let after = await bench.start(joins: false)
    answered.set()
    for task in [during, after] { #expect(try await task.value == "body") }
    #expect(bench.transport.requests.count == 3)
  }

  /// Parts of a representation are not shared: what one reader gets of it is not what another asked for.
  @Test func equalRangesAreApart() async throws {
    let bench = CoalescingBench()
    var tasks: [Task<String, any Error>] = []
    for _ in 0..<2 { tasks.append(await bench.start(joins: false) { $0.fields[.range] = "bytes=0-1" }) }
    bench.gate.set()
    for task in tasks { #expect(try await task.value == "body") }
    #expect(bench.transport.requests.count == 2)
  }

  @Test func aQueryRequestDoesNotEndTheJoining() async throws {
    let bench = CoalescingBench()
    let query = try #require(HTTPRequest.Method("QUERY"))
    let first = await bench.start(joins: false)
    let asked = await bench.start(query, joins: false)
    let second = await bench.start(joins: true)
    bench.gate.set()
    for task in [first, asked, second] { #expect(try await task.value == "body") }
    #expect(bench.transport.requests.count == 2)
  }

  @Test("9.1 coalescing: failure, waiters get it")
  func failuresAreShared() async throws {
    let bench = CoalescingBench { _ in throw ExchangeError(.connectionReset, "reset") }
    let tasks = [
      await bench.start(joins: false), await bench.start(joins: true), await bench.start(joins: true),
    ]
    bench.gate.set()
    for task in tasks {
      let error = try await #require(throws: ExchangeError.self) { try await task.value }
      #expect(error.kind == .connectionReset)
      #expect(error.stage == "HandlerTransport")
    }
    #expect(bench.transport.requests.count == 1)
  }

  @Test("9.1 coalescing: leader cancelled, a waiter takes over")
  func aWaiterTakesOver() async throws {
    let bench = CoalescingBench()
    let leader = await bench.start(.get, "http://h/cancellable", joins: false)
    let waiters = [
      await bench.start(.get, "http://h/cancellable", joins: true),
      await bench.start(.get, "http://h/cancellable", joins: true),
    ]
    leader.cancel()
    await #expect(throws: CancellationError.self) { try await leader.value }
    for waiter in waiters { #expect(try await waiter.value == "body") }
    #expect(bench.transport.requests.count == 2)
    #expect(bench.probe.words.count { $0.contains("sent because the request it had joined") } == 1)
  }

  /// An engine may call the cancellation of its request what it likes.
  @Test func aLeaderThatFailsBecauseItWasCancelledIsFollowedToo() async throws {
    let isFirst = Atomic(true)
    let bench = CoalescingBench { _ in
      guard isFirst.exchange(false, ordering: .relaxed) else { return Response(.ok, body: .bytes("body")) }
      try? await sleepUntilCancelled()
      throw ExchangeError(.transport, "the engine was told to stop")
    }
    bench.gate.set()
    let leader = await bench.start(joins: false)
    let waiter = await bench.start(joins: true)
    leader.cancel()
    await #expect(throws: (any Error).self) { try await leader.value }
    #expect(try await waiter.value == "body")
    #expect(bench.transport.requests.count == 2)
  }

  @Test("9.1 coalescing: a cancelled waiter does not disturb the others")
  func aCancelledWaiterDoesNotDisturbTheOthers() async throws {
    let bench = CoalescingBench()
    let leader = await bench.start(joins: false)
    let (gone, stays) = (await bench.start(joins: true), await bench.start(joins: true))
    gone.cancel()
    await #expect(throws: CancellationError.self) { try await gone.value }
    bench.gate.set()
    #expect(try await leader.value == "body")
    #expect(try await stays.value == "body")
    #expect(bench.transport.requests.count == 1)
  }

  @Test func everybodyCancelledLeavesNothing() async throws {
    let bench = CoalescingBench()
    let leader = await bench.start(.get, "http://h/cancellable", joins: false)
    let waiter = await bench.start(.get, "http://h/cancellable", joins: true)
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    leader.cancel()
    await #expect(throws: CancellationError.self) { try await leader.value }
    #expect(try await bench.start(.get, "http://h/cancellable", joins: false).value == "body")
  }

  @Test func nothingIsLostUnderCancellation() async throws {
    let sent = Counter()
    let transport = HandlerTransport(recordLimit: 0) { _ in
      sent.add()
      for _ in 0..<20 { await Task.yield() }
      try Task.checkCancellation()
      return Response(.ok, body: .bytes("body"))
    }
    let pipeline = Pipeline(over: transport) { Coalescing() }
    var random = SplitMix(state: 7)
    let (right, cancelled) = (Counter(), Counter())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2000 {
        let path = Int.random(in: 0..<3, using: &random)
        let delay = Int.random(in: 0..<40, using: &random)
        let isCancelled = Bool.random(using: &random)
        group.addTask {
          let task = Task { try await pipeline.send(.get("http://h/\(path)")).body.collect(upTo: 10) }
          if isCancelled {
            for _ in 0..<delay { await Task.yield() }
            task.cancel()
          }
          switch await task.result {
          case .success(let bytes): if bytes == "body" { right.add() }
          case .failure(let error): if error is CancellationError, isCancelled { cancelled.add() }
          }
        }
      }
    }
    #expect(right.value + cancelled.value == 2000)
    #expect(right.value >= 800)
    #expect(sent.value < 2000)
  }
}
