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
      gives: "contentRange"
    ),
    StoringRow(
      "3.3 tag",
      "Cache-Control: max-age=60\nContent-Range: bytes 0-4/10",
      206,
      request: "Range: bytes=0-4",
      gives: "contentRange"
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
  func partialContent(_ row: StoringRow) { row.check() }

  @Test func thePartIsThatOfContentRange() throws {
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
  func useOfAPart(text: String, method: HTTPRequest.Method, mode: CacheMode, result: String) throws {
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

  @Test func otherPartsAreNot() throws {
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
    let new = try stored("5-9/10", "B: 2")
    let response = try #require(privateRules.combined(old, with: new.response, length: 5)).response
    #expect(response.head.headerFields[.init("A")!] == "1")
    #expect(response.head.headerFields[.init("B")!] == "2")
  }
}
