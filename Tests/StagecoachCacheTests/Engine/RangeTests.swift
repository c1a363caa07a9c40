import HTTPTypes
import StagecoachCore
import Testing

@testable import StagecoachCache

/// RFC 9110 14: ranges of complete responses of ten bytes.
@Suite struct RangeTests {
  @Test(arguments: [
    ("bytes=0-1", " 0-1/10"), ("bytes=1-", " 1-9/10"), ("bytes=-1", " 9-9/10"), ("bytes=-10", " 0-9/10"),
    ("bytes=-11", " 0-9/10"), ("bytes=0-9", " 0-9/10"), ("bytes=9-", " 9-9/10"), ("bytes=5-100", " 5-9/10"),
    ("bytes=0-9223372036854775807", " 0-9/10"), ("bytes=0-99999999999999999999", " 0-9/10"),
    ("bytes=-99999999999999999999", " 0-9/10"), ("BYTES=0-1", " 0-1/10"), ("bytes= 0-1 ,", " 0-1/10"),
    ("bytes=10-", " 416/10"), ("bytes=10-11", " 416/10"), ("bytes=-0", " 416/10"),
    ("bytes=99999999999999999999-", " 416/10"),
    ("bytes=0-1,4-5", ""), ("bytes=1-0", ""), ("bytes=", ""), ("bytes", ""), ("bytes=-", ""),
    ("bytes=a-b", ""),
    ("bytes=0 - 1", ""), ("bytes=+1-2", ""), ("bytes=1", ""), ("lines=0-1", ""), ("bytes =0-1", ""), ("", ""),
    ("bytes=--1", ""), ("bytes=0-1-2", ""),
  ])
  func servesRangesOfAStoredResponse(value: String, result: String) throws {
    let entry = try privateRules.entry("Cache-Control: max-age=60")
    #expect(words(privateRules.act(on: request("Range: \(value)"), [entry])) == "serve" + result)
  }

  /// RFC 9110 14.4.
  @Test(arguments: [
    ("bytes 0-4/10", "0-5/10"), ("Bytes 9-9/10", "9-10/10"), ("bytes 0-10/10", "-"), ("bytes 4-3/10", "-"),
    ("bytes */10", "-"), ("bytes 0-4/*", "-"), ("bytes 0-4", "-"), ("bytes=0-4/10", "-"),
    ("bytes 0-4/ 10", "-"),
    ("lines 0-4/10", "-"), ("", "-"), ("bytes -4/10", "-"), ("bytes 0-/10", "-"), ("bytes /-", "-"),
    ("bytes 0-9223372036854775806/9223372036854775807", "0-9223372036854775807/9223372036854775807"),
    ("bytes 0-9223372036854775807/9223372036854775807", "-"),
    ("bytes 0-99999999999999999999/99999999999999999999", "-"),
  ])
  func readsContentRangeOrIgnoresIt(value: String, result: String) {
    let range = fields("Content-Range: \(value)").contentRange
    #expect(range.map { "\($0.bytes.lowerBound)-\($0.bytes.upperBound)/\($0.total)" } ?? "-" == result)
  }

  @Test func severalRangeFieldsAreIgnored() throws {
    let entry = try privateRules.entry("Cache-Control: max-age=60")
    #expect(words(privateRules.act(on: request("Range: bytes=0-1\nRange: bytes=2-3"), [entry])) == "serve")
  }

  @Test func rangesOfOtherStatusesAndOfNothingAreIgnored() throws {
    let missing = try privateRules.entry("Cache-Control: max-age=60", 404)
    #expect(words(privateRules.act(on: request("Range: bytes=0-1"), [missing])) == "serve")
    let empty = try privateRules.entry("Cache-Control: max-age=60", length: 0)
    #expect(words(privateRules.act(on: request("Range: bytes=0-1"), [empty])) == "serve")
  }

  /// RFC 9110 13.1.5.
  @Test(arguments: [
    ("ETag: \"a\"", "\"a\"", true), ("ETag: \"a\"", "\"b\"", false), ("ETag: W/\"a\"", "W/\"a\"", false),
    ("ETag: W/\"a\"", "\"a\"", false), ("ETag: \"a\"", "W/\"a\"", false), ("", "\"a\"", false),
    ("Last-Modified: {-9}", "{-9}", true), ("Last-Modified: {-9}", "{-8}", false),
    ("Last-Modified: {-9}", "{-10}", false),
    ("Last-Modified: {0}\nDate: {0}", "{0}", false), ("", "{0}", false), ("ETag: \"a\"", "x", false),
  ])
  func servesAPartOnlyIfIfRangeMatches(stored: String, value: String, isPart: Bool) throws {
    let entry = try privateRules.entry("Cache-Control: max-age=60\n" + stored)
    let verdict = privateRules.act(on: request("Range: bytes=0-1\nIf-Range: \(value)"), [entry])
    #expect(words(verdict) == (isPart ? "serve 0-1/10" : "serve"))
  }

  private let stored = """
    Date: {0}
    Cache-Control: max-age=60
    ETag: "a"
    Last-Modified: {-9}
    Content-Type: text/plain
    Content-Length: 10
    Content-Language: en
    Vary: Foo
    X: 1
    Age: 3
    """

  private func head(_ content: ServedContent) throws -> [String] {
    let response = try privateRules.store(stored).get()
    let serving = Serving(age: 42, lifetime: 60, isStale: false, revalidates: false, content: content)
    let head = privateRules.head(of: response, serving)
    return ["\(head.status.code)"]
      + head.headerFields
      .filter { ![.date, .cacheControl, .vary].contains($0.name) }.map {
        "\($0.name.canonicalName)=\($0.value)"
      }
  }

  /// RFC 9111 4 and 5.1, RFC 9110 14.4, 15.3.7, 15.4.5 and 15.5.17.
  @Test func writesTheHeadOfWholesPartsAnd304s() throws {
    let date = try #require(HTTPDate(time(-9))).description
    #expect(
      try head(.whole) == [
        "200", "etag=\"a\"", "last-modified=\(date)", "content-type=text/plain", "content-length=10",
        "content-language=en", "x=1", "age=42",
      ]
    )
    #expect(try head(.notModified) == ["304", "etag=\"a\"", "x=1", "age=42"])
    #expect(
      try head(.part(2..<5, total: 10)) == [
        "206", "etag=\"a\"", "last-modified=\(date)", "content-type=text/plain", "content-length=3",
        "content-language=en", "x=1", "age=42", "content-range=bytes 2-4/10",
      ]
    )
    #expect(
      try head(.unsatisfiable(total: 10)) == [
        "416", "x=1", "age=42", "content-range=bytes */10", "content-length=0",
      ]
    )
  }

  @Test func a304WithoutATagKeepsTheDate() throws {
    let response = try privateRules.store("Cache-Control: max-age=60\nLast-Modified: {-9}").get()
    let serving = Serving(age: 1, lifetime: 60, isStale: false, revalidates: false, content: .notModified)
    #expect(privateRules.head(of: response, serving).headerFields[.lastModified] != nil)
  }

  @Test func severalAgesBecomeOne() throws {
    let response = try privateRules.store("Cache-Control: max-age=60\nAge: 1\nAge: 2").get()
    let serving = Serving(age: 9, lifetime: 60, isStale: false, revalidates: false, content: .whole)
    #expect(privateRules.head(of: response, serving).headerFields[values: .age] == ["9"])
  }
}
