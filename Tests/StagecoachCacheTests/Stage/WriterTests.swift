import HTTPTypes
import Stagecoach
import StagecoachCache
import Synchronization
import TestSupport
import Testing

/// A writer of a store is used by one task at a time.
@Suite(.timeLimit(.minutes(15))) struct WriterTests {
  /// What the second chunk of a writer waits for, and whether it was used meanwhile.
  private final class Watch: Sendable {
    let (arrived, opened) = (Signal(), Signal())
    let appends = Counter()
    let isAppending = Atomic(false)
    let overlaps = Counter()
  }

  private struct Writer: CacheWriter {
    let writer: any CacheWriter
    let watch: Watch

    func read(at offset: Int64, upTo count: Int) async throws -> Bytes {
      try await writer.read(at: offset, upTo: count)
    }

    func append(_ chunk: Bytes) async throws {
      watch.isAppending.store(true, ordering: .relaxed)
      defer { watch.isAppending.store(false, ordering: .relaxed) }
      if watch.appends.add() == 2 {
        watch.arrived.set()
        await watch.opened.wait()
      }
      try await writer.append(chunk)
    }

    func commit(_ response: CachedResponse) async throws -> Bool {
      if watch.isAppending.load(ordering: .relaxed) { watch.overlaps.add() }
      return try await writer.commit(response)
    }

    func abandon() { writer.abandon() }
  }

  private struct Store: StoreOverMemory {
    let memory = MemoryCacheStore()
    let watch: Watch
    // No time limit.
    var isInMemory: Bool { true }

    func makeWriter(
      for key: CacheKey,
      _ response: CachedResponse,
      generation: UInt64
    ) async throws -> any CacheWriter {
      let writer = try await memory.makeWriter(for: key, response, generation: generation)
      return Writer(writer: writer, watch: watch)
    }
  }

  private static func isStored(_ event: CacheEvent) -> Bool {
    if case .stored = event { true } else { false }
  }

  @Test func abandoningDuringAWriteEndsAfterIt() async throws {
    let watch = Watch()
    let bench = try CacheBench(Store(watch: watch), pipeline: { Pipeline(over: $0, stages: [$1]) }) { _ in
      let source = ScriptedSource([.chunk("0123"), .chunk("4567"), .chunk("89")])
      let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\"", .contentLength: "10"]
      return Response(.ok, fields: fields, body: Response.Body(source: source, length: 10))
    }
    let response = try await bench.client.send(.get("a"))
    let reading = Task { try await response.body.collect(upTo: 100) }
    await watch.arrived.wait()
    response.body.cancel()
    for _ in 0..<1000 where watch.overlaps.value == 0 { await Task.yield() }
    watch.opened.set()
    _ = try? await reading.value
    while !bench.events.all.contains(where: Self.isStored) { await Task.yield() }
    #expect(watch.overlaps.value == 0)
    let part = try await bench.get("a", ["Range": "bytes=5-7"])
    #expect(part.source == .cache)
    #expect(part.body == "567")
  }
}
