import HTTPTypes
import Testing

@testable import StagecoachCache

/// The modes of the Fetch standard.
@Suite struct ModeTests {
  @Test(arguments: [
    UseRow("no-store", "Cache-Control: max-age=60", mode: .noStore, gives: "forward bypass"),
    UseRow("reload", "Cache-Control: max-age=60\nETag: \"a\"", mode: .reload, gives: "forward request"),
    UseRow("reload", request: "Cache-Control: only-if-cached", mode: .reload, gives: "504"),
    UseRow(
      "no-cache",
      "Cache-Control: max-age=60\nETag: \"a\"",
      mode: .noCache,
      gives: "validate request \"a\""
    ),
    UseRow("no-cache", "Cache-Control: max-age=60", mode: .noCache, gives: "forward request"),
    UseRow("force-cache", "Cache-Control: max-age=5", mode: .forceCache, gives: "serve stale"),
    UseRow(
      "force-cache",
      "Cache-Control: max-age=5, must-revalidate",
      mode: .forceCache,
      gives: "serve stale"
    ),
    UseRow("force-cache", "Cache-Control: no-cache\nETag: \"a\"", mode: .forceCache, gives: "serve stale"),
    UseRow(
      "force-cache",
      "Cache-Control: max-age=60",
      request: "Cache-Control: no-cache",
      mode: .forceCache,
      gives: "serve"
    ),
    UseRow(
      "force-cache",
      "Cache-Control: max-age=60",
      request: "Cache-Control: no-store",
      mode: .forceCache,
      gives: "forward request"
    ),
    UseRow("force-cache", mode: .forceCache, gives: "forward uri-miss"),
    UseRow(
      "force-cache",
      "Cache-Control: max-age=60\nVary: Foo",
      request: "Foo: 1",
      mode: .forceCache,
      gives: "forward vary-miss"
    ),
    UseRow("only-if-cached", "Cache-Control: max-age=5", mode: .onlyIfCached, gives: "serve stale"),
    UseRow("only-if-cached", mode: .onlyIfCached, gives: "504"),
    UseRow(
      "only-if-cached",
      "Cache-Control: max-age=60\nVary: Foo\nETag: \"a\"",
      request: "Foo: 1",
      mode: .onlyIfCached,
      gives: "504"
    ),
    UseRow(
      "only-if-cached",
      "Cache-Control: max-age=5\nETag: \"a\"",
      request: "If-None-Match: \"a\"",
      mode: .onlyIfCached,
      gives: "serve stale 304"
    ),
    UseRow("method", "Cache-Control: max-age=60", method: .post, gives: "forward method"),
    UseRow("method", "Cache-Control: max-age=60", method: .init("FOO")!, gives: "forward method"),
    UseRow("method", "Cache-Control: max-age=60", method: .put, mode: .forceCache, gives: "forward method"),
  ])
  func eachModeDecidesReuse(_ row: UseRow) throws { try row.check() }

  @Test(arguments: [
    (CacheMode.reload, "", "no-cache no-cache"), (.reload, "Cache-Control: foo", "foo no-cache"),
    (.reload, "Pragma: foo", "no-cache foo"), (.noCache, "", "max-age=0 -"),
    (.noCache, "Cache-Control: foo", "foo -"),
    (.default, "", "- -"), (.forceCache, "", "- -"), (.noStore, "", "- -"),
  ])
  func fieldsThatAskForANewAnswer(mode: CacheMode, text: String, result: String) {
    guard case .forward(let fields, _) = privateRules.act(on: request(text), [], mode: mode) else {
      Issue.record("not forwarded")
      return
    }
    #expect("\(fields[.cacheControl] ?? "-") \(fields[.pragma] ?? "-")" == result)
  }

  @Test func aValidationOfModeNoCacheSaysSo() throws {
    let entry = try privateRules.entry("Cache-Control: max-age=60\nETag: \"a\"")
    guard case .validate(let fields, _, _) = privateRules.act(on: request(), [entry], mode: .noCache) else {
      Issue.record("not validated")
      return
    }
    #expect(fields[.cacheControl] == "max-age=0")
  }
}
