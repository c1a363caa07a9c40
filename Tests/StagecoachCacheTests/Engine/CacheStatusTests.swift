import Testing

@testable import StagecoachCache

/// RFC 9211.
@Suite struct CacheStatusTests {
  @Test(arguments: [
    (CacheStatus(isHit: true, ttl: 5), "Stagecoach; hit; ttl=5"),
    (CacheStatus(isHit: true, ttl: -412), "Stagecoach; hit; ttl=-412"),
    (CacheStatus(forward: .uriMiss, isStored: true), "Stagecoach; fwd=uri-miss; stored"),
    (CacheStatus(forward: .varyMiss, isCollapsed: true), "Stagecoach; fwd=vary-miss; collapsed"),
    (
      CacheStatus(forward: .stale, forwardStatus: 304, ttl: 60, isStored: true, isCollapsed: true),
      "Stagecoach; fwd=stale; fwd-status=304; ttl=60; stored; collapsed"
    ),
    (
      CacheStatus(forward: .bypass, detail: "a \"b\\c\u{E9}\u{7}\u{7F}\n"),
      "Stagecoach; fwd=bypass; detail=\"a \\\"b\\\\c\""
    ),
    (CacheStatus(forward: .method), "Stagecoach; fwd=method"),
    (CacheStatus(forward: .miss), "Stagecoach; fwd=miss"),
    (CacheStatus(forward: .request), "Stagecoach; fwd=request"),
    (CacheStatus(forward: .partial), "Stagecoach; fwd=partial"),
  ])
  func writesTheMembersOfAStatus(status: CacheStatus, text: String) {
    #expect(status.description == text)
  }
}
