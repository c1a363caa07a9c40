import HTTPTypes
import StagecoachCore
import Testing

@testable import StagecoachCache

/// The numbered corner cases of our reference for HTTP (`http.md` 4.11), as far as they are the engine's.
@Suite struct CornerCaseTests {
  @Test(arguments: [
    UseRow("1", "Cache-Control: no-cache, max-age=60\nETag: \"a\"", gives: "validate stale \"a\""),
    UseRow("3", "Cache-Control: max-age=60\nAge: 60", at: 0, gives: "forward stale"),
    UseRow("4", "Cache-Control: max-age=60\nDate: {3600}", at: 59, gives: "serve"),
    UseRow("5", "Cache-Control: max-age=3600\nDate: {-3600}", at: 0, gives: "forward stale"),
    UseRow("5", "Cache-Control: max-age=3601\nDate: {-3600}", at: 0, gives: "serve"),
    UseRow("10", "Cache-Control: max-age=60\nVary: Foo", request: "Foo: 1", gives: "forward vary-miss"),
    UseRow(
      "11",
      "Cache-Control: max-age=60\nVary: Foo\nVary: Bar",
      request: "Bar: 1",
      gives: "forward vary-miss"
    ),
    UseRow(
      "13",
      "Cache-Control: max-age=60\nETag: W/\"a\"",
      request: "If-None-Match: \"a\"",
      gives: "serve 304"
    ),
    UseRow(
      "13",
      "Cache-Control: max-age=60\nETag: W/\"a\"",
      request: "Range: bytes=0-1\nIf-Range: \"a\"",
      gives: "serve"
    ),
    UseRow("33", request: "Cache-Control: only-if-cached", gives: "504"),
    UseRow(
      "34",
      "Cache-Control: max-age=1",
      request: "Cache-Control: max-stale",
      at: 9e8,
      gives: "serve stale"
    ),
    UseRow("35", "Cache-Control: max-age=60\nSet-Cookie: a=b", request: "Cookie: c=d", gives: "serve"),
    UseRow(
      "36",
      "Cache-Control: max-age=60\nVary: Accept-Encoding\nContent-Encoding: gzip",
      request: "Accept-Encoding: identity",
      gives: "forward vary-miss"
    ),
    UseRow("37", "Date: {0}\nExpires: {60}", gives: "serve"),
    UseRow("39", "Cache-Control: max-age=60", at: -86_400, gives: "serve"),
    UseRow("39", "Cache-Control: max-age=60\nAge: 60", at: -86_400, gives: "forward stale"),
  ])
  func decidesTheReuseOfCornerCases(_ row: UseRow) throws { try row.check() }

  @Test(arguments: [
    StoringRow("2", "Cache-Control: no-store, max-age=60", gives: "noStore"),
    StoringRow("7", "Cache-Control: max-age=60", 404, gives: "stored"),
    StoringRow("8", "Location: /x", 302, gives: "noFreshness"),
    StoringRow("8", "Location: /x\nCache-Control: max-age=60", 302, gives: "stored"),
    StoringRow("9", "Cache-Control: max-age=60", 599, gives: "stored"),
    StoringRow("12", "Cache-Control: max-age=60\nVary: accept-encoding, *", gives: "varies"),
    StoringRow("31", "Cache-Control: max-age=60", request: "Authorization: x", gives: "stored"),
    StoringRow(
      "32",
      "Cache-Control: public, max-age=60",
      request: "Authorization: x",
      shared: true,
      gives: "stored"
    ),
    StoringRow("38", "Cache-Control: max-age=60", 103, gives: "status"),
    StoringRow("40", "Cache-Control: max-age=60\u{7F}", gives: "malformed"),
  ])
  func decidesTheStoringOfCornerCases(_ row: StoringRow) { row.check() }

  @Test func case6TheTimeOfASlowOriginCounts() throws {
    let response = try privateRules.storable(
      response("Cache-Control: max-age=60\nDate: {30}"),
      to: request(),
      sentAt: time(0),
      receivedAt: time(30),
      conceal: conceal
    ).get()
    #expect(privateRules.age(of: response, at: time(30)) == 30)
    #expect(privateRules.age(of: response, at: time(40)) == 40)
  }

  @Test func cases14To16A304UpdatesTheRightEntry() throws {
    let entry = try privateRules.entry("Cache-Control: max-age=5\nETag: \"a\"\nContent-Length: 10")
    #expect(
      words(privateRules.apply304("ETag: \"a\"\nCache-Control: no-store", to: [entry])) == "serve removes 1"
    )
    #expect(words(privateRules.apply304("ETag: \"b\"", to: [entry])) == "repeat")
    let updated = privateRules.apply304("ETag: \"a\"\nContent-Length: 0", to: [entry]).updates.first?.response
    #expect(updated?.head.headerFields[.contentLength] == "10")
  }

  @Test func cases17And18InvalidateRelatedURLs() throws {
    let url = try TargetURI(parsing: "https://example.com/a")
    func count(_ method: HTTPRequest.Method, _ status: Int, _ text: String = "") -> Int {
      privateRules.invalidated(by: response(text, status), to: request("", method), url: url.storedURL).count
    }
    #expect(count(.put, 200) == 1)
    #expect(count(.put, 500) == 0)
    #expect(count(.post, 303) == 1)
    #expect(count(.post, 303, "Location: https://example.net/") == 1)
  }

  @Test func case26ABodyCutByOneByteIsNotServedWhole() throws {
    let stored = try privateRules.store("Cache-Control: max-age=60\nETag: \"a\"\nContent-Length: 10").get()
    let part = try #require(privateRules.incomplete(stored, received: 9, of: 10))
    let entry = CacheEntry(id: 1, response: part, length: 9)
    #expect(words(privateRules.act(on: request(), [entry])) == "complete bytes=9- \"a\"")
    #expect(words(privateRules.act(on: request(), [entry], mode: .onlyIfCached)) == "504")
    #expect(words(privateRules.act(on: request("Range: bytes=0-8"), [entry])) == "serve 0-8/10")
    #expect(words(privateRules.act(on: request("Range: bytes=0-9"), [entry])) == "forward partial")
    let serving = Serving(
      age: 0,
      lifetime: 60,
      isStale: false,
      revalidates: false,
      content: .part(0..<9, total: 10)
    )
    let head = privateRules.head(of: part, serving)
    #expect(head.status == .partialContent)
    #expect(head.headerFields[.contentLength] == "9")
    #expect(head.headerFields[.contentRange] == "bytes 0-8/10")
  }

  @Test func case27ABodyOfUnknownLengthThatIsCutIsNotStored() throws {
    let stored = try privateRules.store("Cache-Control: max-age=60\nETag: \"a\"").get()
    #expect(privateRules.incomplete(stored, received: 9, of: nil) == nil)
  }
}
