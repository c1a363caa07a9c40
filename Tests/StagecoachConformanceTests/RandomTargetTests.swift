import ConformanceSubjects
import Foundation
import Stagecoach
import Testing

@testable import StagecoachConformance

/// Random targets over each transport, which arrive octet for octet or are refused unsent: 400, or as many as
/// `STAGECOACH_RANDOM_TARGETS` says, of another seed each time it is set.
@Suite(.serialized) struct RandomTargetTests {
  @Test(arguments: Subjects.all)
  func eachArrivesOrIsRefused(subject: Subject) async {
    let wanted = ProcessInfo.processInfo.environment["STAGECOACH_RANDOM_TARGETS"].flatMap { Int($0) }
    let seed = wanted == nil ? 1 : UInt64.random(in: 0 ... .max)
    let check = Check("900-random-targets", "each target arrives or is refused", runsInProcess: true) {
      trial in
      let random = RandomTarget(SeededRandom(seed: seed))
      try await Check.requireTargets((0..<(wanted ?? 400)).map { _ in random.next() }, trial)
    }
    let result = await subject.run(check, within: .seconds(600))
    #expect(result.outcome == .pass, "seed \(seed): \(result.reason)")
  }

  /// Else the test above would show nothing.
  @Test func randomTargetsCoverEverythingThatRFC3986Allows() {
    let random = RandomTarget(SeededRandom(seed: 1))
    let text = (RandomTarget.escapes + (0..<400).map { _ in random.next() }).joined()
    let allowed = Set(text.utf8)
    #expect(
      allowed
        == Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?%".utf8)
    )
    for octet in 0...255 as ClosedRange<Int> {
      let digits = (octet < 16 ? "0" : "") + String(octet, radix: 16)
      #expect(text.contains("%\(digits)") && text.contains("%\(digits.uppercased())"))
    }
    let parts = ["//", "/./", "/../", "/.../", "??"].filter { !text.contains($0) }
    #expect(parts == [], "which are missing")
  }
}
