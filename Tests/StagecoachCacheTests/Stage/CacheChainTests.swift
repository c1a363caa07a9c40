import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport
import Testing

/// The stages above the cache in the standard chain know what a stored response means.
@Suite struct CacheChainTests {
  @Test func retryDoesNotRepeatWhatTheCacheAnswered() async throws {
    let count = Counter()
    let transport = HandlerTransport { _ in
      count.add()
      return .of("later", 503, ["Cache-Control": "max-age=60"])
    }
    let cache = Cache()
    let response = try await Client(Pipeline(over: transport, stages: [cache])).send(.get("http://h/a"))
    _ = try await response.body.collect(upTo: 100)
    let client = try Client(.standard(over: transport, validation: nil, cache: cache))
    #expect(try await client.send(.get("http://h/a")).source == .cache)
    #expect(count.value == 1)
  }

  @Test func anAttemptDoesNotGetTheFailureThatTheOneBeforeHasStored() async throws {
    let count = Counter()
    let transport = HandlerTransport { _ in
      count.add() < 3 ? .of("later", 503, ["Cache-Control": "max-age=60"]) : .of("now")
    }
    let client = try Client(.standard(over: transport, cache: Cache()))
    var policy = RetryPolicy(attempts: 3)
    policy.delay = .milliseconds(1)
    let request = Request.get("http://h/a").with(\.retryPolicy, policy)
    #expect(try await client.send(request).body.collect(upTo: 100) == Bytes("now"))
    #expect(count.value == 3)
  }

  @Test func cookiesOfAStoredResponseAreNotSetAgain() async throws {
    let jar = CookieJar()
    let count = Counter()
    let bench = try CacheBench(
      pipeline: { .standard(over: $0, validation: nil, cookies: Cookies(jar: jar), cache: $1) }
    ) { request in
      let number = count.add()
      if request.fields.contains(.ifNoneMatch) {
        return .of("", 304, ["ETag": "\"1\"", "Set-Cookie": "b=\(number)"])
      }
      return .of("x", 200, ["Cache-Control": "no-cache", "ETag": "\"1\"", "Set-Cookie": "a=\(number)"])
    }
    func cookies() -> [String] {
      jar.cookies(at: bench.time.date).map { "\($0.name)=\($0.value ?? "")" }.sorted()
    }
    _ = try await bench.get()
    #expect(cookies() == ["a=1"])
    jar.removeAll()
    let validated = try await bench.get()
    #expect(validated.source == .validated)
    #expect(cookies() == ["b=2"])
    jar.removeAll()
    let stored = try await bench.get(mode: .forceCache)
    #expect(stored.source == .cache || stored.source == .stale)
    #expect(stored["Set-Cookie"] != nil)
    #expect(cookies() == [])
  }

  @Test func redirectsOfTheCacheCount() async throws {
    let bench = try CacheBench { request in
      if request.head.path == "/a" {
        return .of("", 301, ["Location": "/b", "Cache-Control": "max-age=60"])
      }
      return .of("b", 200, ["Cache-Control": "no-store"])
    }
    #expect(try await bench.get().response.history.count == 1)
    let second = try await bench.get()
    #expect(second.body == "b")
    #expect(second.response.history.count == 1)
    #expect(bench.seen.all.map { $0.head.path } == ["/a", "/b", "/b"])
  }

  @Test func codedContentIsStoredAsItCame() async throws {
    let bench = try CacheBench { request in
      #if ContentCoding
        #expect(request.fields[.acceptEncoding] != nil)
      #endif
      return .of("plain", 200, ["Cache-Control": "max-age=60", "Vary": "Accept-Encoding"])
    }
    #expect(try await bench.get().body == "plain")
    #expect(try await bench.get().source == .cache)
  }

  @Test func aHookDecidesWhatIsStored() async throws {
    let bench = try CacheBench(
      pipeline: { transport, cache in
        Pipeline(over: transport) {
          CacheHook { response, request in
            guard request.head.path != "/never" else { return nil }
            var response = response
            response.headerFields[HTTPField.Name("X-Stored")!] = "yes"
            return response
          }
          cache
        }
      }
    ) { _ in .of("x", 200, ["Cache-Control": "max-age=60"]) }
    #expect(try await bench.get()["X-Stored"] == nil)
    #expect(try await bench.get()["X-Stored"] == "yes")
    _ = try await bench.get("never")
    #expect(try await bench.get("never").source == .network)
  }

  @Test func theCallersKeysReplaceURLs() async throws {
    let bench = try CacheBench(key: { request, url in
      request.head.path == "/none" ? nil : String(url.prefix { $0 != "?" })
    }) { _ in .of("x", 200, ["Cache-Control": "max-age=60"]) }
    _ = try await bench.get("a?session=1")
    #expect(try await bench.get("a?session=2").source == .cache)
    _ = try await bench.get("none")
    #expect(try await bench.get("none").source == .network)
  }

  @Test func theCacheOfAClientStandsBelowItsCookies() throws {
    let client = try Client(over: HandlerTransport { _ in Response(.ok) }, cache: Cache())
    #expect(client.pipeline.description.contains("Cookies ▸ Cache ▸ HandlerTransport"))
  }

  @Test(arguments: [false, true]) func cookiesOfAStoredBeginningAreNotSetAgain(isShared: Bool) async throws {
    let jar = CookieJar()
    let bench = try CacheBench(
      isShared: isShared,
      pipeline: { Pipeline(over: $0, stages: [Cookies(jar: jar), $1]) }
    ) { request in
      let isFirst = request.fields[.range] == "bytes=0-3"
      var fields = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
      fields["Content-Range"] = isFirst ? "bytes 0-3/10" : "bytes 4-9/10"
      // Only a shared cache does not store it.
      fields["Set-Cookie"] = isFirst ? "a=1" : isShared ? "b=2" : nil
      return .of(isFirst ? "0123" : "456789", 206, fields)
    }
    _ = try await bench.get("a", ["Range": "bytes=0-3"])
    jar.removeAll()
    #expect(try await bench.get().body == "0123456789")
    #expect(jar.cookies(at: bench.time.date).map(\.name) == (isShared ? ["b"] : []))
  }
}
