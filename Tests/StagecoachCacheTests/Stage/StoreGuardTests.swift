import Testing

@testable import StagecoachCache

@Suite struct StoreGuardTests {
  @Test(arguments: [
    (CacheStoreError.tooLarge(limit: 1), true), (.full, true), (.unavailable("down"), false),
  ])
  func onlyABrokenStoreIsDisabled(_ error: CacheStoreError, _ isAsked: Bool) async {
    let store = StoreGuard(FailingStoreTests.Store(.salt))
    for _ in 0..<10 { await store.call({ _ in }) { _ -> Void in throw error } }
    let found = await store.call({ _ in }) { try await $0.lookUp(CacheKey(url: "http://h/")) }
    #expect((found != nil) == isAsked)
  }
  @Test func aStoreThatAnswersANeededCallIsAskedAgain() async {
    let store = StoreGuard(FailingStoreTests.Store(.salt))
    for _ in 0..<5 { await store.call({ _ in }) { _ -> Void in throw CacheStoreError.unavailable("down") } }
    #expect(await store.call({ _ in }) { _ in true } == nil)
    #expect(await store.call(isNeeded: true, { _ in }) { _ in true } == true)
    #expect(await store.call({ _ in }) { _ in true } == true)
  }
}
