import HTTPTypes
import StagecoachCore
import Testing

@testable import StagecoachCache

/// RFC 9111 3.1 and 3.2: which fields are stored, and how they are updated.
@Suite struct StoredFieldsTests {
  private func names(_ text: String, _ rules: CacheRules = privateRules) throws -> [String] {
    try rules.store("Date: {0}\nCache-Control: max-age=60\n" + text).get().head.headerFields
      .map(\.name.canonicalName).filter { $0 != "date" && $0 != "cache-control" }
  }

  @Test(arguments: [
    "Connection: close", "Keep-Alive: x", "Proxy-Connection: x", "TE: x", "Trailer: x",
    "Transfer-Encoding: x",
    "Upgrade: x", "Proxy-Authenticate: x", "Proxy-Authentication-Info: x", "Proxy-Authorization: x",
    "Authentication-Info: x",
  ])
  func fieldsOfAConnectionOrAProxyAreNotStored(line: String) throws {
    #expect(try names(line) == [])
  }

  @Test func whatConnectionNamesIsNotStored() throws {
    #expect(try names("Connection: X-A, x-b\nConnection: , x-c\nX-A: 1\nX-B: 2\nX-C: 3\nX-D: 4") == ["x-d"])
  }

  @Test func connectionCannotTakeAwayWhatDecidesOnReuse() throws {
    let line =
      "Connection: cache-control, vary, etag, content-encoding\nVary: Foo\nETag: \"a\"\nContent-Encoding: gzip"
    #expect(try names(line) == ["vary", "etag", "content-encoding"])
  }

  @Test func orderDuplicatesAndUnknownFieldsAreKept() throws {
    let stored = try privateRules.store("Cache-Control: max-age=1\nB: 1\nA: 2\nb: 3\nDate: {0}").get()
    #expect(
      stored.head.headerFields.map { "\($0.name.rawName)=\($0.value)" }.dropFirst().prefix(3) == [
        "B=1", "A=2", "b=3",
      ]
    )
  }

  @Test func cookiesAreStoredInAPrivateCacheOnly() throws {
    #expect(try names("Set-Cookie: a=b\nSet-Cookie2: c") == ["set-cookie", "set-cookie2"])
    #expect(try names("Set-Cookie: a=b\nSet-Cookie2: c", sharedRules) == ["set-cookie2"])
  }

  @Test func privateFieldsAreNotStoredInASharedCache() throws {
    let text = "Cache-Control: private=\"X-A, x-b\"\nX-A: 1\nX-B: 2\nX-C: 3"
    #expect(try names(text, sharedRules) == ["x-c"])
    #expect(try names(text) == ["x-a", "x-b", "x-c"])
  }

  @Test(arguments: ["", "Date: yesterday", "Date:"])
  func dateIsAddedWhereItIsMissingOrMalformed(line: String) throws {
    let stored = try privateRules.store("Cache-Control: max-age=1\n\(line)", at: 7).get()
    #expect(stored.head.headerFields[fields: .date].map(\.value) == [HTTPDate(time(7))?.description])
    #expect(stored.date == 1_700_000_007)
  }

  private func merged(_ old: String, _ new: String, _ rules: CacheRules = privateRules) throws -> [String] {
    let stored = try rules.store("Date: {0}\nCache-Control: max-age=60\n" + old).get()
    return rules.merged(stored, with: fields("Date: {90}\n" + new), sentAt: time(90), receivedAt: time(91))
      .head.headerFields.filter { $0.name != .date && $0.name != .cacheControl }
      .map { "\($0.name.canonicalName)=\($0.value)" }
  }

  @Test(arguments: [
    ("A: 1\nB: 2", "B: 3", ["a=1", "b=3"]),
    ("A: 1\nA: 2", "A: 3", ["a=3"]),
    ("A: 1", "A: 3\nA: 4", ["a=3", "a=4"]),
    ("Content-Length: 10", "Content-Length: 0", ["content-length=10"]),
    ("Content-Encoding: gzip", "Content-Encoding: br", ["content-encoding=gzip"]),
    ("", "Content-Encoding: br\nContent-Range: bytes 0-1/2\nContent-Length: 0", []),
    ("Content-Type: a/b", "Content-Type: c/d", ["content-type=c/d"]),
    ("Age: 50", "", []),
    ("Age: 50", "Age: 3", ["age=3"]),
    ("A: 1", "Connection: a\nA: 2\nTransfer-Encoding: chunked", ["a=1"]),
    ("Set-Cookie: a=b", "Set-Cookie: a=c", ["set-cookie=a=c"]),
  ])
  func newFieldsReplaceOldOnes(old: String, new: String, result: [String]) throws {
    #expect(try merged(old, new) == result)
  }

  @Test func storedDirectivesKeepNewFieldsPrivate() throws {
    #expect(try merged("Cache-Control: private=\"x-user\"\nA: 1", "X-User: me", sharedRules) == ["a=1"])
    #expect(try merged("A: 1", "Set-Cookie: a=b", sharedRules) == ["a=1"])
  }

  @Test func anUpdateTakesTheTimesOfTheNewAnswer() throws {
    let stored = try privateRules.store("Cache-Control: max-age=60\nAge: 30").get()
    let merged = privateRules.merged(stored, with: fields(""), sentAt: time(90), receivedAt: time(91))
    #expect(merged.requestTime == time(90) && merged.responseTime == time(91))
    #expect(merged.date == 1_700_000_091)
    #expect(privateRules.age(of: merged, at: time(95)) == 5)
  }
}
