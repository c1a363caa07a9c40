import HTTPTypes
import Testing

@testable import StagecoachCache

/// RFC 9111 4.3.5: what a response to HEAD does.
@Suite struct HeadTests {
  @Test(arguments: [
    ("ETag: \"a\"", "ETag: \"a\"\nX: 2", "pass updates 1"), ("ETag: \"a\"", "ETag: \"b\"", "pass removes 1"),
    ("ETag: \"a\"", "ETag: W/\"a\"", "pass removes 1"), ("ETag: \"a\"", "ETag: x", "pass removes 1"),
    ("", "ETag: \"a\"", "pass removes 1"),
    ("Last-Modified: {-9}", "Last-Modified: {-9}", "pass updates 1"),
    ("Last-Modified: {-9}", "Last-Modified: {-8}", "pass removes 1"),
    ("ETag: \"a\"", "ETag: \"a\"\nContent-Length: 10", "pass updates 1"),
    ("ETag: \"a\"", "ETag: \"a\"\nContent-Length: 11", "pass removes 1"),
    ("ETag: \"a\"", "ETag: \"a\"\nContent-Length: x", "pass removes 1"),
    ("ETag: \"a\"", "X: 2", "pass updates 1"),
    ("ETag: \"a\"", "ETag: \"a\"\nCache-Control: no-store", "pass removes 1"),
  ])
  func aResponseToHeadFreshensOrRemoves(stored: String, head: String, result: String) throws {
    let entry = try privateRules.entry("Cache-Control: max-age=5\n\(stored)")
    #expect(words(freshen([entry], head)) == result)
  }

  @Test func onlyEntriesThatMatchAreConcerned() throws {
    let entry = try privateRules.entry("Cache-Control: max-age=5\nVary: Foo", to: request("Foo: 1"))
    #expect(words(freshen([entry], "X: 1")) == "pass")
    let other = try privateRules.entry("Cache-Control: max-age=5")
    #expect(words(freshen([entry, other], "X: 1")) == "pass updates 1")
    #expect(words(freshen([other], "X: 1", status: 404)) == "pass")
    #expect(words(freshen([other], "Last-Modified: {0}", status: 404)) == "pass")
  }

  @Test(arguments: [
    UseRow("4", "Cache-Control: max-age=60", method: .head, gives: "serve"),
    UseRow("14.2", "Cache-Control: max-age=60", request: "Range: bytes=0-1", method: .head, gives: "serve"),
    UseRow("4", "Cache-Control: max-age=5", method: .head, gives: "forward stale"),
  ])
  func headIsAnsweredFromAStoredGet(_ row: UseRow) throws { try row.check() }

  private func freshen(_ entries: [CacheEntry], _ text: String, status: Int = 200) -> Freshening {
    privateRules.freshen(
      entries,
      byHead: response(text, status),
      request: request("", .head),
      sentAt: time(9),
      receivedAt: time(9),
      conceal: conceal
    )
  }
}
