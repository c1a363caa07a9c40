import HTTPTypes
import Testing

@testable import StagecoachCache

/// RFC 9111 5.2.1: directives of requests.
@Suite struct RequestDirectiveTests {
  @Test(arguments: [
    // 5.2.1.1 max-age
    UseRow("5.2.1.1", "Cache-Control: max-age=60", request: "Cache-Control: max-age=10", gives: "serve"),
    UseRow(
      "5.2.1.1",
      "Cache-Control: max-age=60",
      request: "Cache-Control: max-age=9",
      gives: "forward request"
    ),
    UseRow(
      "5.2.1.1",
      "Cache-Control: max-age=60",
      request: "Cache-Control: max-age=0",
      at: 0,
      gives: "forward request"
    ),
    UseRow(
      "5.2.1.1",
      "Cache-Control: max-age=60",
      request: "Cache-Control: max-age=x",
      gives: "forward request"
    ),
    UseRow(
      "5.2.1.1",
      "Cache-Control: max-age=60",
      request: "Cache-Control: max-age",
      gives: "forward request"
    ),
    UseRow(
      "5.2.1.1",
      "Cache-Control: max-age=60",
      request: "Cache-Control: max-age=99, max-age=9",
      gives: "forward request"
    ),
    UseRow(
      "5.2.1.1",
      "Cache-Control: max-age=60",
      request: "Cache-Control: max-age=9, max-age=99",
      gives: "forward request"
    ),
    UseRow(
      "5.2.1.1",
      "Cache-Control: max-age=60\nETag: \"a\"",
      request: "Cache-Control: max-age=9",
      gives: "validate request \"a\""
    ),
    UseRow(
      "5.2.1.1",
      "Cache-Control: max-age=3600\nAge: 1800",
      request: "Cache-Control: max-age=600",
      at: 0,
      gives: "forward request"
    ),
    // 5.2.1.2 max-stale
    UseRow(
      "5.2.1.2",
      "Cache-Control: max-age=5",
      request: "Cache-Control: max-stale=5",
      gives: "serve stale"
    ),
    UseRow(
      "5.2.1.2",
      "Cache-Control: max-age=5",
      request: "Cache-Control: max-stale=4",
      gives: "forward stale"
    ),
    UseRow("5.2.1.2", "Cache-Control: max-age=5", request: "Cache-Control: max-stale", gives: "serve stale"),
    UseRow(
      "5.2.1.2",
      "Cache-Control: max-age=5",
      request: "Cache-Control: max-stale=x",
      gives: "forward stale"
    ),
    UseRow(
      "5.2.1.2",
      "Cache-Control: max-age=5",
      request: "Cache-Control: max-stale=9, max-stale=4",
      gives: "forward stale"
    ),
    UseRow(
      "5.2.1.2",
      "Cache-Control: max-age=5, must-revalidate",
      request: "Cache-Control: max-stale",
      gives: "forward stale"
    ),
    UseRow(
      "5.2.1.2",
      "Cache-Control: max-age=5, no-cache",
      request: "Cache-Control: max-stale",
      gives: "forward stale"
    ),
    UseRow(
      "5.2.1.2",
      "Cache-Control: max-age=5, proxy-revalidate",
      request: "Cache-Control: max-stale",
      gives: "serve stale"
    ),
    UseRow(
      "5.2.1.2",
      "Cache-Control: max-age=5, proxy-revalidate",
      request: "Cache-Control: max-stale",
      shared: true,
      gives: "forward stale"
    ),
    UseRow(
      "5.2.1.2",
      "Cache-Control: s-maxage=5",
      request: "Cache-Control: max-stale",
      shared: true,
      gives: "forward stale"
    ),
    UseRow(
      "5.2.1.2",
      "Cache-Control: max-age=5",
      request: "Cache-Control: max-stale, max-age=10",
      gives: "serve stale"
    ),
    UseRow(
      "5.2.1.2",
      "Cache-Control: max-age=5",
      request: "Cache-Control: max-stale, max-age=9",
      gives: "forward stale"
    ),
    UseRow(
      "5.2.1.2",
      "Cache-Control: max-age=1500\nAge: 2000",
      request: "Cache-Control: max-stale=1000",
      gives: "serve stale"
    ),
    // 5.2.1.3 min-fresh
    UseRow("5.2.1.3", "Cache-Control: max-age=60", request: "Cache-Control: min-fresh=50", gives: "serve"),
    UseRow(
      "5.2.1.3",
      "Cache-Control: max-age=60",
      request: "Cache-Control: min-fresh=51",
      gives: "forward request"
    ),
    UseRow(
      "5.2.1.3",
      "Cache-Control: max-age=60",
      request: "Cache-Control: min-fresh=x",
      gives: "forward request"
    ),
    UseRow(
      "5.2.1.3",
      "Cache-Control: max-age=60",
      request: "Cache-Control: min-fresh=9, min-fresh=51",
      gives: "forward request"
    ),
    UseRow(
      "5.2.1.3",
      "Cache-Control: max-age=5",
      request: "Cache-Control: min-fresh=1, max-stale",
      gives: "forward stale"
    ),
    UseRow(
      "5.2.1.3",
      "Cache-Control: max-age=1500\nAge: 1000",
      request: "Cache-Control: min-fresh=1000",
      gives: "forward request"
    ),
    // 5.2.1.4 no-cache
    UseRow(
      "5.2.1.4",
      "Cache-Control: max-age=60\nETag: \"a\"",
      request: "Cache-Control: no-cache",
      gives: "validate request \"a\""
    ),
    UseRow(
      "5.2.1.4",
      "Cache-Control: max-age=60\nLast-Modified: {-9}",
      request: "Cache-Control: No-Cache",
      gives: "validate request since"
    ),
    UseRow(
      "5.2.1.4",
      "Cache-Control: max-age=60",
      request: "Cache-Control: no-cache",
      gives: "forward request"
    ),
    UseRow("5.2.1.4", "Cache-Control: max-age=60", request: "Cache-Control: x=\"no-cache\"", gives: "serve"),
    UseRow(
      "5.2.1.4",
      "Cache-Control: max-age=60",
      request: "Cache-Control: x=\u{1}",
      gives: "forward request"
    ),
    // 5.2.1.5 no-store: neither read nor written
    UseRow(
      "5.2.1.5",
      "Cache-Control: max-age=60\nETag: \"a\"",
      request: "Cache-Control: no-store",
      gives: "forward request"
    ),
    UseRow(
      "5.2.1.5",
      "Cache-Control: max-age=60",
      request: "Cache-Control: no-store, only-if-cached",
      gives: "504"
    ),
    // 5.2.1.7 only-if-cached
    UseRow("5.2.1.7", "Cache-Control: max-age=60", request: "Cache-Control: only-if-cached", gives: "serve"),
    UseRow(
      "5.2.1.7",
      "Cache-Control: max-age=5\nETag: \"a\"",
      request: "Cache-Control: only-if-cached",
      gives: "504"
    ),
    UseRow("5.2.1.7", request: "Cache-Control: only-if-cached", gives: "504"),
    UseRow("5.2.1.7", request: "Cache-Control: only-if-cached", method: .post, gives: "504"),
    UseRow(
      "5.2.1.7",
      "Cache-Control: max-age=60",
      request: "Cache-Control: only-if-cached\nIf-Match: \"a\"",
      gives: "504"
    ),
    UseRow(
      "5.2.1.7",
      "Cache-Control: max-age=5",
      request: "Cache-Control: only-if-cached, max-stale",
      gives: "serve stale"
    ),
    UseRow(
      "5.2.1.7",
      "Cache-Control: max-age=5, stale-while-revalidate=9",
      request: "Cache-Control: only-if-cached",
      gives: "serve stale"
    ),
    // Unknown and misplaced ones
    UseRow(
      "5.2.3",
      "Cache-Control: max-age=60",
      request: "Cache-Control: foo, no-transform, private, must-revalidate",
      gives: "serve"
    ),
  ])
  func requests(_ row: UseRow) throws { try row.check() }

