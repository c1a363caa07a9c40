import HTTPTypes
import Testing

@testable import StagecoachCache

private let part = "Cache-Control: max-age=60\nETag: \"a\"\n"

/// RFC 9111 3.4: combining parts.
@Suite struct CombiningTests {
  private func stored(_ range: String, _ more: String = "", tag: String = "\"a\"") throws -> CacheEntry {
    try privateRules.entry(
      "Cache-Control: max-age=60\nETag: \(tag)\nContent-Range: bytes \(range)\n\(more)",
      206,
      to: request("Range: bytes=\(range.split(separator: "/")[0])")
    )
  }

  @Test(arguments: [
    ("0-4/10", "5-9/10", "stored 0-5, new 0-5", "200"),
    ("5-9/10", "0-4/10", "new 0-5, stored 0-5", "200"),
    ("0-6/10", "4-9/10", "stored 0-7, new 3-6", "200"),
    ("4-9/10", "0-6/10", "new 0-4, stored 0-6", "200"),
    ("0-3/10", "4-7/10", "stored 0-4, new 0-4", "206 bytes 0-7/10"),
    ("3-5/10", "1-7/10", "new 0-2, stored 0-3, new 5-7", "206 bytes 1-7/10"),
    ("1-7/10", "3-5/10", "stored 0-7", "206 bytes 1-7/10"),
    ("3-5/10", "0-9/10", "new 0-3, stored 0-3, new 6-10", "200"),
  ])
  func partsThatTouchAreCombined(old: String, new: String, pieces: String, head: String) throws {
    let fresh = try stored(new)
    let combination = try #require(
      privateRules.combined(stored(old), with: fresh.response, length: fresh.length)
    )
    let text = combination.pieces.map { piece in
      switch piece {
      case .stored(let range): "stored \(range.lowerBound)-\(range.upperBound)"
      case .new(let range): "new \(range.lowerBound)-\(range.upperBound)"
      }
    }
    #expect(text.joined(separator: ", ") == pieces)
    let response = combination.response.head
    let range = response.headerFields[.contentRange].map { " \($0)" } ?? ""
    #expect("\(response.status.code)\(range)" == head)
    #expect((combination.response.part == nil) == (response.status == .ok))
    let count = combination.pieces.reduce(0) { count, piece in
      switch piece {
      case .stored(let range), .new(let range): count + range.count
      }
    }
    #expect(response.headerFields[.contentLength] == String(count))
  }

  @Test func partsWithAGapOrAnotherVersionAreNotCombined() throws {
    let old = try stored("0-3/10")
    #expect(privateRules.combined(old, with: try stored("5-9/10").response, length: 5) == nil, "gap")
    #expect(privateRules.combined(old, with: try stored("4-9/11").response, length: 6) == nil, "total")
    #expect(
      privateRules.combined(old, with: try stored("4-9/10", tag: "\"b\"").response, length: 6) == nil,
      "tag"
    )
    var weak = try stored("4-9/10").response
    weak.head.headerFields[.eTag] = "W/\"a\""
    #expect(privateRules.combined(old, with: weak, length: 6) == nil, "weak")
    var complete = old
    complete.response.part = nil
    #expect(
      privateRules.combined(complete, with: try stored("4-9/10").response, length: 6) == nil,
      "complete"
    )
    #expect(
      privateRules.combined(old, with: try stored("4-9/10").response, length: 7) == nil,
      "longer than declared"
    )
    #expect(privateRules.combined(old, with: try stored("4-9/10").response, length: 0) == nil, "empty")
    #expect(privateRules.combined(old, with: try stored("4-9/10").response, length: .max) == nil, "overflow")
  }

  @Test func theNewFieldsAreUsed() throws {
    let old = try stored("0-4/10", "A: 1\nB: 1")
    var new = try stored("5-9/10", "B: 2")
    new.response.vary = [CachedResponse.Nominated(name: "foo", value: "1")]
    let response = try #require(privateRules.combined(old, with: new.response, length: 5)).response
    #expect(response.head.headerFields[.init("A")!] == "1")
    #expect(response.head.headerFields[.init("B")!] == "2")
    #expect(response.vary == new.response.vary)
  }
}
