import HTTPTypes
import Testing

@testable import StagecoachCache

private let part = "Cache-Control: max-age=60\nETag: \"a\"\n"

/// RFC 9111 3.3: storing parts.
@Suite struct IncompleteTests {
  @Test(arguments: [
    StoringRow(
      "3.3",
      part + "Content-Range: bytes 0-4/10",
      206,
      request: "Range: bytes=0-4",
      gives: "stored"
    ),
    StoringRow("3.3", part + "Content-Range: bytes 5-9/10", 206, request: "Range: bytes=-5", gives: "stored"),
    StoringRow("3.3", part + "Content-Range: bytes 5-9/10", 206, request: "Range: bytes=5-", gives: "stored"),
    StoringRow(
      "3.3",
      part + "Content-Range: Bytes 0-4/10",
      206,
      request: "range: BYTES=0-4",
      gives: "stored"
    ),
    StoringRow(
      "15.3.7 fewer bytes",
      part + "Content-Range: bytes 0-4/10",
      206,
      request: "Range: bytes=0-8",
      gives: "stored"
    ),
    StoringRow(
      "3.3 tag",
      "Cache-Control: max-age=60\nETag: W/\"a\"\nContent-Range: bytes 0-4/10",
      206,
      request: "Range: bytes=0-4",
      gives: "stored"
    ),
    StoringRow(
      "3.3 tag",
      "Cache-Control: max-age=60\nContent-Range: bytes 0-4/10",
      206,
      request: "Range: bytes=0-4",
      gives: "stored"
    ),
    StoringRow(
      "3.3 date",
      "Cache-Control: max-age=60\nLast-Modified: {-9}\nContent-Range: bytes 0-4/10",
      206,
      request: "Range: bytes=0-4",
      gives: "stored"
    ),
    StoringRow("15.3.7", part, 206, request: "Range: bytes=0-4", gives: "contentRange"),
    StoringRow(
      "15.3.7",
      part + "Content-Range: bytes 0-4/*",
      206,
      request: "Range: bytes=0-4",
      gives: "contentRange"
    ),
    StoringRow(
      "14.4",
      part + "Content-Range: bytes 4-0/10",
      206,
      request: "Range: bytes=0-4",
      gives: "contentRange"
    ),
    StoringRow(
      "14.4",
      part + "Content-Range: bytes 0-10/10",
      206,
      request: "Range: bytes=0-",
      gives: "contentRange"
    ),
    StoringRow(
      "14.4",
      part + "Content-Range: lines 0-4/10",
      206,
      request: "Range: bytes=0-4",
      gives: "contentRange"
    ),
    StoringRow(
      "14.4",
      part + "Content-Range: bytes 0-4/10\nContent-Range: bytes 0-3/10",
      206,
      request: "Range: bytes=0-4",
      gives: "contentRange"
    ),
    StoringRow(
      "contradiction",
      part + "Content-Range: bytes 0-4/10\nContent-Length: 4",
      206,
      request: "Range: bytes=0-4",
      gives: "contentRange"
    ),
    StoringRow(
      "agreement",
      part + "Content-Range: bytes 0-4/10\nContent-Length: 5",
      206,
      request: "Range: bytes=0-4",
      gives: "stored"
    ),
    StoringRow("not asked for", part + "Content-Range: bytes 0-4/10", 206, gives: "contentRange"),
    StoringRow(
      "another range",
      part + "Content-Range: bytes 0-4/10",
      206,
      request: "Range: bytes=-5",
      gives: "contentRange"
    ),
    StoringRow(
      "another range",
      part + "Content-Range: bytes 4-9/10",
      206,
      request: "Range: bytes=5-",
      gives: "contentRange"
    ),
    StoringRow(
      "several",
      part + "Content-Range: bytes 0-4/10",
      206,
      request: "Range: bytes=0-4,6-7",
      gives: "contentRange"
    ),
    StoringRow(
      "twice",
      part + "Content-Range: bytes 0-4/10",
      206,
      request: "Range: bytes=0-4\nRange: bytes=0-5",
      gives: "contentRange"
    ),
    StoringRow(
      "multipart",
      part + "Content-Type: multipart/byteranges; boundary=x",
      206,
      request: "Range: bytes=0-1,4-5",
      gives: "contentRange"
    ),
    StoringRow("200 to Range", part, 200, request: "Range: bytes=0-4", gives: "stored"),
  ])
  func storesPartialContent(_ row: StoringRow) { row.check() }

  @Test func thePartHasTheRangeOfContentRange() throws {
    let stored = try privateRules.store(
      part + "Content-Range: bytes 3-4/10",
      206,
      to: request("Range: bytes=3-4")
    )
    .get()
    #expect(stored.part == CachedResponse.Part(start: 3, total: 10))
  }

