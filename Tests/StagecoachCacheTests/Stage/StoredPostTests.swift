import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport
import Testing

/// Responses to POST that are stored for GET (RFC 9110 9.3.3).
@Suite(.timeLimit(.minutes(1))) struct StoredPostTests {
  private static let fields: [String: String] = [
    "Cache-Control": "max-age=60", "Content-Location": "/a", "ETag": "\"1\"", "Content-Length": "3",
  ]

  @Test func getAndHeadUseItAndPostDoesNot() async throws {
    let bench = try CacheBench { _ in .of("new", 200, Self.fields) }
    _ = try await bench.get(method: .post)
    #expect(try await bench.get().source == .cache)
    #expect(try await bench.get(method: .head).source == .cache)
    #expect(try await bench.get(method: .post).source == .network)
    #expect(bench.seen.all.count == 2)
  }

  /// RFC 9111 4.4: the response may be older than the other change.
  @Test(arguments: [true, false])
  func anotherChangeMeanwhileKeepsItFromBeingStored(isOneCache: Bool) async throws {
    let store = MemoryCacheStore()
    let (arrived, opened) = (Signal(), Signal())
    let handler: CacheBench.Handler = { request in
      if request.method == .post {
        arrived.set()
        await opened.wait()
        return .of("old", 200, Self.fields)
      }
      return request.method == .delete ? .of("", 204) : .of("new", 200, Self.fields)
    }
    let poster = try CacheBench(store, handler)
    let other = isOneCache ? poster : try CacheBench(store, handler)
    async let post = poster.get(method: .post)
    await arrived.wait()
    _ = try await other.get(method: .delete)
    opened.set()
    #expect(try await post.body == "old")
    #expect(try await other.get().body == "new")
  }

  /// RFC 9111 3.3: incomplete responses are stored of GET alone.
  @Test func aCutPostResponseIsNotStored() async throws {
    let bench = try CacheBench { request in
      let isPost = request.method == .post
      let body = HistoryBody(Array("new".utf8), chunk: 1, cut: isPost ? 2 : nil, gate: nil)
      var response = Response.of("", 200, Self.fields)
      response.body = Response.Body(source: body, length: 3)
      return response
    }
    await #expect(throws: ExchangeError.self) { try await bench.get(method: .post) }
    #expect(try await bench.get("a", ["Range": "bytes=0-1"]).source == .network)
    #expect(bench.seen.all.last?.fields[.ifRange] == nil)
  }
}
