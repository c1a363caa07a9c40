import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport
import Testing

/// What the stage has stored belongs to the store alone, so that it ends with its entry.
@Suite(.timeLimit(.minutes(15))) struct FullStoreTests {
  private static let size = 100_000

  private static func response(cut: Bool = false) -> Response {
    let chunk = Bytes([UInt8](repeating: 0x61, count: size / 10))
    let count = Counter()
    let body = Response.Body(
      AsyncThrowingStream<Bytes, any Error>(unfolding: {
        let number = count.add()
        if cut, number == 5 { throw ExchangeError(.connectionReset, "cut") }
        return number <= 10 ? chunk : nil
      }),
      length: Int64(size)
    )
    return Response(.ok, fields: [.cacheControl: "max-age=60", .contentLength: "\(size)"], body: body)
  }

  @Test func oldEntriesMakeRoomForNewOnes() async throws {
    let store = MemoryCacheStore(capacity: 10 * Self.size)
    let bench = try CacheBench(store) { _ in Self.response() }
    for number in 0..<50 {
      #expect(try await bench.get("\(number)").source == .network)
      #expect(try await bench.get("\(number)").source == .cache)
      #expect(store.size <= store.capacity)
    }
    #expect(store.count >= 8)
  }

  /// Joined, cut, left and collapsed ones among them.
  @Test func bodiesAreRemovedWithTheirEntry() async throws {
    let store = MemoryCacheStore()
    let bench = try CacheBench(store) { Self.response(cut: $0.head.path?.hasSuffix("cut") == true) }
    for number in 0..<20 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<5 { group.addTask { _ = try await bench.get("\(number)") } }
        try await group.waitForAll()
      }
      await #expect(throws: ExchangeError.self) { try await bench.get("\(number)-cut") }
      let left = try await bench.client.send(.get("\(number)-left"))
      for try await _ in left.body { break }
    }
    #expect(store.count > 0)
    for number in 0..<20 {
      for suffix in ["", "-cut", "-left"] { try await store.invalidate(url: "http://h/\(number)\(suffix)") }
    }
    // What was left is given up by tasks of their own.
    while store.size > 0 { await Task.yield() }
    #expect(store.count == 0)
  }
}
