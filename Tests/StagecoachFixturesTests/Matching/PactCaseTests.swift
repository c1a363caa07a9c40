import StagecoachCore
import Testing

@testable import StagecoachFixtures

/// The published verdict cases, as far as they are present.
@Suite struct PactCaseTests {
  static let paths = PactFiles.paths(in: PactFiles.cases, withExtension: "json")

  @Test(arguments: paths)
  func agreesWithTheVerdictOfTheCase(of path: String) throws {
    let bytes = try PactFiles.contents(of: path, in: PactFiles.cases)
    let verdict = try PactCase(contents: Bytes(bytes), path: path).verdict
    #expect(verdict.isRight, "\(path): \(verdict.reason)")
  }

  @Test func countByVersion() throws {
    var counts: [String: (right: Int, all: Int)] = [:]
    for path in Self.paths {
      let bytes = try PactFiles.contents(of: path, in: PactFiles.cases)
      let verdict = try PactCase(contents: Bytes(bytes), path: path).verdict
      let version = String(path.prefix { $0 != "/" })
      counts[version, default: (0, 0)].all += 1
      counts[version, default: (0, 0)].right += verdict.isRight ? 1 : 0
    }
    for (version, count) in counts.sorted(by: { $0.key < $1.key }) {
      print("Pact \(version): \(count.right) of \(count.all) cases right")
    }
  }

  @Test(arguments: ["a.json", "version-9/testcases/request/body/a.json", "version-3/testcases/other/a.json"])
  func refusesAPathWithoutVersionOrKind(path: String) {
    #expect(throws: PactFormatError.self) { try PactCase(contents: "{}", path: path) }
  }
}
