import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport
import Testing

/// Nobody gets what is another's.
@Suite struct CachePartitionTests {
  private static func bench(
    _ store: any CacheStore = MemoryCacheStore(),
    isShared: Bool = false,
    _ control: String = "max-age=60"
  ) throws -> CacheBench {
    let count = Counter()
    return try CacheBench(store, isShared: isShared) { _ in
      .of("\(count.add())", 200, ["Cache-Control": control])
    }
  }

  @Test func credentialsOfTheCallerKeepApart() async throws {
    let bench = try Self.bench()
    #expect(try await bench.get("a", ["Authorization": "Bearer a"]).body == "1")
    #expect(try await bench.get("a", ["Authorization": "Bearer b"]).body == "2")
    #expect(try await bench.get("a").body == "3")
    #expect(try await bench.get("a", ["Authorization": "Bearer a"]).body == "1")
    #expect(try await bench.get("a").body == "3")
  }

  @Test func optionsKeepApart() async throws {
    let bench = try Self.bench()
    #expect(try await bench.get { $0.options.cachePartition = "ada" }.body == "1")
    #expect(try await bench.get { $0.options.cachePartition = "bob" }.body == "2")
    #expect(try await bench.get { $0.options.cachePartition = "ada" }.body == "1")
    // The partition stands in for the credential.
    #expect(
      try await bench.get("a", ["Authorization": "Bearer x"]) { $0.options.cachePartition = "ada" }.body
        == "1"
    )
  }

  @Test func aStoreOfSeveralClientsKeepsApart() async throws {
    let store = MemoryCacheStore()
    let (one, two) = (try Self.bench(store), try Self.bench(store))
    #expect(try await one.get("a", ["Authorization": "Bearer a"]).body == "1")
    #expect(try await two.get("a", ["Authorization": "Bearer b"]).source == .network)
    #expect(try await two.get("a", ["Authorization": "Bearer a"]).source == .cache)
  }

  @Test func aSharedCacheSharesWhatIsPublic() async throws {
    let bench = try Self.bench(isShared: true, "public, max-age=60")
    #expect(try await bench.get("a", ["Authorization": "Bearer a"]).body == "1")
    #expect(try await bench.get("a", ["Authorization": "Bearer b"]).body == "1")
    let plain = try Self.bench(isShared: true)
    #expect(try await plain.get("a", ["Authorization": "Bearer a"]).body == "1")
    #expect(try await plain.get("a", ["Authorization": "Bearer a"]).body == "2")
  }

  @Test func digestKeepsItsEntryFromRequestToRequest() async throws {
    let count = Counter()
    let store = MemoryCredentialStore()
    try store.set(Credential(user: "ada", password: "secret"), for: "http://h")
    let bench = try CacheBench(
      pipeline: { .standard(over: $0, authentication: Authentication(store: store), cache: $1) }
    ) { request in
      guard request.fields.contains(.authorization) else {
        return .of(
          "",
          401,
          ["WWW-Authenticate": "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"]
        )
      }
      return .of("\(count.add())", 200, ["Cache-Control": "max-age=60"])
    }
    #expect(try await bench.get().body == "1")
    let second = try await bench.get()
    #expect(second.source == .cache)
    #expect(second.body == "1")
    // Another one's entry, although the path is the same.
    #expect(try await bench.get("a", ["Authorization": "Digest username=\"bob\""]).body == "2")
  }

  @Test func whatCameUnverifiedIsNotStored() async throws {
    let bench = try Self.bench()
    var trust = Trust()
    trust.verification = .noneForTesting
    let own = trust
    #expect(try await bench.get { $0.options.trust = own }.body == "1")
    #expect(try await bench.get { $0.options.trust = own }.body == "2")
    var pinned = Trust()
    pinned.pins = []
    let pins = pinned
    #expect(try await bench.get().body == "3")
    #expect(try await bench.get { $0.options.trust = pins }.body == "4")
    #expect(try await bench.get().body == "3")
  }

  /// A transport that was made with settings of its own.
  private struct Declaring: Transport {
    let base: any Transport
    var trust = Trust()
    var connections = ConnectionOptions()

    func send(_ request: Request) async throws -> Response { try await base.send(request) }
  }

  @Test func theSettingsOfTheTransportCount() async throws {
    let store = MemoryCacheStore()
    let count = Counter()
    func bench(trust: Trust = Trust(), connections: ConnectionOptions = ConnectionOptions()) throws
      -> CacheBench
    {
      try CacheBench(
        store,
        pipeline: { transport, cache in
          let declaring = Declaring(base: transport, trust: trust, connections: connections)
          // Also below a pipeline in a pipeline.
          return .standard(over: Pipeline(over: declaring) {}, cache: cache)
        }
      ) { _ in .of("\(count.add())", 200, ["Cache-Control": "max-age=60"]) }
    }
    var unverified = Trust()
    unverified.verification = .noneForTesting
    var (socket, address) = (ConnectionOptions(), ConnectionOptions())
    socket.unixSocket = "/run/test.sock"
    address.addresses = ["h": "127.0.0.2"]
    #expect(try await bench().get().body == "1")
    #expect(try await bench(trust: unverified).get().body == "2")
    #expect(try await bench(trust: unverified).get().body == "3")
    #expect(try await bench(connections: socket).get().body == "4")
    #expect(try await bench(connections: address).get().body == "5")
    #expect(try await bench(connections: socket).get().body == "4")
    #expect(try await bench(connections: address).get().body == "5")
    #expect(try await bench().get().body == "1")
  }

  @Test func sensitiveNominatedFieldsAreNotReadable() async throws {
    let store = MemoryCacheStore()
    let bench = try CacheBench(store) { _ in
      .of("x", 200, ["Cache-Control": "max-age=60", "Vary": "Cookie, X-Plain"])
    }
    _ = try await bench.get("a", ["Cookie": "id=secret", "X-Plain": "p"])
    let found = try await store.lookUp(CacheKey(url: "http://h/a"))
    let vary = try #require(found.entries.first).response.vary
    #expect(vary.map(\.name) == ["cookie", "x-plain"])
    #expect(vary[0].value?.contains("secret") == false)
    #expect(vary[1].value == "p")
    #expect(try await bench.get("a", ["Cookie": "id=secret", "X-Plain": "p"]).source == .cache)
    #expect(try await bench.get("a", ["Cookie": "id=other", "X-Plain": "p"]).source == .network)
  }
}
