import Foundation
import Stagecoach

@testable import StagecoachConformance

/// A transport that speaks on a wire, as nobody has asked for anything else; nil for one without.
func makeTransport(_ subject: Subject) -> (any Transport)? {
  guard case .wire(let make) = subject.kind else { return nil }
  return try? make(Subject.Setup())
}

/// How many files and connections this process has open, where the system tells.
func openDescriptors() throws -> Int {
  #if os(Linux)
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  #else
    return 0
  #endif
}