  /// RFC 9111 5.4.
  @Test(arguments: [
    UseRow("5.4", "Cache-Control: max-age=60", request: "Pragma: no-cache", gives: "forward request"),
    UseRow("5.4", "Cache-Control: max-age=60", request: "Pragma: x, No-Cache", gives: "forward request"),
    UseRow(
      "5.4",
      "Cache-Control: max-age=60",
      request: "Pragma: no-cache\nCache-Control: foo",
      gives: "serve"
    ),
    UseRow("5.4", "Cache-Control: max-age=60", request: "Pragma: foo, x=\"no-cache\"", gives: "serve"),
    UseRow("5.4", "Cache-Control: max-age=60\nPragma: no-cache", gives: "serve"),
    UseRow("5.4", "Date: {0}\nLast-Modified: {-10000}\nPragma: no-cache", gives: "serve"),
  ])
  func pragma(_ row: UseRow) throws { try row.check() }
}

/// RFC 9111 5.2.2 and 4.2.4: directives of responses.
@Suite struct ResponseDirectiveTests {
  @Test(arguments: [
    // 5.2.2.2 must-revalidate
    UseRow("5.2.2.2", "Cache-Control: max-age=60, must-revalidate\nETag: \"a\"", gives: "serve"),
    UseRow(
      "5.2.2.2",
      "Cache-Control: max-age=5, must-revalidate\nETag: \"a\"",
      gives: "validate stale \"a\""
    ),
    UseRow(
      "5.2.2.2",
      "Cache-Control: max-age=5, must-revalidate, stale-while-revalidate=60",
      gives: "forward stale"
    ),
    // 5.2.2.4 no-cache
    UseRow("5.2.2.4", "Cache-Control: no-cache\nETag: \"a\"", gives: "validate stale \"a\""),
    UseRow(
      "5.2.2.4",
      "Cache-Control: max-age=60, no-cache\nExpires: {60}\nETag: \"a\"",
      gives: "validate stale \"a\""
    ),
    UseRow("5.2.2.4", "Cache-Control: max-age=60, No-CaChE\nETag: \"a\"", gives: "validate stale \"a\""),
    UseRow(
      "5.2.2.4",
      "Cache-Control: max-age=60, no-cache=\"a\"\nETag: \"a\"",
      gives: "validate stale \"a\""
    ),
    UseRow("5.2.2.4", "Cache-Control: max-age=60, no-cache = x\nETag: \"a\"", gives: "validate stale \"a\""),
    UseRow(
      "5.2.2.4",
      "Cache-Control: max-age=60, no-cache, immutable\nETag: \"a\"",
      gives: "validate stale \"a\""
    ),
    UseRow(
      "5.2.2.4",
      "Cache-Control: max-age=60, no-cache, stale-while-revalidate=60\nETag: \"a\"",
      at: 99,
      gives: "validate stale \"a\""
    ),
    // 5.2.2.8 proxy-revalidate and 5.2.2.10 s-maxage
    UseRow(
      "5.2.2.8",
      "Cache-Control: max-age=5, proxy-revalidate, stale-while-revalidate=60",
      shared: true,
      gives: "forward stale"
    ),
    UseRow(
      "5.2.2.8",
      "Cache-Control: max-age=5, proxy-revalidate, stale-while-revalidate=60",
      gives: "serve stale revalidate"
    ),
    UseRow(
      "5.2.2.10",
      "Cache-Control: s-maxage=5, stale-while-revalidate=60",
      shared: true,
      gives: "forward stale"
    ),
    UseRow("5.2.2.10", "Cache-Control: max-age=60, s-maxage=5", gives: "serve"),
    UseRow("5.2.2.10", "Cache-Control: max-age=60, s-maxage=5", shared: true, gives: "forward stale"),
    // 5.2.2.7 private
    UseRow("5.2.2.7", "Cache-Control: private, max-age=60", gives: "serve"),
    // 4.2.4: otherwise nothing stale
    UseRow("4.2.4", "Cache-Control: max-age=5", gives: "forward stale"),
    UseRow("4.2.4", "Cache-Control: max-age=5, stale-if-error=60", gives: "forward stale"),
  ])
  func responses(_ row: UseRow) throws { try row.check() }

