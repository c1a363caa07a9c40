import HTTPTypes
import Stagecoach
import StagecoachCache
import Synchronization
import TestSupport
import Testing

/// After a change nothing older is served (RFC 9111 4.4).
@Suite(.timeLimit(.minutes(15))) struct ChangeTests {
  /// A proxy passes targets on as they came.
  @Test(arguments: ["/a|b", "/x/../y", "/%zz", "/a?q={1}", "//a", "/" + String(repeating: "a", count: 16384)])
  func targetsThatAreNotInTheirNormalForm(_ path: String) async throws {
    let version = Counter()
    let transport = HandlerTransport { request in
      guard request.method == .get else { return .of("\(version.add())") }
      return .of("\(version.value)", 200, ["Cache-Control": "max-age=60"])
    }
    let pipeline = Pipeline(over: transport, stages: [Cache()])
    func body(_ method: HTTPRequest.Method) async throws -> Bytes {
      let head = HTTPRequest(method: method, scheme: "http", authority: "h", path: path)
      return try await pipeline.send(Request(head: head, body: .empty)).body.collect(upTo: 10)
    }
    #expect(try await body(.get) == Bytes("0"))
    _ = try await body(.put)
    #expect(try await body(.get) == Bytes("1"))
  }

  /// A store whose invalidations fail or hang as long as it is broken.
  private final class Store: StoreOverMemory {
    let memory = MemoryCacheStore()
    let hangs: Bool
    let isBroken = Atomic(true)
    let repaired = Signal()
    // What hangs needs the time limit; what fails is not to be left alone.
    var isInMemory: Bool { !hangs }

    init(hangs: Bool = false) { self.hangs = hangs }

    func repair() {
      isBroken.store(false, ordering: .relaxed)
      repaired.set()
    }

    func invalidate(url: String) async throws {
      if isBroken.load(ordering: .relaxed) {
        guard hangs else { throw CacheStoreError.unavailable("broken") }
        await repaired.wait()
      }
      try await memory.invalidate(url: url)
    }
  }

  @Test(arguments: [false, true]) func anInvalidationThatIsLostIsMadeUpFor(hangs: Bool) async throws {
    let version = Counter()
    let store = Store(hangs: hangs)
    defer { store.repair() }
    let bench = try CacheBench(store) { request in
      guard request.method == .get else { return .of("\(version.add())") }
      return .of("\(version.value)", 200, ["Cache-Control": "max-age=60"])
    }
    #expect(try await bench.get().body == "0")
    _ = try await bench.get(method: .put)
    #expect(try await bench.get().body == "1")
    store.repair()
    #expect(try await bench.get().body == "1")
    // Once it was made up for, the store is used again. What hung may come late, and only costs a hit.
    if !hangs { #expect(try await bench.get().source == .cache) }
  }

  /// More are lost than are remembered.
  @Test func noneOfManyLostInvalidationsLetsTheOldComeBack() async throws {
    let version = Counter()
    let store = Store()
    let bench = try CacheBench(store) { request in
      guard request.method == .get else { return .of("\(version.add())") }
      return .of("\(version.value)", 200, ["Cache-Control": "max-age=60"])
    }
    for path in ["0", "4199"] { #expect(try await bench.get(path).body == "0") }
    for number in 0..<4200 { _ = try await bench.get("\(number)", method: .put) }
    store.repair()
    for path in ["0", "4199"] { #expect(try await bench.get(path).body == "4200") }
    bench.time.advance(by: .seconds(1))
    #expect(try await bench.get("1").source == .network)
    #expect(try await bench.get("1").source == .cache)
  }
}
