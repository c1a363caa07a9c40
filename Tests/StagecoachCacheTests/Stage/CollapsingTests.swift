import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport
import Testing

/// Equal requests at the same time: one is sent, all get the whole body.
@Suite(.timeLimit(.minutes(15))) struct CollapsingTests {
  private static func isStoring(_ event: CacheEvent) -> Bool {
    if case .storing = event { true } else { false }
  }
  private static func isJoined(_ event: CacheEvent) -> Bool {
    if case .joined = event { true } else { false }
  }

  private static let chunk = Bytes((0..<(64 << 10)).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  /// 4 MB without an entity tag, of which the second half comes once the gate is open.
  private static func large(_ gate: Signal) -> Response {
    let count = Counter()
    let body = Response.Body(
      AsyncStream<Bytes>(unfolding: {
        let number = count.add()
        if number == 32 { await gate.wait() }
        return number <= 64 ? chunk : nil
      })
    )
    return Response(.ok, fields: [.cacheControl: "max-age=60"], body: body)
  }

  private static func read(_ response: Response, isSlow: Bool) async throws -> Int {
    var count = 0
    for try await bytes in response.body {
      count += bytes.count
      if isSlow { for _ in 0..<20 { await Task.yield() } }
    }
    return count
  }

  @Test func aThousandReadersOfOneColdKeySendOneRequest() async throws {
    let (gate, head) = (Signal(), Signal())
    let bench = try CacheBench { _ in
      await head.wait()
      return Self.large(gate)
    }
    let lengths = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<1000 {
        // A third comes after the head.
        if index == 667 {
          head.set()
          while !bench.events.all.contains(where: Self.isStoring) {
            await Task.yield()
          }
        }
        group.addTask {
          let response = try await bench.client.send(.get("a"))
          return try await Self.read(response, isSlow: index % 2 == 0)
        }
        await Task.yield()
      }
      gate.set()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(lengths.count == 1000)
    #expect(lengths.allSatisfy { $0 == 4 << 20 })
    #expect(bench.seen.all.count == 1)
  }

  @Test func sendsOneRequestForEachVariant() async throws {
    let head = Signal()
    let bench = try CacheBench { request in
      await head.wait()
      let value = request.fields[HTTPField.Name("X-V")!] ?? ""
      return .of("for \(value)", 200, ["Cache-Control": "max-age=60", "Vary": "X-V"])
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask {
          let answer = try await bench.get("a", ["X-V": "\(index % 10)"])
          #expect(answer.body == "for \(index % 10)")
        }
      }
      head.set()
      try await group.waitForAll()
    }
    #expect(bench.seen.all.count == 10)
  }

  @Test(arguments: [false, true]) func privateResponsesAreFetchedByEachRequest(isShared: Bool) async throws {
    let head = Signal()
    let bench = try CacheBench(isShared: isShared) { _ in
      await head.wait()
      return .of("own", 200, ["Cache-Control": isShared ? "private, max-age=60" : "no-store"])
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<1000 { group.addTask { _ = try await bench.get() } }
      head.set()
      try await group.waitForAll()
    }
    #expect(bench.seen.all.count == 1000)
  }

  @Test func aLeaderThatIsCancelledIsFollowed() async throws {
    let (head, arrived) = (Signal(), Counter())
    let bench = try CacheBench { _ in
      if arrived.add() == 1 {
        try await sleepUntilCancelled()
      }
      await head.wait()
      return .of("body", 200, ["Cache-Control": "max-age=60"])
    }
    let leader = Task { try await bench.get() }
    while arrived.value == 0 { await Task.yield() }
    let others = (0..<5).map { _ in Task { try await bench.get() } }
    while bench.events.all.count(where: Self.isJoined) < 5 { await Task.yield() }
    leader.cancel()
    head.set()
    for other in others { #expect(try await other.value.body == "body") }
    await #expect(throws: CancellationError.self) { try await leader.value }
    #expect(bench.seen.all.count == 2)
  }

  @Test func aReaderThatLeavesDoesNotDisturbTheOthers() async throws {
    let gate = Signal()
    let bench = try CacheBench { _ in Self.large(gate) }
    let leader = try await bench.client.send(.get("a"))
    let second = Task { try await Self.read(try await bench.client.send(.get("a")), isSlow: false) }
    while !bench.events.all.contains(where: Self.isJoined) { await Task.yield() }
    leader.body.cancel()
    gate.set()
    #expect(try await second.value == 4 << 20)
  }

  @Test func aBodyThatIsNotReadToItsEndIsNotStored() async throws {
    let gate = Signal()
    gate.set()
    let bench = try CacheBench { _ in Self.large(gate) }
    let response = try await bench.client.send(.get("a"))
    response.body.cancel()
    let second = try await bench.client.send(.get("a"))
    #expect(second.source == .network)
    #expect(try await Self.read(second, isSlow: false) == 4 << 20)
    #expect(try await bench.client.send(.get("a")).source == .cache)
  }

  @Test func aFailureIsNotShared() async throws {
    let (head, arrived) = (Signal(), Counter())
    let bench = try CacheBench { _ in
      await head.wait()
      if arrived.add() == 1 { throw ExchangeError(.connectionReset, "gone") }
      return .of("body", 200, ["Cache-Control": "max-age=60"])
    }
    let tasks = (0..<10).map { _ in Task { try await bench.get() } }
    while bench.events.all.count(where: Self.isJoined) < 9 { await Task.yield() }
    head.set()
    var failures = 0
    for task in tasks {
      do {
        #expect(try await task.value.body == "body")
      } catch {
        failures += 1
      }
    }
    #expect(failures == 1)
  }

  /// The answer of its second look-up is late.
  private final class LateStore: StoreOverMemory {
    let isInMemory = true
    let memory = MemoryCacheStore()
    let lookUps = Counter()
    let (lookedUp, gate) = (Signal(), Signal())

    func lookUp(_ key: CacheKey) async throws -> CacheLookup {
      let found = try await memory.lookUp(key)
      if lookUps.add() == 2 {
        lookedUp.set()
        await gate.wait()
      }
      return found
    }
  }

  @Test func aRequestThatMissedTheFlightLooksUpAgain() async throws {
    let (store, head) = (LateStore(), Signal())
    let bench = try CacheBench(store) { _ in
      await head.wait()
      return .of("body", 200, ["Cache-Control": "max-age=60"])
    }
    let first = Task { try await bench.get() }
    while bench.seen.all.isEmpty { await Task.yield() }
    let second = Task { try await bench.get() }
    await store.lookedUp.wait()
    head.set()
    #expect(try await first.value.body == "body")
    store.gate.set()
    #expect(try await second.value.body == "body")
    #expect(bench.seen.all.count == 1)
    #expect(store.lookUps.value == 3)
  }

  enum Answer: String, CaseIterable, Sendable {
    case noCache, isStale, isOfAnotherVariant, isNotUpdated, isNotStored
  }

  /// Requests that all have to ask the origin wait for one answer, and not for one after the other.
  @Test(arguments: Answer.allCases) func aRequestThatMustAskWaitsOnce(_ answer: Answer) async throws {
    let gate = Signal()
    let count = Counter()
    let store: any CacheStore =
      switch answer {
      case .isNotUpdated: FailingStoreTests.Store(.update, isInMemory: true)
      case .isNotStored: FailingStoreTests.Store(.commit, isInMemory: true)
      default: MemoryCacheStore()
      }
    let bench = try CacheBench(store) { request in
      let control = answer == .noCache ? "no-cache" : answer == .isStale ? "max-age=0" : "max-age=60"
      // The date gives `no-cache` a lifetime.
      var fields: HTTPFields = [
        .cacheControl: control, .eTag: "\"1\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
      ]
      if answer == .isOfAnotherVariant { fields[.vary] = "X-V" }
      let number = count.add()
      if number == 2 { await gate.wait() }
      if answer == .isStale || answer == .isNotStored { return Response(.ok, fields: fields, body: .empty) }
      if number == 1 { return Response(.ok, fields: fields, body: .bytes("body")) }
      if answer == .noCache { fields[.cacheControl] = nil }
      return Response(.notModified, fields: fields, body: .empty)
    }
    _ = try await bench.get("a", ["X-V": "1"])
    // Requests are sent alone for a while after what was not for others.
    bench.time.advance(by: .seconds(100))
    let tasks = (0..<10).map { _ in Task { try await bench.get("a", ["X-V": "2"]) } }
    while bench.events.all.count(where: Self.isJoined) < 9 { await Task.yield() }
    gate.set()
    for task in tasks { #expect(try await task.value.status == 200) }
    #expect(bench.events.all.count(where: Self.isJoined) == 9)
    #expect(count.value == 11)
  }

  /// Octets are compared: neither look equal characters the same, nor are octets that are no text absent.
  @Test(arguments: [("é", "e\u{301}"), (nil, "\u{FF}")], [false, true])
  func otherOctetsAreAnotherVariant(_ values: (String?, String), isLate: Bool) async throws {
    let name = HTTPField.Name("X-V")!
    func field(_ value: String) -> HTTPField {
      // Latin-1 for what no string holds.
      values.0 == nil
        ? HTTPField(name: name, lenientValue: value.unicodeScalars.map { UInt8($0.value) })
        : HTTPField(name: name, value: value)
    }
    let gate = HistoryOrigin.Gate(holdsHead: false)
    let head = Signal()
    let count = Counter()
    let bench = try CacheBench { _ in
      let number = count.add()
      if number == 1 { await head.wait() }
      let body = HistoryBody(
        Array("\(number)\(number)".utf8),
        chunk: 1,
        cut: nil,
        gate: number == 1 ? gate : nil
      )
      let fields: HTTPFields = [.cacheControl: "max-age=60", .vary: "X-V"]
      return Response(.ok, fields: fields, body: Response.Body(source: body))
    }
    let first = Task {
      try await bench.get(set: { if let value = values.0 { $0.fields.append(field(value)) } })
    }
    while count.value == 0 { await Task.yield() }
    if isLate {
      head.set()
      await gate.reached.wait()
    }
    let second = Task { try await bench.get(set: { $0.fields.append(field(values.1)) }) }
    if !isLate {
      while !bench.events.all.contains(where: Self.isJoined) { await Task.yield() }
      head.set()
    }
    for _ in 0..<1000 where count.value < 2 { await Task.yield() }
    gate.opened.set()
    #expect(try await first.value.body == "11")
    #expect(try await second.value.body == "22")
  }
}
