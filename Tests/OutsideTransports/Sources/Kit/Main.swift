import Foundation
import OutsideCURL
import StagecoachConformance

/// Runs the conformance kit over the transports of this package; exits with 1 if a check fails that is not listed.
@main
struct Main {
  static func main() async throws {
    let checks = try Check.all()
    let results = await withTaskGroup(of: [CheckResult].self) { group in
      for subject in [Subjects.curl, Subjects.socket] {
        group.addTask {
          var results: [CheckResult] = []
          for check in checks { results.append(await subject.run(check)) }
          return results
        }
      }
      var results: [CheckResult] = []
      for await part in group { results += part }
      return results
    }
    for result in results where result.outcome == .fail {
      print("\(result.transport)  \(result.check.id)  \(result.reason)")
    }
    let matrix = ConformanceMatrix(results)
    print(matrix.summary)
    guard matrix.count(of: .fail) == 0 else { exit(1) }
  }
}
