import HTTPTypes
import Testing

@testable import StagecoachCache

/// RFC 9111 4.3.1 and 4.3.2: conditions that are sent and received.
@Suite struct ConditionTests {
  @Test(arguments: [
    UseRow("4.3.1", "Cache-Control: max-age=5\nETag: \"a\"", gives: "validate stale \"a\""),
    UseRow("4.3.1", "Cache-Control: max-age=5\nETag: W/\"a\"", gives: "validate stale W/\"a\""),
    UseRow("4.3.1", "Cache-Control: max-age=5\nLast-Modified: {-9}", gives: "validate stale since"),
    UseRow(
      "4.3.1",
      "Cache-Control: max-age=5\nETag: \"a\"\nLast-Modified: {-9}",
      gives: "validate stale \"a\" since"
    ),
    UseRow("4.3.1", "Cache-Control: max-age=5", gives: "forward stale"),
    UseRow("4.3.1", "Cache-Control: max-age=5\nETag: abc", gives: "forward stale"),
    UseRow("4.3.1", "Cache-Control: max-age=5\nETag: \"a", gives: "forward stale"),
    UseRow("4.3.1", "Cache-Control: max-age=5\nETag: \"a\"b\"", gives: "forward stale"),
    UseRow("twice", "Cache-Control: max-age=5\nETag: \"a\"\nETag: \"b\"", gives: "forward stale"),
    UseRow("twice", "Cache-Control: max-age=5\nETag: \"a\"\nETag: \"a\"", gives: "validate stale \"a\""),
    UseRow("4.3.1", "Cache-Control: max-age=5\nLast-Modified: x", gives: "forward stale"),
    UseRow(
      "4.3.1",
      "Cache-Control: max-age=5\nETag: \"a\"\nVary: Foo",
      "Cache-Control: max-age=5\nETag: \"b\"\nVary: Foo",
      gives: "validate stale \"b\", \"a\" of 2"
    ),
    UseRow(
      "4.3.1",
      "Cache-Control: max-age=5\nETag: \"a\"",
      "Cache-Control: max-age=5\nETag: \"a\"\nLast-Modified: {-9}",
      gives: "validate stale \"a\" of 2"
    ),
    UseRow(
      "4.3.1 HEAD",
      "Cache-Control: max-age=5\nETag: \"a\"",
      method: .head,
      gives: "validate stale \"a\""
    ),
    UseRow(
      "9110 13.2.2",
      "Cache-Control: max-age=5\nETag: \"a\"",
      request: "Range: bytes=0-1",
      gives: "validate stale \"a\""
    ),
  ])
  func sendsTheConditionsOfStoredEntries(_ row: UseRow) throws { try row.check() }

  @Test func theDateIsSentAsItCame() throws {
    let entry = try privateRules.entry(
      "Cache-Control: max-age=5\nLast-Modified: Sunday, 06-Nov-94 08:49:37 GMT"
    )
    guard case .validate(let fields, _, _) = privateRules.act(on: request("A: 1"), [entry], at: 9) else {
      Issue.record("not validated")
      return
    }
    #expect(fields[.ifModifiedSince] == "Sunday, 06-Nov-94 08:49:37 GMT")
    #expect(fields[.init("A")!] == "1")
  }

  @Test func atMostSixteenTagsAreSent() throws {
    let entries = try (1...40).map { index in
      try privateRules.entry(
        "Cache-Control: max-age=5\nETag: \"\(index)\"",
        at: Double(index) / 100,
        id: UInt64(index)
      )
    }
    guard case .validate(let fields, _, _) = privateRules.act(on: request(), entries, at: 9) else {
      Issue.record("not validated")
      return
    }
    #expect(fields[.ifNoneMatch]?.split(separator: ",").count == 16)
    #expect(fields[.ifNoneMatch]?.hasPrefix("\"40\",") == true)
  }