  /// 5.2.2.3.
  @Test(arguments: [
    StoringRow("5.2.2.3", "Cache-Control: must-understand, no-store, max-age=60", gives: "stored"),
    StoringRow("5.2.2.3", "Cache-Control: must-understand, no-store, max-age=60", 404, gives: "stored"),
    StoringRow(
      "5.2.2.3",
      "Cache-Control: must-understand, no-store, max-age=60",
      299,
      gives: "notUnderstood"
    ),
    StoringRow("5.2.2.3", "Cache-Control: must-understand, max-age=60", 599, gives: "notUnderstood"),
    StoringRow("5.2.2.3", "Cache-Control: must-understand = 1, no-store, max-age=60", gives: "noStore"),
    StoringRow("5.2.2.5", "Cache-Control: no-store", gives: "noStore"),
    StoringRow("5.2.2.9", "Cache-Control: public = x\nETag: \"a\"", 302, gives: "noFreshness"),
  ])
  func mustUnderstand(_ row: StoringRow) { row.check() }

  /// RFC 8246.
  @Test(arguments: [
    UseRow("8246", "Cache-Control: max-age=60, immutable\nETag: \"a\"", mode: .noCache, gives: "serve"),
    UseRow(
      "8246",
      "Cache-Control: max-age=5, immutable\nETag: \"a\"",
      mode: .noCache,
      gives: "validate request \"a\""
    ),
    UseRow(
      "8246",
      "Cache-Control: max-age=60, immutable\nETag: \"a\"",
      request: "Cache-Control: max-age=0",
      gives: "serve"
    ),
    UseRow(
      "8246",
      "Cache-Control: max-age=60, immutable\nETag: \"a\"",
      request: "Cache-Control: max-age=1",
      gives: "validate request \"a\""
    ),
    UseRow(
      "8246",
      "Cache-Control: max-age=60, immutable\nETag: \"a\"",
      request: "Cache-Control: no-cache",
      gives: "validate request \"a\""
    ),
    UseRow(
      "8246",
      "Cache-Control: max-age=60, immutable\nETag: \"a\"",
      mode: .reload,
      gives: "forward request"
    ),
    UseRow("8246", "Cache-Control: max-age=5, immutable\nETag: \"a\"", gives: "validate stale \"a\""),
    UseRow(
      "8246",
      "Cache-Control: max-age=60, immutable = 1\nETag: \"a\"",
      mode: .noCache,
      gives: "validate request \"a\""
    ),
  ])
  func immutable(_ row: UseRow) throws { try row.check() }

