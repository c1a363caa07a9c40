import TestSupport
import Testing

@testable import StagecoachFormats

/// The order is that of the standard library's comparison of texts, whatever the keys are made of.
@Suite struct KeyRankTests {
  /// The order as the definition says it.
  private func definition(_ keys: [String]) -> [Int] {
    keys.indices.sorted { keys[$0] == keys[$1] ? $0 < $1 : keys[$0] < keys[$1] }
  }

  private func order(_ keys: [String]) -> [Int] {
    KeyRank.order(of: keys.map { Parameters.Member(key: $0, value: .null) }).map(\.index)
  }

  @Test(
    arguments: [
      [], ["a"], ["b", "a"], ["a", "a", "a"], ["b", "a", "b", "a"], ["", "a", ""],
      // Shorter, as long as and longer than what is compared as a number, equal in it or not.
      ["123456789012345b", "123456789012345a"], ["12345678901234b", "12345678901234a", "12345678901234"],
      ["a long key with an end of 2", "a long key with an end of 1", "a long key with an end of 10"],
      // An end is before a NUL, which a number does not show.
      ["a\u{0}\u{0}", "a\u{0}", "a", "a\u{0}b"],
      // By the bytes of the composed form, "e" with an accent is after "f".
      ["f", "e\u{301}", "é", "e"], ["12345678901234f", "12345678901234e\u{301}", "12345678901234e"],
      ["123456789012345f", "123456789012345e\u{301}", "123456789012345e"],
      ["1234567890123456f", "1234567890123456e\u{301}", "1234567890123456e"],
      // Beyond the first plane, the order of UTF-16 would be another.
      ["\u{10000}", "\u{FFFF}", "~"],
    ]
  )
  func ordersKeysAsDefined(keys: [String]) {
    #expect(order(keys) == definition(keys))
  }

  @Test(arguments: 1...8)
  func ordersRandomKeysAsDefined(seed: UInt64) {
    var random = SplitMix(state: seed)
    for _ in 0..<200 {
      let prefix = String(repeating: "x", count: Int.random(in: 0...16, using: &random))
      let pieces = seed % 2 == 0 ? ["a", "b", "e", "f", "\u{0}"] : ["a", "e", "f", "\u{301}", "é", "€"]
      let keys = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        prefix
          + (0..<Int.random(in: 0...3, using: &random)).map { _ in
            pieces.randomElement(using: &random) ?? ""
          }
          .joined()
      }
      #expect(order(keys) == definition(keys), "\(keys)")
    }
  }
}
