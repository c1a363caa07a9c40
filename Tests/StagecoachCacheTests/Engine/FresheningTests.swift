import HTTPTypes
import Testing

@testable import StagecoachCache

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
  func a304SelectsTheEntriesToUpdate(_ row: Row) throws {
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
    #expect(updated.head.status == .ok && updated.head.headerFields[.init("X")!] == "2")
    #expect(updated.head.headerFields[.contentLength] == "10")
    #expect(privateRules.age(of: updated, at: time(104)) == 4)
    #expect(privateRules.lifetime(of: updated) == 9)
    guard case .serve(let served, let serving) = freshening.answer else { throw NotServed() }
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

  @Test func anotherVariantIsNotTheAnswerToTheCallersConditions() throws {
    let entry = try privateRules.entry(
      "Cache-Control: max-age=5\nETag: \"a\"\nVary: Foo",
      to: request("Foo: 1")
    )
    let freshening = privateRules.apply304(
      "ETag: \"a\"",
      to: [entry],
      for: request("Foo: 2\nIf-None-Match: \"a\"")
    )
    #expect(words(freshening) == "pass")
  }

  @Test func theAgeOfA304Counts() throws {
    let entry = try privateRules.entry("Cache-Control: max-age=60\nETag: \"a\"")
    guard case .serve(_, let serving) = privateRules.apply304("ETag: \"a\"\nAge: 7", to: [entry]).answer
    else {
      Issue.record("not served")
      return
    }
    #expect(serving.age == 7 && serving.lifetime == 60)
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

private struct NotServed: Error {}
