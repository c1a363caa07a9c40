#if canImport(Glibc)
  import HTTPTypes
  import Stagecoach
  import StagecoachCache
  import TestSupport
  import Testing

  /// An exchange leaves nothing behind but the entry in the store, however it ends.
  @Suite(.timeLimit(.minutes(15))) struct CacheMemoryTests {
    /// In a process of its own, so that its memory is that of these exchanges alone.
    @Test func exchangesLeaveNothing() async {
      await #expect(processExitsWith: .success) {
        try await checkCache { MemoryCacheStore() }
        try await checkBackground()
        try await checkFailingStore()
      }
    }

    #if SQLite
      @Test func exchangesWithADiskStoreLeaveNothing() async throws {
        let scratch = try ScratchDirectory()
        await #expect(processExitsWith: .success) { [path = scratch.path as String] in
          let count = Counter()
          try await checkCache { try DiskCacheStore(folder: "\(path)/\(count.add())") }
        }
      }
    #endif
  }

  private func client(
    _ store: any CacheStore,
    answer: @escaping @Sendable (Request) async throws -> Response
  ) throws -> Client {
    let pipeline = Pipeline.standard(
      over: HandlerTransport(recordLimit: 0, answer),
      validation: nil,
      cache: Cache(store)
    )
    return try Client(pipeline, base: "http://h/")
  }

  private func request(_ mode: CacheMode) -> Request { Request.get("a").with(\.cacheMode, mode) }

  private func checkCache(_ makeStore: () throws -> any CacheStore) async throws {
    let fresh = try client(makeStore()) { request in
      for _ in 0..<10 { await Task.yield() }
      return Response(.ok, fields: [.cacheControl: "max-age=3600"], body: .large())
    }
    try await fresh.read(.get("a"))
    try await expectNoGrowth("hits") { _ in try await fresh.read(.get("a")) }
    try await expectNoGrowth("hits that are dropped") { _ in _ = try await fresh.send(.get("a"))
    }
    try await expectNoGrowth("responses that are stored") { _ in
      try await fresh.read(request(.reload))
    }
    try await expectNoGrowth("responses that are dropped") { _ in
      _ = try await fresh.send(request(.reload))
    }
    try await expectNoGrowth("responses that are read in part") { _ in
      for try await _ in try await fresh.send(request(.reload)).body { break }
    }
    try await expectNoGrowth("invalidations") { _ in
      try await fresh.read(.post("a"))
      try await fresh.read(.get("a"))
    }
    try await expectNoGrowth("responses that are collapsed") { _ in
      try await fresh.read(.post("a"))
      async let first: Void = fresh.read(.get("a"))
      async let second: Void = fresh.read(.get("a"))
      async let third = fresh.send(.get("a"))
      _ = try await (first, second, third)
    }
    try await expectNoGrowth("collapsed requests that are cancelled") { _ in
      try await fresh.read(.post("a"))
      let tasks = (0..<4).map { _ in Task { try await fresh.read(.get("a")) } }
      for _ in 0..<10 { await Task.yield() }
      tasks[0].cancel()
      tasks[2].cancel()
      for task in tasks { _ = await task.result }
    }
    let stale = try client(makeStore()) { request in
      if request.fields.contains(.ifNoneMatch) { return Response(.notModified, fields: [.eTag: "\"1\""]) }
      return Response(.ok, fields: [.cacheControl: "no-cache", .eTag: "\"1\""], body: .large())
    }
    try await expectNoGrowth("validations") { _ in try await stale.read(.get("a")) }
    let secret = try client(makeStore()) { _ in
      Response(.ok, fields: [.cacheControl: "no-store"], body: .large())
    }
    try await expectNoGrowth("responses that are not stored") { _ in
      try await secret.read(.get("a"))
    }
    let cut = try client(makeStore()) { _ in
      Response(.ok, fields: [.cacheControl: "max-age=3600"], body: .cut())
    }
    try await expectNoGrowth("responses that are cut") { _ in
      try await failing { try await cut.read(.get("a")) }
    }
    let endless = try client(makeStore()) { _ in
      Response(.ok, fields: [.cacheControl: "max-age=3600"], body: .endless())
    }
    try await expectNoGrowth("readers that are cancelled") { _ in
      try await cancelling { started in
        for try await _ in try await endless.send(.get("a")).body { started.set() }
        try Task.checkCancellation()
      }
    }
    let unreachable = try client(makeStore()) { _ in throw ExchangeError(.connectionReset, "reset") }
    try await expectNoGrowth("failures") { _ in
      try await failing {
        try await unreachable.read(Request.get("a").with(\.retryPolicy, .never))
      }
    }
  }

  private func checkBackground() async throws {
    let store = MemoryCacheStore()
    let count = Counter()
    let refreshed = try client(store) { request in
      count.add()
      return Response(
        .ok,
        fields: [.cacheControl: "max-age=0, stale-while-revalidate=3600", .eTag: "\"\(count.value)\""],
        body: .large()
      )
    }
    try await expectNoGrowth("validations in the background") { _ in
      try await refreshed.read(.get("a"))
      for _ in 0..<20 { await Task.yield() }
    }
  }

  private func checkFailingStore() async throws {
    let broken = try client(BrokenStore()) { _ in
      Response(.ok, fields: [.cacheControl: "max-age=3600"], body: .large())
    }
    try await expectNoGrowth("stores that fail") { _ in try await broken.read(.get("a")) }
  }

  /// A store that finds nothing, and fails in the middle of a body.
  private struct BrokenStore: CacheStore {
    struct Failure: Error {}

    func salt() async throws -> Bytes { Bytes("salt") }
    func lookUp(_ key: CacheKey) async throws -> CacheLookup { CacheLookup(entries: [], generation: 1) }
    func content(of entry: CacheEntry) async throws -> (any CacheContent)? { nil }
    func makeWriter(
      for key: CacheKey,
      _ response: CachedResponse,
      generation: UInt64
    ) async throws -> any CacheWriter { Writer() }
    func update(_ entry: CacheEntry, of key: CacheKey, to response: CachedResponse) async throws {}
    func remove(_ entry: CacheEntry, of key: CacheKey) async throws {}
    func invalidate(url: String) async throws {}

    struct Writer: CacheWriter {
      func append(_ chunk: Bytes) async throws { throw Failure() }
      func read(at offset: Int64, upTo count: Int) async throws -> Bytes { throw Failure() }
      func commit(_ response: CachedResponse) async throws -> Bool { throw Failure() }
      func abandon() {}
    }
  }
#endif
