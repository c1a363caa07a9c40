import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport
import Testing

/// What the histories have found, one by one.
@Suite(.timeLimit(.minutes(1))) struct CollapsingOfHistoriesTests {
  /// RFC 9111 5.2.2.4: such a response answers no other request before the origin has confirmed it.
  @Test func aNoCacheResponseIsNotShared() async throws {
    let (arrived, opened) = (Signal(), Signal())
    let bench = try CacheBench { _ in
      arrived.set()
      await opened.wait()
      return .of("body", 200, ["Cache-Control": "no-cache, max-age=60", "ETag": "\"1\""])
    }
    async let first = bench.get()
    await arrived.wait()
    async let second = bench.get()
    while !bench.events.all.contains(where: { $0.description == CacheEvent.joined.description }) {
      await Task.yield()
    }
    opened.set()
    _ = try await (first, second)
    #expect(bench.seen.all.count == 2)
  }

  /// RFC 9111 4.4: the response was made before the change, which is known when the last request begins.
  @Test(arguments: [true, false])
  func aRequestAfterAChangeJoinsNoOlderFlight(isOneCache: Bool) async throws {
    let store = MemoryCacheStore()
    let version = Counter()
    let (arrived, headOpened) = (Signal(), Signal())
    let gate = HistoryOrigin.Gate(holdsHead: false)
    let handler: CacheBench.Handler = { request in
      if request.method == .put {
        version.add()
        return .of("", 204)
      }
      let body = Bytes("version \(version.value)")
      let fields: HTTPFields = [.cacheControl: "max-age=60", .vary: "X-User"]
      guard version.value == 0 else { return Response(.ok, fields: fields, body: .bytes(body)) }
      arrived.set()
      await headOpened.wait()
      let held = HistoryBody(body.array, chunk: 3, cut: nil, gate: gate)
      return Response(.ok, fields: fields, body: Response.Body(source: held))
    }
    let reader = try CacheBench(store, handler)
    let writer = isOneCache ? reader : try CacheBench(store, handler)
    async let first = reader.get()
    await arrived.wait()
    if !isOneCache { headOpened.set() }
    _ = try await writer.get(method: .put)
    headOpened.set()
    while !reader.events.all.contains(where: { $0.description == CacheEvent.storing.description }) {
      await Task.yield()
    }
    async let last = reader.get()
    for _ in 0..<1000 where reader.seen.all.count < 2 { await Task.yield() }
    gate.opened.set()
    #expect(try await first.body == "version 0")
    #expect(try await last.body == "version 1")
  }

  /// RFC 9111 4.2: a body may take longer than its response is fresh.
  @Test func aLateJoinerGetsNothingStale() async throws {
    let gate = HistoryOrigin.Gate(holdsHead: false)
    let count = Counter()
    let bench = try CacheBench { _ in
      let body = Bytes("body \(count.add())")
      let fields: HTTPFields = [.cacheControl: "max-age=5", .eTag: "\"1\""]
      guard count.value == 1 else { return Response(.ok, fields: fields, body: .bytes(body)) }
      return Response(
        .ok,
        fields: fields,
        body: Response.Body(source: HistoryBody(body.array, chunk: 3, cut: nil, gate: gate))
      )
    }
    async let first = bench.get()
    await gate.reached.wait()
    bench.time.advance(by: .seconds(10))
    async let last = bench.get()
    for _ in 0..<1000 where bench.seen.all.count < 2 { await Task.yield() }
    gate.opened.set()
    #expect(try await first.body == "body 1")
    #expect(try await last.body == "body 2")
  }
}
