import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CacheTests {
  @Test func aFreshResponseIsUsed() async throws {
    let bench = try CacheBench { _ in .of("body", 200, ["Cache-Control": "max-age=60", "ETag": "\"1\""]) }
    let first = try await bench.get()
    #expect(first.source == .network)
    #expect(first["Cache-Status"] == "Stagecoach; fwd=uri-miss; fwd-status=200; stored")
    bench.time.advance(by: .seconds(10))
    let second = try await bench.get()
    #expect(second.source == .cache)
    #expect(second.body == "body")
    #expect(second["Age"] == "10")
    #expect(second["Cache-Status"] == "Stagecoach; hit; ttl=50")
    #expect(bench.seen.all.count == 1)
  }

  @Test func aStaleResponseIsValidated() async throws {
    let bench = try CacheBench { request in
      if request.fields[.ifNoneMatch] == "\"1\"" {
        return .of("", 304, ["Cache-Control": "max-age=60", "ETag": "\"1\"", "X-New": "yes"])
      }
      return .of("body", 200, ["Cache-Control": "max-age=60", "ETag": "\"1\""])
    }
    _ = try await bench.get()
    bench.time.advance(by: .seconds(61))
    let second = try await bench.get()
    #expect(second.source == .validated)
    #expect(second.status == 200)
    #expect(second.body == "body")
    #expect(second["X-New"] == "yes")
    #expect(second["Cache-Status"] == "Stagecoach; fwd=stale; fwd-status=304; ttl=60; stored")
    #expect(try await bench.get().source == .cache)
    #expect(bench.seen.all.count == 2)
  }

  @Test func aChangedResponseReplaces() async throws {
    let count = Counter()
    let bench = try CacheBench { _ in
      let number = count.add()
      return .of("body \(number)", 200, ["Cache-Control": "max-age=60", "ETag": "\"\(number)\""])
    }
    #expect(try await bench.get().body == "body 1")
    bench.time.advance(by: .seconds(61))
    #expect(try await bench.get().body == "body 2")
    let third = try await bench.get()
    #expect(third.body == "body 2")
    #expect(third.source == .cache)
  }
}
