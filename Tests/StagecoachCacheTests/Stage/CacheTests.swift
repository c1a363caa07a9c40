import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct CacheTests {
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

  @Test func aBypassNamesItsReason() async throws {
    let bench = try CacheBench(key: { $0.head.path == "/none" ? nil : $1 }) { _ in
      .of("body", 200, ["Cache-Control": "max-age=60"])
    }
    let bypass = "Stagecoach; fwd=bypass; fwd-status=200; detail="
    #expect(try await bench.get(mode: .noStore)["Cache-Status"] == bypass + "\"the mode is noStore\"")
    #expect(try await bench.get("none")["Cache-Status"] == bypass + "\"the key function returned nil\"")
    let content = try await bench.get { $0.body = .bytes("x") }
    #expect(content["Cache-Status"] == bypass + "\"the request has content\"")
    #expect(try await bench.get(method: .put)["Cache-Status"] == "Stagecoach; fwd=method; fwd-status=200")
    let reasons = bench.events.all.compactMap { if case .bypassed(let reason) = $0 { reason } else { nil } }
    #expect(
      reasons == [
        "the mode is noStore", "the key function returned nil", "the request has content",
        "the method is PUT",
      ]
    )
  }

  @Test func aResponseThatIsTooLargeForTheStoreIsPassedOn() async throws {
    let body = String(repeating: "x", count: 5000)
    let bench = try CacheBench(MemoryCacheStore(capacity: 32_000)) { request in
      .of(
        body,
        200,
        request.head.path == "/declared" ? ["Content-Length": "5000", "ETag": "\"1\""] : ["ETag": "\"1\""]
      )
    }
    for path in ["declared", "grows"] { #expect(try await bench.get(path).body == body) }
    let reasons = bench.events.all.compactMap { if case .notStored(let reason) = $0 { reason } else { nil } }
    #expect(reasons.count == 2 && reasons.allSatisfy { $0.hasPrefix("the response is larger than the ") })
    #expect(try await bench.get("declared").source == .network)
  }
}
