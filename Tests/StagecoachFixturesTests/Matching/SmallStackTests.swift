import Foundation
import StagecoachCore
import Testing

@testable import StagecoachFixtures

/// Comparing is recursive: the deepest bodies have to fit the stack of a task on Apple's systems, 512 KiB.
@Suite struct SmallStackTests {
  @Test func theDeepestBodiesFitASmallStack() async {
    let mismatches = await withCheckedContinuation { continuation in
      let thread = Thread {
        let json = Self.nested("[{\"a\":", "1", "}]", JSONComparison.limits.depth / 2)
        let xml = Self.nested("<a>", "", "</a>", XMLComparison.greatestDepth)
        let rules: MatchRules = [
          MatchRule(.body, matchers: [.type(min: 1), .notEmpty]),
          MatchRule(.body, at: RulePath([.any]), matchers: [.eachValue([.eachValue([.type()])])]),
        ]
        continuation.resume(
          returning: bodyMismatches(json, json) + bodyMismatches(json, json, rules)
            + bodyMismatches(xml, xml, type: "application/xml")
        )
      }
      thread.stackSize = 512 * 1024
      thread.start()
    }
    #expect(mismatches == [])
  }

  /// So do patterns, their samples and their machines.
  @Test func theDeepestPatternFitsASmallStack() async {
    let matches = await withCheckedContinuation { continuation in
      let thread = Thread {
        let pattern = Self.nested("(?i:", "a", ")?", 49)
        let context = GeneratorContext(randomSource: SeededRandom(seed: 1))
        let sample = Result { () throws(GeneratorError) in try RegexSample(pattern).text(in: context) }
        continuation.resume(returning: sample)
      }
      thread.stackSize = 512 * 1024
      thread.start()
    }
    #expect(throws: Never.self) { try matches.get() }
  }

  private static func nested(_ start: String, _ middle: String, _ end: String, _ depth: Int) -> String {
    String(repeating: start, count: depth) + middle + String(repeating: end, count: depth)
  }
}
