import HTTPTypes
import Testing

@testable import StagecoachCache

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
  func responseDirectivesDecideReuse(_ row: UseRow) throws { try row.check() }

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
  func mustUnderstandDecidesStoring(_ row: StoringRow) { row.check() }

  /// What is malformed may hide `private`; a private cache is not concerned.
  @Test(arguments: [
    "must-revalidate x", "must-revalidate x, public", "x=\"a, private", "x=\"a\\", "\"a, private",
    "private x",
    "public; private", "public private", "x=\"a\" private", "x=", "x==1", "=1", "x y", "s-maxage=60 60",
    "no-cache= x",
  ])
  func malformedElementsAreForOneUser(_ element: String) {
    for list in ["max-age=60, \(element)", "max-age=60\nCache-Control: \(element)"] {
      let response = "Cache-Control: \(list)\nETag: \"a\""
      for request in ["", "Authorization: Bearer a"] {
        StoringRow("5.2", response, request: request, shared: true, gives: "privateInShared").check()
      }
      StoringRow("5.2", response, gives: "stored").check()
    }
  }

  @Test(arguments: ["", ",", " ,\t, ", "x", "x=1", "x=\"a, private\"", "x=\"\\\"\" , y"])
  func otherElementsAreNotMalformed(_ element: String) {
    StoringRow("5.2", "Cache-Control: max-age=60, \(element)", shared: true, gives: "stored").check()
  }

  /// What one client sends is not what the others of a shared cache get.
  @Test(arguments: [(false, "stored"), (true, "method")])
  func aResponseToPostIsForOneUser(isShared: Bool, result: String) {
    let response = "Cache-Control: max-age=60\nContent-Location: /a"
    StoringRow("9110 9.3.3", response, method: .post, shared: isShared, gives: result).check()
  }

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
  func immutableResponsesAreNotReloadedWhileFresh(_ row: UseRow) throws { try row.check() }

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
  func servesStaleWhileRevalidating(_ row: UseRow) throws { try row.check() }
}