  @Test func aBodyCutShortIsAPartIfItsLengthAndAStrongValidatorAreKnown() throws {
    let strong = try privateRules.store("Cache-Control: max-age=60\nETag: \"a\"").get()
    let weak = try privateRules.store("Cache-Control: max-age=60\nETag: W/\"a\"").get()
    let dated = try privateRules.store("Cache-Control: max-age=60\nLast-Modified: {-9}").get()
    let error = try privateRules.store("Cache-Control: max-age=60\nETag: \"a\"", 404).get()
    #expect(
      privateRules.incomplete(strong, received: 4, of: 10)?.part == CachedResponse.Part(start: 0, total: 10)
    )
    #expect(
      privateRules.incomplete(dated, received: 4, of: 10)?.part == CachedResponse.Part(start: 0, total: 10)
    )
    #expect(privateRules.incomplete(strong, received: 4, of: nil) == nil)
    #expect(privateRules.incomplete(strong, received: 0, of: 10) == nil)
    #expect(privateRules.incomplete(strong, received: 10, of: 10) == nil)
    #expect(privateRules.incomplete(weak, received: 4, of: 10) == nil)
    #expect(privateRules.incomplete(error, received: 4, of: 10) == nil)
  }

  /// A response that has a tag is validated by it (RFC 9110 13.1.5), so that a date does not help.
  @Test(arguments: ["ETag: W/\"a\"", "ETag: a", "ETag: \"a\"\nETag: \"b\""])
  func aDateBesideAMalformedTagIsNotAStrongValidator(tag: String) throws {
    let stored = try privateRules.store("Cache-Control: max-age=60\nLast-Modified: {-9}\n\(tag)").get()
    #expect(privateRules.incomplete(stored, received: 4, of: 10) == nil)
  }

  /// The content of a part is never given for the whole.
  @Test(arguments: [
    ("", HTTPRequest.Method.get, CacheMode.default, "complete bytes=5- \"a\""),
    ("", .get, .forceCache, "complete bytes=5- \"a\""),
    ("", .get, .onlyIfCached, "504"),
    ("", .head, .default, "forward partial"),
    ("Range: bytes=0-4", .get, .default, "serve 0-4/10"),
    ("Range: bytes=1-2", .get, .default, "serve 1-2/10"),
    ("Range: bytes=0-5", .get, .default, "forward partial"),
    ("Range: bytes=-5", .get, .default, "forward partial"),
    ("Range: bytes=0-", .get, .default, "forward partial"),
    ("Range: bytes=0-1,2-3", .get, .default, "forward partial"),
    ("Range: bytes=1-2\nIf-Range: \"a\"", .get, .default, "serve 1-2/10"),
    ("Range: bytes=1-2\nIf-Range: \"b\"", .get, .default, "forward partial"),
    ("Range: bytes=1-2\nIf-None-Match: \"a\"", .get, .default, "serve 304"),
    ("If-None-Match: \"a\"", .get, .default, "forward partial"),
    ("Cache-Control: only-if-cached", .get, .default, "504"),
  ])
  func decidesTheReuseOfAPart(text: String, method: HTTPRequest.Method, mode: CacheMode, result: String)
    throws
  {
    let entry = try privateRules.entry(
      part + "Content-Range: bytes 0-4/10",
      206,
      to: request("Range: bytes=0-4")
    )
    #expect(words(privateRules.act(on: request(text, method), [entry], mode: mode)) == result)
  }

  @Test func onlyAPartFromTheBeginningWithAStrongTagIsCompleted() throws {
    let middle = try privateRules.entry(
      part + "Content-Range: bytes 3-4/10",
      206,
      to: request("Range: bytes=3-4")
    )
    #expect(words(privateRules.act(on: request(), [middle])) == "forward partial")
    let dated = try privateRules.entry(
      "Cache-Control: max-age=60\nLast-Modified: {-9}\nContent-Range: bytes 0-4/10",
      206,
      to: request("Range: bytes=0-4")
    )
    #expect(words(privateRules.act(on: request(), [dated])) == "forward partial")
    #expect(words(privateRules.act(on: request("Range: bytes=0-1"), [dated])) == "serve 0-1/10")
  }

  @Test(arguments: [
    ("0-9", "forward partial"), ("0-4", "forward partial"), ("2-4", "forward partial"),
    ("3-4", "serve 3-4/10"),
    ("4-4", "serve 4-4/10"), ("3-5", "forward partial"), ("5-", "forward partial"), ("-6", "forward partial"),
    ("10-", "forward partial"),
  ])
  func onlyRangesInsideOfAPartAreServed(range: String, result: String) throws {
    let middle = try privateRules.entry(
      part + "Content-Range: bytes 3-4/10",
      206,
      to: request("Range: bytes=3-4")
    )
    #expect(words(privateRules.act(on: request("Range: bytes=\(range)"), [middle])) == result)
  }

  @Test func aPartWithoutContentIsNotReused() throws {
    let stored = privateRules.store(
      part + "Content-Range: bytes 0-4/10",
      206,
      to: request("Range: bytes=0-4")
    )
    let entry = CacheEntry(id: 1, response: try stored.get(), length: 0)
    #expect(words(privateRules.act(on: request(), [entry])) == "forward partial")
    #expect(words(privateRules.act(on: request("Range: bytes=0-0"), [entry])) == "forward partial")
  }

  @Test func aStalePartIsValidated() throws {
    let entry = try privateRules.entry(
      part + "Content-Range: bytes 0-4/10",
      206,
      to: request("Range: bytes=0-4")
    )
    let ask = request("Range: bytes=1-2")
    #expect(words(privateRules.act(on: ask, [entry], at: 100)) == "validate stale \"a\"")
    #expect(words(privateRules.apply304("ETag: \"a\"", to: [entry], for: ask)) == "serve 1-2/10 updates 1")
  }
}
