import Foundation
import Testing

@testable import StagecoachCache

/// When a response without a validator can be used no more.
@Suite struct EndOfUseTests {
  struct Row: Sendable {
    var fields: String
    var isShared = false
    var end: Double

    init(_ fields: String, shared: Bool = false, _ end: Double) {
      self.fields = fields
      isShared = shared
      self.end = end
    }
  }

  @Test(arguments: [
    Row("Cache-Control: max-age=60", 60), Row("Cache-Control: max-age=60\nAge: 50", 10),
    Row("Cache-Control: max-age=60\nAge: 80", -20), Row("Expires: {60}", 60),
    Row("Cache-Control: max-age=60, no-cache, stale-if-error=9", 0),
    Row("Cache-Control: max-age=60, stale-while-revalidate=30", 91),
    Row("Cache-Control: max-age=60, stale-if-error=30", 91),
    Row("Cache-Control: max-age=60, stale-if-error=0", 61),
    Row("Cache-Control: max-age=60, stale-if-error=30, stale-while-revalidate=10", 91),
    Row("Cache-Control: max-age=60, stale-if-error=30, must-revalidate", 60),
    Row("Cache-Control: max-age=60, stale-if-error=30, proxy-revalidate", 91),
    Row("Cache-Control: max-age=60, stale-if-error=30, proxy-revalidate", shared: true, 60),
    Row("Cache-Control: max-age=60, s-maxage=90, stale-if-error=30", 91),
    Row("Cache-Control: max-age=60, s-maxage=90, stale-if-error=30", shared: true, 90),
  ])
  func endsWithTheLastUse(_ row: Row) throws {
    let rules = row.isShared ? sharedRules : privateRules
    let entry = try rules.entry(row.fields)
    #expect(entry.response.endOfUse == time(row.end))
    func isUsed(at seconds: Double) -> Bool {
      if case .serve = rules.act(on: request(), [entry], at: seconds) { return true }
      let answer = rules.staleAnswer(
        among: [entry],
        for: request(),
        after: .unreachable,
        mode: .default,
        at: time(seconds),
        conceal: conceal
      )
      if case .serve = answer { return true }
      return false
    }
    #expect(!isUsed(at: max(row.end, 0)))
    if row.end > 0 { #expect(isUsed(at: row.end - 0.5)) }
  }

  @Test(arguments: [
    "Cache-Control: max-age=60\nETag: \"a\"", "Cache-Control: max-age=60\nETag: W/\"a\"",
    "Cache-Control: no-cache\nLast-Modified: {-100}",
  ])
  func aResponseWithAValidatorHasNoEndOfUse(_ fields: String) throws {
    #expect(try privateRules.entry(fields).response.endOfUse == nil)
  }

  @Test func aRenewedLifetimePutsTheEndOff() throws {
    let entry = try privateRules.entry("Cache-Control: max-age=60")
    let freshening = privateRules.apply304("Cache-Control: max-age=600", to: [entry])
    #expect(freshening.updates.map(\.response.endOfUse) == [time(700)])
  }
}
