import HTTPTypes
import Stagecoach
import StagecoachCache
import Synchronization
import TestSupport
import Testing

/// A store that fails, hangs or lies fails no request.
@Suite(.timeLimit(.minutes(15))) struct FailingStoreTests {
  struct Broken: Error {}

  enum Fault: Sendable, CaseIterable {
    case salt, lookUp, hangingLookUp, makeWriter, append, hangingAppend, commit, update, content, read
  }

  /// A store in memory with a fault, which only begins when it is told to.
  final class Store: StoreOverMemory {
    let memory = MemoryCacheStore()
    let fault: Fault
    /// Whether it is called without a limit of time, and however often it has failed.
    let isInMemory: Bool
    let isBroken = Atomic(true)
    let lookUps = Counter()
    /// Ends what hangs.
    let release = Signal()

    init(_ fault: Fault, isInMemory: Bool = false) {
      self.fault = fault
      self.isInMemory = isInMemory
    }

    func check(_ fault: Fault) async throws {
      guard fault == self.fault, isBroken.load(ordering: .relaxed) else { return }
      switch fault {
      // Deaf to its task, as a call of the system is.
      case .hangingLookUp, .hangingAppend: await release.wait()
      default: throw Broken()
      }
    }

    func salt() async throws -> Bytes {
      try await check(.salt)
      return try await memory.salt()
    }

    func lookUp(_ key: CacheKey) async throws -> CacheLookup {
      lookUps.add()
      try await check(.lookUp)
      try await check(.hangingLookUp)
      return try await memory.lookUp(key)
    }

    func content(of entry: CacheEntry) async throws -> (any CacheContent)? {
      try await check(.content)
      guard let content = try await memory.content(of: entry) else { return nil }
      return Content(store: self, content: content)
    }

    func makeWriter(
      for key: CacheKey,
      _ response: CachedResponse,
      generation: UInt64
    ) async throws -> any CacheWriter {
      try await check(.makeWriter)
      return Writer(
        store: self,
        writer: try await memory.makeWriter(for: key, response, generation: generation)
      )
    }

    func update(_ entry: CacheEntry, of key: CacheKey, to response: CachedResponse) async throws {
      try await check(.update)
      try await memory.update(entry, of: key, to: response)
    }
  }

  struct Content: CacheContent {
    let store: Store
    let content: any CacheContent

    func read(at offset: Int64, upTo count: Int) async throws -> Bytes {
      try await store.check(.read)
      return try await content.read(at: offset, upTo: count)
    }
  }

  struct Writer: CacheWriter {
    let store: Store
    let writer: any CacheWriter

    func read(at offset: Int64, upTo count: Int) async throws -> Bytes {
      try await writer.read(at: offset, upTo: count)
    }

    func append(_ chunk: Bytes) async throws {
      try await store.check(.append)
      try await store.check(.hangingAppend)
      try await writer.append(chunk)
    }

    func commit(_ response: CachedResponse) async throws -> Bool {
      try await store.check(.commit)
      return try await writer.commit(response)
    }

    func abandon() { writer.abandon() }
  }

  @Test(arguments: Fault.allCases) func aFailingStoreFailsNoRequest(_ fault: Fault) async throws {
    let store = Store(fault)
    defer { store.release.set() }
    let bench = try CacheBench(store) { request in
      let fields = ["Cache-Control": fault == .update ? "max-age=0" : "max-age=60", "ETag": "\"1\""]
      return request.fields.contains(.ifNoneMatch) ? .of("", 304, fields) : .of("body", 200, fields)
    }
    for _ in 0..<3 { #expect(try await bench.get().body == "body") }
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<10 { group.addTask { try await bench.get().body } }
      for try await body in group { #expect(body == "body") }
    }
    let told = bench.events.all.contains { event in
      switch event {
      case .storeFailed, .notStored: true
      default: false
      }
    }
    #expect(told)
  }

  @Test func aStoreThatHangsIsDisabled() async throws {
    let store = Store(.hangingLookUp)
    defer { store.release.set() }
    let bench = try CacheBench(store) { _ in .of("body", 200, ["Cache-Control": "max-age=60"]) }
    for _ in 0..<20 { #expect(try await bench.get().body == "body") }
    #expect(store.lookUps.value == 5)
  }
}