  /// The caller's conditions are evaluated against a fresh response (RFC 9111 4.3.2).
  @Test(arguments: [
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=60\nETag: \"a\"",
      request: "If-None-Match: \"a\"",
      gives: "serve 304"
    ),
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=60\nETag: W/\"a\"",
      request: "If-None-Match: W/\"a\"",
      gives: "serve 304"
    ),
    UseRow(
      "8.8.3.2",
      "Cache-Control: max-age=60\nETag: W/\"a\"",
      request: "If-None-Match: \"a\"",
      gives: "serve 304"
    ),
    UseRow(
      "8.8.3.2",
      "Cache-Control: max-age=60\nETag: \"a\"",
      request: "If-None-Match: W/\"a\"",
      gives: "serve 304"
    ),
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=60\nETag: \"a\"",
      request: "If-None-Match: \"b\"",
      gives: "serve"
    ),
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=60\nETag: \"a\"",
      request: "If-None-Match: \"b\", \"a\" , \"c\"",
      gives: "serve 304"
    ),
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=60\nETag: \"a\"",
      request: "If-None-Match: \"b\"\nIf-None-Match: \"a\"",
      gives: "serve 304"
    ),
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=60\nETag: \"a,b\"",
      request: "If-None-Match: \"x\", \"a,b\"",
      gives: "serve 304"
    ),
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=60\nETag: \"a\"",
      request: "If-None-Match: \"x,\"a\"\"",
      gives: "serve"
    ),
    UseRow("4.3.2", "Cache-Control: max-age=60", request: "If-None-Match: *", gives: "serve 304"),
    UseRow("4.3.2", "Cache-Control: max-age=60", request: "If-None-Match: \"a\"", gives: "serve"),
    UseRow("4.3.2", "Cache-Control: max-age=60\nETag: \"a\"", request: "If-None-Match: a", gives: "serve"),
    UseRow(
      "precedence",
      "Cache-Control: max-age=60\nETag: \"a\"\nLast-Modified: {-9}",
      request: "If-None-Match: \"b\"\nIf-Modified-Since: {0}",
      gives: "serve"
    ),
    UseRow(
      "precedence",
      "Cache-Control: max-age=60\nETag: \"a\"\nLast-Modified: {-9}",
      request: "If-None-Match: \"a\"\nIf-Modified-Since: {-90}",
      gives: "serve 304"
    ),
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=60\nLast-Modified: {-9}",
      request: "If-Modified-Since: {-9}",
      gives: "serve 304"
    ),
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=60\nLast-Modified: {-9}",
      request: "If-Modified-Since: {-5}",
      gives: "serve 304"
    ),
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=60\nLast-Modified: {-9}",
      request: "If-Modified-Since: {-10}",
      gives: "serve"
    ),
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=60\nLast-Modified: {-9}",
      request: "If-Modified-Since: x",
      gives: "serve"
    ),
    UseRow(
      "4.3.2 Date",
      "Cache-Control: max-age=60\nDate: {-2}",
      request: "If-Modified-Since: {-2}",
      gives: "serve 304"
    ),
    UseRow(
      "4.3.2 Date",
      "Cache-Control: max-age=60\nDate: {-2}",
      request: "If-Modified-Since: {-3}",
      gives: "serve"
    ),
    UseRow(
      "4.3.2 HEAD",
      "Cache-Control: max-age=60\nETag: \"a\"",
      request: "If-None-Match: \"a\"",
      method: .head,
      gives: "serve 304"
    ),
    UseRow(
      "13.2.2 Range",
      "Cache-Control: max-age=60\nETag: \"a\"",
      request: "If-None-Match: \"a\"\nRange: bytes=0-1",
      gives: "serve 304"
    ),
    UseRow(
      "13.2.2 Range",
      "Cache-Control: max-age=60\nETag: \"a\"",
      request: "If-None-Match: \"b\"\nRange: bytes=0-1",
      gives: "serve 0-1/10"
    ),
    // With a stale one they go to the origin, and nothing is added.
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=5\nETag: \"a\"",
      request: "If-None-Match: \"b\"",
      gives: "validate stale \"b\""
    ),
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=5\nETag: \"a\"\nLast-Modified: {-9}",
      request: "If-Modified-Since: {-9}",
      gives: "validate stale since"
    ),
    // Conditions of state-changing requests are the origin's.
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=60\nETag: \"a\"",
      request: "If-Match: \"a\"",
      gives: "forward request"
    ),
    UseRow(
      "4.3.2",
      "Cache-Control: max-age=60\nETag: \"a\"",
      request: "If-Unmodified-Since: {0}",
      gives: "forward request"
    ),
  ])
  func answersTheCallersConditions(_ row: UseRow) throws { try row.check() }

  @Test func conditionsAreIgnoredForOtherStatuses() throws {
    let entry = try privateRules.entry("Cache-Control: max-age=60\nETag: \"a\"", 404)
    #expect(words(privateRules.act(on: request("If-None-Match: \"a\""), [entry])) == "serve")
  }
}
