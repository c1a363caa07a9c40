import HTTPTypes
import Stagecoach
import StagecoachCache
import TestSupport
import Testing

/// A private and a shared cache over one store, as two programs over one folder.
@Suite(.timeLimit(.minutes(1))) struct ModesOverOneStoreTests {
  /// What a private cache keeps for its user, with cookies, is not for those of a shared one (RFC 9111 5.2.2.7).
  @Test func aSharedCacheDoesNotUseWhatAPrivateOneKeeps() async throws {
    let store = MemoryCacheStore()
    let handler: CacheBench.Handler = { request in
      .of(
        "for \(request.fields[.cookie] ?? "nobody")",
        200,
        ["Cache-Control": "private, max-age=60", "Set-Cookie": "a=b"]
      )
    }
    let own = try CacheBench(store, handler)
    let shared = try CacheBench(store, isShared: true, handler)
    #expect(try await own.get("a", ["Cookie": "user=ann"]).body == "for user=ann")
    let other = try await shared.get()
    #expect(other.body == "for nobody")
    #expect(other.source == .network)
  }
}
