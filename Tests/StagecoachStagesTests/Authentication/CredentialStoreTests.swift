import HTTPTypes
import Stagecoach
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CredentialStoreTests {
  private struct Eager: CredentialStore {
    let ada = Credential(user: "ada", password: "secret")

    func credential(for space: ProtectionSpace) -> Credential? { ada }

    func preemptiveCredential(for request: HTTPRequest) -> Credential? {
      request.authority == "h" ? ada : nil
    }
  }

  private static func space(_ realm: String) throws -> ProtectionSpace {
    try ProtectionSpace(origin: TargetURI(parsing: "https://h").origin, realm: realm)
  }

  @Test func aStoreMaySendACredentialPreemptively() async throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    let client = try Authentication(store: Eager()).client(over: transport)
    for url in ["https://h/", "https://h/a", "https://other/"] { _ = try await client.send(.get(url)) }
    let sent = "Basic YWRhOnNlY3JldA=="
    #expect(transport.requests.map(\.authorization) == [sent, sent, nil])
  }

  @Test func removalIsOfOneRealmOrOfAll() throws {
    let store = MemoryCredentialStore()
    for realm in ["a", "b", nil] as [String?] {
      try store.set(Credential(user: realm ?? "any", password: "x", realm: realm), for: "https://h")
    }
    func users() throws -> [String?] {
      try ["a", "b", "c"].map { try store.credential(for: Self.space($0))?.user }
    }
    #expect(try users() == ["a", "b", "any"])
    try store.removeCredentials(for: "https://h:443/x", realm: "a")
    #expect(try users() == ["any", "b", "any"])
    try store.removeCredentials(for: "https://h")
    #expect(try users() == [nil, nil, nil])
  }

  /// A store of one origin, whose first answer waits.
  private final class Slow: CredentialStore {
    private let state = Mutex((user: "old", revision: 0, questions: 0))
    let asked = Signal()
    let go = Signal()

    func credential(for space: ProtectionSpace) async -> Credential? {
      guard space.origin.host == "h" else { return nil }
      let (user, isFirst) = state.withLock { state in
        state.questions += 1
        return (state.user, state.questions == 1)
      }
      if isFirst {
        asked.set()
        await go.wait()
      }
      return Credential(user: user, password: "x")
    }

    var revision: Int { state.withLock { $0.revision } }

    func change(to user: String) {
      state.withLock { state in
        state.user = user
        state.revision += 1
      }
    }
  }

  @Test func whatAStoreSaidBeforeItChangedIsNotKept() async throws {
    let transport = HandlerTransport { request in
      request.authorization == nil ? .challenge(#"Basic realm="r""#) : Response(.ok)
    }
    let store = Slow()
    let client = try Authentication(store: store).client(over: transport)
    let first = Task { try await client.send(.get("https://h/")) }
    await store.asked.wait()
    store.change(to: "new")
    // This one sees that the store has changed, before the word of the old one arrives.
    _ = try await client.send(.get("https://other/"))
    store.go.set()
    #expect(try await first.value.status == .ok)
    for _ in 0..<2 { #expect(try await client.send(.get("https://h/")).status == .ok) }
    let users = transport.requests.map { $0.authorization.flatMap(BasicCredentials.decode)?.user }
    #expect(users == [nil, nil, "old", nil, "new", "new"])
  }

  /// The account may have been made meanwhile.
  @Test func whatWasRefusedIsTriedAgainOnceTheStoreHasChanged() async throws {
    let isKnown = Atomic(false)
    let transport = HandlerTransport { request in
      isKnown.load(ordering: .relaxed) && request.authorization != nil
        ? Response(.ok) : .challenge("Basic realm=r")
    }
    let (store, credential) = (MemoryCredentialStore(), Credential(user: "ada", password: "secret"))
    try store.set(credential, for: "https://h")
    let client = try Authentication(store: store).client(over: transport)
    #expect(try await client.send(.get("https://h/a/b")).status == .unauthorized)
    isKnown.store(true, ordering: .relaxed)
    #expect(try await client.send(.get("https://h/a/b")).status == .unauthorized)
    try store.set(credential, for: "https://h")
    #expect(try await client.send(.get("https://h/a/b")).status == .ok)
    #expect(transport.requests.map { $0.authorization != nil } == [false, true, false, false, true])
  }
}