  /// RFC 5861 3.
  @Test(arguments: [
    UseRow("5861 3", "Cache-Control: max-age=5, stale-while-revalidate=5", gives: "serve stale revalidate"),
    UseRow("5861 3", "Cache-Control: max-age=5, stale-while-revalidate=4", gives: "forward stale"),
    UseRow("5861 3", "Cache-Control: max-age=60, stale-while-revalidate=5", gives: "serve"),
    UseRow(
      "5861 3",
      "Cache-Control: max-age=0, stale-while-revalidate=3600\nETag: \"a\"",
      at: 0,
      gives: "serve stale revalidate"
    ),
    UseRow("5861 3", "Cache-Control: max-age=5, stale-while-revalidate=x", gives: "forward stale"),
    UseRow("5861 3", "Cache-Control: max-age=5, stale-while-revalidate", gives: "forward stale"),
    UseRow(
      "5861 3",
      "Cache-Control: max-age=5, stale-while-revalidate=60, stale-while-revalidate=1",
      gives: "forward stale"
    ),
    UseRow(
      "5861 3",
      "Cache-Control: max-age=5, stale-while-revalidate=60",
      request: "Cache-Control: no-cache",
      gives: "forward request"
    ),
    UseRow(
      "5861 3",
      "Cache-Control: max-age=5, stale-while-revalidate=60",
      request: "Cache-Control: max-age=99",
      gives: "forward stale"
    ),
    UseRow(
      "5861 3",
      "Cache-Control: max-age=5, stale-while-revalidate=60",
      request: "Cache-Control: min-fresh=1",
      gives: "forward stale"
    ),
    UseRow(
      "5861 3",
      "Cache-Control: max-age=5, stale-while-revalidate=60",
      request: "Cache-Control: max-stale",
      gives: "serve stale revalidate"
    ),
    UseRow(
      "5861 3",
      "Cache-Control: max-age=5, stale-while-revalidate=60",
      request: "Cache-Control: stale-while-revalidate=60",
      gives: "serve stale revalidate"
    ),
    UseRow(
      "5861 3",
      "Cache-Control: max-age=5, stale-while-revalidate=60",
      mode: .noCache,
      gives: "forward request"
    ),
    UseRow(
      "5861 3",
      "Cache-Control: max-age=5, stale-while-revalidate=60\nETag: \"a\"",
      request: "If-None-Match: \"a\"",
      gives: "serve stale revalidate 304"
    ),
  ])
  func staleWhileRevalidate(_ row: UseRow) throws { try row.check() }
}

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
  func modes(_ row: UseRow) throws { try row.check() }

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
