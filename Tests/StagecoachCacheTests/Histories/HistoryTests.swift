import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Each user's content and cookies carry a mark, and a model of the RFC says where a mark may arrive.
///
/// `STAGECOACH_SOAK_HISTORIES=2000` is the long form.
@Suite(.timeLimit(.minutes(10))) struct HistoryTests {
  private static let wanted = ProcessInfo.processInfo.environment["STAGECOACH_SOAK_HISTORIES"].flatMap(
    Int.init
  )

  @Test(arguments: [false, true], [false, true])
  func randomHistoriesLeakNoPrivateOrStaleContent(isShared: Bool, isJoint: Bool) async throws {
    var sum = HistoryRun.Tally()
    for seed in 0..<UInt64(Self.wanted ?? 12) {
      var run = try HistoryRun(seed: seed, isShared: isShared, isJoint: isJoint)
      let tally = await run.play(steps: 60)
      sum += tally
      for complaint in tally.complaints.prefix(3) { Issue.record("seed \(seed): \(complaint)") }
      if sum.complaints.count > 20 { break }
    }
    print("histories, \(isShared ? "shared" : "private"), \(isJoint ? "one cache" : "three caches"): \(sum)")
    // Otherwise nothing was tried.
    #expect(sum.hits > sum.deliveries / 20)
    #expect(sum.validated > sum.deliveries / 50)
    #expect(min(sum.stale, sum.joined, sum.parts, sum.toOthers, sum.authenticated) > 0)
    // A shared cache stores nothing that was posted.
    #expect((sum.posted > 0) == !isShared)
    // Without the trait nothing is stored that has the field.
    #if StructuredFields
      #expect(!isShared || sum.targeted > 0)
    #endif
  }
}
