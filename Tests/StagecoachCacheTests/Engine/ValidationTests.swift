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
  func sent(_ row: UseRow) throws { try row.check() }

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
  func received(_ row: UseRow) throws { try row.check() }

  @Test func conditionsAreIgnoredForOtherStatuses() throws {
    let entry = try privateRules.entry("Cache-Control: max-age=60\nETag: \"a\"", 404)
    #expect(words(privateRules.act(on: request("If-None-Match: \"a\""), [entry])) == "serve")
  }
}

/// RFC 9111 4.3.3 and 4.3.4: what a 304 does.
@Suite struct FresheningTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var rule: String
    var stored: [String]
    var notModified: String
    var request = ""
    var isShared = false
    var result: String
    var testDescription: String { "\(rule): \(stored) + 304 \(notModified.debugDescription)" }

    init(
      _ rule: String,
      _ stored: String...,
      by notModified: String,
      request: String = "",
      shared: Bool = false,
      gives result: String
    ) {
      self.rule = rule
      self.stored = stored
      self.notModified = notModified
      self.request = request
      isShared = shared
      self.result = result
    }
  }

  @Test(arguments: [
    Row("strong", "Cache-Control: max-age=5\nETag: \"a\"", by: "ETag: \"a\"", gives: "serve updates 1"),
    Row(
      "strong",
      "Cache-Control: max-age=5\nETag: \"a\"",
      "Cache-Control: max-age=5\nETag: \"b\"",
      by: "ETag: \"a\"",
      gives: "serve updates 1"
    ),
    Row(
      "strong, all",
      "Cache-Control: max-age=5\nETag: \"a\"",
      "Cache-Control: max-age=5\nETag: \"a\"",
      by: "ETag: \"a\"",
      gives: "serve #2 updates 2 updates 1"
    ),
    Row("strong, none", "Cache-Control: max-age=5\nETag: \"a\"", by: "ETag: \"b\"", gives: "repeat"),
    Row("strong, stored weak", "Cache-Control: max-age=5\nETag: W/\"a\"", by: "ETag: \"a\"", gives: "repeat"),
    Row(
      "strong date",
      "Cache-Control: max-age=5\nETag: W/\"a\"\nLast-Modified: {-9}",
      by: "ETag: \"a\"\nLast-Modified: {-9}",
      gives: "serve updates 1"
    ),
    Row(
      "weak date",
      "Cache-Control: max-age=5\nETag: W/\"a\"\nLast-Modified: {0}\nDate: {0}",
      by: "ETag: \"a\"\nLast-Modified: {0}",
      gives: "repeat"
    ),
    Row(
      "another tag",
      "Cache-Control: max-age=5\nETag: \"a\"\nLast-Modified: {-9}",
      by: "ETag: \"b\"\nLast-Modified: {-9}",
      gives: "repeat"
    ),
    Row(
      "a tag is new",
      "Cache-Control: max-age=5\nLast-Modified: {-9}",
      by: "ETag: \"b\"\nLast-Modified: {-9}",
      gives: "serve updates 1"
    ),
    Row("weak", "Cache-Control: max-age=5\nETag: W/\"a\"", by: "ETag: W/\"a\"", gives: "serve updates 1"),
    Row("weak", "Cache-Control: max-age=5\nETag: \"a\"", by: "ETag: W/\"a\"", gives: "serve updates 1"),
    Row(
      "weak, the latest",
      "Cache-Control: max-age=5\nETag: W/\"a\"",
      "Cache-Control: max-age=5\nETag: W/\"a\"",
      by: "ETag: W/\"a\"",
      gives: "serve #2 updates 2"
    ),
    Row("weak, none", "Cache-Control: max-age=5\nETag: W/\"a\"", by: "ETag: W/\"b\"", gives: "repeat"),
    Row(
      "date",
      "Cache-Control: max-age=5\nLast-Modified: {-9}",
      by: "Last-Modified: {-9}",
      gives: "serve updates 1"
    ),
    Row(
      "date, none",
      "Cache-Control: max-age=5\nLast-Modified: {-9}",
      by: "Last-Modified: {-8}",
      gives: "repeat"
    ),
    Row(
      "date, all",
      "Cache-Control: max-age=5\nLast-Modified: {-9}",
      "Cache-Control: max-age=5\nLast-Modified: {-9}",
      by: "Last-Modified: {-9}",
      gives: "serve #2 updates 2 updates 1"
    ),
    Row("none, one asked about", "Cache-Control: max-age=5\nETag: \"a\"", by: "", gives: "serve updates 1"),
    Row(
      "none, two",
      "Cache-Control: max-age=5\nETag: \"a\"",
      "Cache-Control: max-age=5\nETag: \"b\"",
      by: "",
      gives: "repeat"
    ),
    // The caller's own conditions.
    Row(
      "own",
      "Cache-Control: max-age=5\nETag: \"a\"",
      by: "ETag: \"b\"",
      request: "If-None-Match: \"b\"",
      gives: "pass"
    ),
    Row(
      "own",
      "Cache-Control: max-age=5\nETag: \"a\"",
      by: "",
      request: "If-None-Match: \"b\"",
      gives: "pass"
    ),
    Row(
      "own",
      "Cache-Control: max-age=5\nETag: \"a\"",
      by: "ETag: \"a\"",
      request: "If-None-Match: \"a\"",
      gives: "serve 304 updates 1"
    ),
    Row(
      "own",
      "Cache-Control: max-age=5\nLast-Modified: {-9}",
      by: "Last-Modified: {-9}",
      request: "If-Modified-Since: {-9}",
      gives: "serve 304 updates 1"
    ),
    Row("own", "Cache-Control: max-age=5", by: "", request: "If-Modified-Since: {-9}", gives: "pass"),
    // What may no longer be stored is still the answer.
    Row(
      "no-store",
      "Cache-Control: max-age=5\nETag: \"a\"",
      by: "ETag: \"a\"\nCache-Control: no-store",
      gives: "serve removes 1"
    ),
    Row(
      "Vary: *",
      "Cache-Control: max-age=5\nETag: \"a\"",
      by: "ETag: \"a\"\nVary: *",
      gives: "serve removes 1"
    ),
    Row(
      "private",
      "Cache-Control: max-age=5\nETag: \"a\"",
      by: "ETag: \"a\"\nCache-Control: private",
      shared: true,
      gives: "serve removes 1"
    ),
    Row(
      "malformed",
      "Cache-Control: max-age=5\nETag: \"a\"",
      by: "ETag: \"a\"\nCache-Control: \u{1}",
      gives: "serve removes 1"
    ),
    // An answer for one user does not change what is stored for all.
    Row(
      "3.5",
      "Cache-Control: max-age=5\nETag: \"a\"",
      by: "ETag: \"a\"\nX: 1",
      request: "Authorization: x",
      shared: true,
      gives: "serve"
    ),
    Row(
      "3.5",
      "Cache-Control: max-age=5\nETag: \"a\"",
      by: "ETag: \"a\"\nCache-Control: public",
      request: "Authorization: x",
      shared: true,
      gives: "serve updates 1"
    ),
    Row(
      "Range",
      "Cache-Control: max-age=5\nETag: \"a\"",
      by: "ETag: \"a\"",
      request: "Range: bytes=2-3",
      gives: "serve 2-3/10 updates 1"
    ),
  ])
  func selection(_ row: Row) throws {
    let rules = row.isShared ? sharedRules : privateRules
    let entries = try row.stored.enumerated().map { index, text in
      try rules.entry(text, at: Double(index), id: UInt64(index + 1))
    }
    #expect(words(rules.apply304(row.notModified, to: entries, for: request(row.request))) == row.result)
  }

  @Test func theNewFieldsAndTimesAreStored() throws {
    let entry = try privateRules.entry(
      "Cache-Control: max-age=5\nETag: \"a\"\nAge: 3\nX: 1\nContent-Length: 10"
    )
    let freshening = privateRules.apply304(
      "ETag: \"a\"\nX: 2\nContent-Length: 0\nCache-Control: max-age=9",
      to: [entry]
    )
    let updated = try #require(freshening.updates.first).response
    #expect(updated.head.status == .ok)
    #expect(updated.head.headerFields[.init("X")!] == "2")
    #expect(updated.head.headerFields[.contentLength] == "10")
    #expect(privateRules.age(of: updated, at: time(104)) == 4)
    #expect(privateRules.lifetime(of: updated) == 9)
    guard case .serve(let served, let serving) = freshening.answer else {
      Issue.record("not served")
      return
    }
    #expect(served.response == updated)
    #expect(serving == Serving(age: 0, lifetime: 9, isStale: false, revalidates: false, content: .whole))
  }

  @Test func aNewVaryIsReadFromTheRequest() throws {
    let ask = request("Foo: 1\nBar: 2")
    let entry = try privateRules.entry("Cache-Control: max-age=5\nETag: \"a\"\nVary: Foo", to: ask)
    let freshening = privateRules.apply304("ETag: \"a\"\nVary: Bar", to: [entry], for: ask)
    #expect(freshening.updates.first?.response.vary == [CachedResponse.Nominated(name: "bar", value: "2")])
  }

  /// The head of another variant stays that of its own requests.
  @Test func anotherVariantIsServedButNotUpdated() throws {
    let entry = try privateRules.entry(
      "Cache-Control: max-age=5\nETag: \"a\"\nVary: Foo",
      to: request("Foo: 1")
    )
    let freshening = privateRules.apply304("ETag: \"a\"\nX: 2", to: [entry], for: request("Foo: 2"))
    #expect(words(freshening) == "serve")
    guard case .serve(let served, _) = freshening.answer else { return }
    #expect(served.response.head.headerFields[.init("X")!] == "2")
    #expect(served.response.vary == entry.response.vary)
  }

  @Test func anotherVariantOfASensitiveFieldIsNotServed() throws {
    let entry = try privateRules.entry(
      "Cache-Control: max-age=5\nETag: \"a\"\nVary: Cookie",
      to: request("Cookie: a=1")
    )
    let freshening = privateRules.apply304("ETag: \"a\"", to: [entry], for: request("Cookie: a=2"))
    #expect(words(freshening) == "repeat")
  }

  @Test func manyAnswersDoNotMakeAHeadGrowWithoutEnd() throws {
    var entry = try privateRules.entry("Cache-Control: max-age=5\nETag: \"a\"")
    var round = 0
    while true {
      var notModified = response("ETag: \"a\"", 304)
      for index in 0..<1000 {
        notModified.headerFields.append(HTTPField(name: .init("x-\(round)-\(index)")!, value: ""))
      }
      let freshening = privateRules.freshen(
        [entry],
        by: notModified,
        request: request(),
        sentAt: time(9),
        receivedAt: time(9),
        conceal: conceal
      )
      round += 1
      guard let update = freshening.updates.first else {
        #expect(freshening.removals.count == 1)
        break
      }
      entry.response = update.response
      try #require(round < 10)
    }
  }
}

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
    #expect(words(freshen([entry], "X: 1", status: 404)) == "pass")
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
