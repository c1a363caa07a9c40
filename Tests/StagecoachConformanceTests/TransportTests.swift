import ConformanceSubjects
import Foundation
import StagecoachConformance
import Testing

/// Each check over each transport is a case of its own: the transport's name and the check's id stand in the results.
///
/// One at a time: they move much data, and look at what happens meanwhile. All transports take several minutes, so
/// that only with `STAGECOACH_CONFORMANCE=all` in the environment those are run that no other test here stands on; with
/// a transport's name there, that one is. A recorder above a transport, and a replay, are held to the same.
@Suite(.serialized) struct TransportTests {
  private static let subjects: [Subject] = {
    let asked = ProcessInfo.processInfo.environment["STAGECOACH_CONFORMANCE"]
    let names = asked.map { [$0] } ?? ["AsyncHTTPClient", "CURL", "Replay"]
    return (Subjects.all + Subjects.fixtures).filter {
      asked == "all" || $0.name.hasPrefix("Handler") || names.contains($0.name)
    }
  }()

  @Test(arguments: subjects, try Check.all())
  func theTransportPassesTheCheck(subject: Subject, check: Check) async {
    let result = await subject.run(check)
    #expect(result.outcome != .fail, "\(check.title): \(result.reason)")
  }
}
