import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport
import Testing

/// The modes of the Fetch standard, on a fresh response and on a stale one.
@Suite struct CacheModeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let mode: CacheMode
    let isFresh: Bool
    let source: Response.Source
    /// The origin answers a condition with 304.
    var requests = 2
    var testDescription: String { "\(mode) \(isFresh)" }
  }

  @Test(arguments: [
    Row(mode: .default, isFresh: true, source: .cache, requests: 1),
    Row(mode: .default, isFresh: false, source: .validated),
    Row(mode: .noStore, isFresh: true, source: .network),
    Row(mode: .reload, isFresh: true, source: .network),
    Row(mode: .noCache, isFresh: true, source: .validated),
    Row(mode: .noCache, isFresh: false, source: .validated),
    Row(mode: .forceCache, isFresh: true, source: .cache, requests: 1),
    Row(mode: .forceCache, isFresh: false, source: .stale, requests: 1),
    Row(mode: .onlyIfCached, isFresh: false, source: .stale, requests: 1),
  ])
  func eachModeAnswersWithAStoredResponse(_ row: Row) async throws {
    let bench = try CacheBench { request in
      request.fields.contains(.ifNoneMatch)
        ? .of("", 304, ["ETag": "\"1\"", "Cache-Control": "max-age=60"])
        : .of("body", 200, ["ETag": "\"1\"", "Cache-Control": "max-age=60"])
    }
    _ = try await bench.get()
    if !row.isFresh { bench.time.advance(by: .seconds(100)) }
    let answer = try await bench.get(mode: row.mode)
    #expect(answer.source == row.source)
    #expect(answer.body == "body")
    #expect(bench.seen.all.count == row.requests)
  }

  @Test func eachModeAnswersWithoutAStoredResponse() async throws {
    let bench = try CacheBench { _ in .of("body", 200, ["Cache-Control": "max-age=60"]) }
    let only = try await bench.get(mode: .onlyIfCached)
    #expect(only.status == 504)
    #expect(bench.seen.all.isEmpty)
    #expect(try await bench.get(mode: .noStore).source == .network)
    #expect(try await bench.get(mode: .onlyIfCached).status == 504)
    #expect(try await bench.get(mode: .reload).source == .network)
    #expect(bench.seen.all.last?.fields[.cacheControl] == "no-cache")
    #expect(try await bench.get(mode: .forceCache).source == .cache)
  }

  @Test func immutableOverridesOnlyNoCache() async throws {
    let bench = try CacheBench { _ in
      .of("body", 200, ["ETag": "\"1\"", "Cache-Control": "max-age=60, immutable"])
    }
    _ = try await bench.get()
    #expect(try await bench.get(mode: .noCache).source == .cache)
    #expect(try await bench.get("a", ["Cache-Control": "max-age=0"]).source == .cache)
    #expect(try await bench.get(mode: .reload).source == .network)
  }

  @Test func theCallersConditionsAreAnswered() async throws {
    let bench = try CacheBench { _ in .of("body", 200, ["ETag": "\"1\"", "Cache-Control": "max-age=60"]) }
    _ = try await bench.get()
    let same = try await bench.get("a", ["If-None-Match": "\"1\""])
    #expect(same.status == 304)
    #expect(same.source == .cache)
    #expect(same.body == "")
    #expect(try await bench.get("a", ["If-None-Match": "\"2\""]).status == 200)
    #expect(bench.seen.all.count == 1)
  }

  @Test func headIsAnsweredFromGet() async throws {
    let bench = try CacheBench { _ in
      .of("body", 200, ["Cache-Control": "max-age=60", "Content-Length": "4"])
    }
    _ = try await bench.get()
    let head = try await bench.get(method: .head)
    #expect(head.source == .cache)
    #expect(head.body == "")
    #expect(head["Content-Length"] == "4")
  }

  @Test func unsafeMethodsInvalidate() async throws {
    let count = Counter()
    let bench = try CacheBench { request in
      if request.method == .get { return .of("\(count.add())", 200, ["Cache-Control": "max-age=60"]) }
      return .of(
        "",
        request.head.path == "/fails" ? 500 : 201,
        ["Location": "/b", "Content-Location": "http://o/c"]
      )
    }
    for path in ["a", "b", "fails"] { _ = try await bench.get(path) }
    _ = try await bench.get("fails", method: .put)
    #expect(try await bench.get("fails").source == .cache)
    _ = try await bench.get("a", method: .post)
    #expect(try await bench.get("a").source == .network)
    #expect(try await bench.get("b").source == .network)
    #expect(
      bench.events.all.contains {
        if case .invalidated(["http://h/a", "http://h/b"]) = $0 { true } else { false }
      }
    )
  }

  @Test func aPostThatSaysItIsTheTargetIsStoredForGet() async throws {
    let bench = try CacheBench { request in
      .of("new", 200, ["Cache-Control": "max-age=60", "Content-Location": "/a"])
    }
    let post = try await bench.get("a", method: .post) { $0.body = .bytes("x") }
    #expect(post["Cache-Status"] == "Stagecoach; fwd=method; fwd-status=200; stored")
    let answer = try await bench.get("a")
    #expect(answer.source == .cache)
    #expect(answer.body == "new")
  }

  @Test func onlyIfCachedSendsNothing() async throws {
    let bench = try CacheBench { _ in .of("x") }
    for method: HTTPRequest.Method in [.get, .head, .post, .put] {
      #expect(try await bench.get(mode: .onlyIfCached, method: method).status == 504)
    }
    #expect(bench.seen.all.isEmpty)
  }
}
