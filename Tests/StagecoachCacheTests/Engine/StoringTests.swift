import HTTPTypes
import Testing

@testable import StagecoachCache

/// RFC 9111 3: which responses may be stored.
@Suite struct StoringTests {
  @Test(arguments: [
    StoringRow("3 method", "Cache-Control: max-age=60", gives: "stored"),
    StoringRow("3 method", "Cache-Control: max-age=60", method: .head, gives: "method"),
    StoringRow("3 method", "Cache-Control: max-age=60", method: .put, gives: "method"),
    StoringRow("3 method", "Cache-Control: max-age=60", method: .delete, gives: "method"),
    StoringRow("3 method", "Cache-Control: max-age=60", method: .options, gives: "method"),
    StoringRow("3 method", "Cache-Control: max-age=60", method: .init("FOO")!, gives: "method"),
    StoringRow("9110 9.3.3", "Cache-Control: max-age=60", method: .post, gives: "method"),
    StoringRow(
      "9110 9.3.3",
      "Cache-Control: max-age=60\nContent-Location: /a",
      method: .post,
      gives: "stored"
    ),
    StoringRow(
      "9110 9.3.3",
      "Expires: {60}\nContent-Location: https://example.com/a",
      method: .post,
      gives: "stored"
    ),
    StoringRow(
      "9110 9.3.3",
      "Cache-Control: max-age=60\nContent-Location: /b",
      method: .post,
      gives: "method"
    ),
    StoringRow(
      "9110 9.3.3",
      "Cache-Control: max-age=60\nContent-Location: //o.net/a",
      method: .post,
      gives: "method"
    ),
    StoringRow(
      "9110 9.3.3",
      "Cache-Control: max-age=60\nContent-Location: /a\nContent-Location: /b",
      method: .post,
      gives: "method"
    ),
    StoringRow("9110 9.3.3", "ETag: \"a\"\nContent-Location: /a", method: .post, gives: "method"),
    StoringRow(
      "9110 9.3.3",
      "Cache-Control: max-age=60\nContent-Location: /a",
      201,
      method: .post,
      gives: "method"
    ),
  ])
  func theMethodDecidesStoring(_ row: StoringRow) { row.check() }

  @Test(arguments: [
    StoringRow("3 final", "Cache-Control: max-age=60", 103, gives: "status"),
    StoringRow("3 304", "Cache-Control: max-age=60", 304, gives: "status"),
    StoringRow("credentials", "Cache-Control: max-age=60", 401, gives: "status"),
    StoringRow("credentials", "Cache-Control: max-age=60", 407, gives: "status"),
    StoringRow("9110 15.5.17", "Cache-Control: max-age=60", 416, gives: "status"),
    StoringRow("9110 15.5.13", "Cache-Control: max-age=60", 412, gives: "status"),
    StoringRow("6585 3", "Cache-Control: max-age=60", 428, gives: "status"),
    StoringRow("6585 4", "Cache-Control: max-age=60", 429, gives: "status"),
    StoringRow("6585 5", "Cache-Control: max-age=60", 431, gives: "status"),
    StoringRow("6585 6", "Cache-Control: max-age=60", 511, gives: "status"),
  ])
  func statusesThatAreNeverStored(_ row: StoringRow) { row.check() }

  @Test(arguments: [
    200, 203, 204, 299, 300, 301, 302, 303, 307, 308, 400, 404, 410, 499, 500, 502, 503, 504, 599,
  ])
  func anyFinalStatusIsStoredWithALifetime(status: Int) {
    StoringRow("3", "Cache-Control: max-age=60", status, gives: "stored").check()
    StoringRow("3", "Expires: {60}", status, gives: "stored").check()
    StoringRow("3", "Cache-Control: s-maxage=60", status, shared: true, gives: "stored").check()
  }

  /// RFC 9110 15.1.
  @Test(arguments: [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])
  func heuristicallyCacheableStatusesAreStoredWithAValidator(status: Int) {
    StoringRow("15.1", "ETag: \"a\"", status, gives: "stored").check()
    StoringRow("15.1", "Last-Modified: {-100}", status, gives: "stored").check()
    StoringRow("15.1", "", status, gives: "noFreshness").check()
  }

  @Test(arguments: [201, 202, 302, 303, 307, 400, 403, 500, 502, 503, 504, 599])
  func otherStatusesNeedALifetimeOrPublic(status: Int) {
    StoringRow("15.1", "ETag: \"a\"", status, gives: "noFreshness").check()
    StoringRow("5.2.2.9", "ETag: \"a\"\nCache-Control: public", status, gives: "stored").check()
    StoringRow("5.2.2.7", "ETag: \"a\"\nCache-Control: private", status, gives: "stored").check()
    StoringRow("5.2.2.9", "Cache-Control: public", status, gives: "noFreshness").check()
  }

  @Test(arguments: [
    StoringRow("5.2.2.7", "Cache-Control: private=\"a\"\nETag: \"a\"", 302, gives: "stored"),
    StoringRow(
      "5.2.2.7",
      "Cache-Control: private=\"a\"\nETag: \"a\"",
      302,
      shared: true,
      gives: "noFreshness"
    ),
    StoringRow("3 s-maxage", "Cache-Control: s-maxage=60", 302, gives: "noFreshness"),
    StoringRow(
      "3 request",
      "Cache-Control: max-age=60",
      request: "Cache-Control: no-store",
      gives: "requestNoStore"
    ),
    StoringRow("3 response", "Cache-Control: no-store, max-age=60", gives: "noStore"),
    StoringRow("3 response", "Cache-Control: No-StOrE, max-age=60", gives: "noStore"),
    StoringRow("3 response", "Cache-Control: max-age=60\nCache-Control: no-store", gives: "noStore"),
    StoringRow("3 response", "Cache-Control: no-store = 1, max-age=60", gives: "noStore"),
    StoringRow("3 response", "Cache-Control: x=\"no-store\", max-age=60", gives: "stored"),
    StoringRow("4.11 40", "Cache-Control: max-age=60, x=\u{1}", gives: "malformed"),
    StoringRow("4.1", "Cache-Control: max-age=60\nVary: *", gives: "varies"),
    StoringRow("4.1", "Cache-Control: max-age=60\nVary: accept-encoding, *", gives: "varies"),
    StoringRow("4.1", "Cache-Control: max-age=60\nVary: Foo\nVary: *", gives: "varies"),
    StoringRow("4.1", "Cache-Control: max-age=60\nVary: , *", gives: "varies"),
    StoringRow("4.1", "Cache-Control: max-age=60\nVary: a b", gives: "varies"),
    StoringRow("4.1", "Cache-Control: max-age=60\nVary: \"a\"", gives: "varies"),
    StoringRow("4.1", "Cache-Control: max-age=60\nVary:", gives: "stored"),
  ])
  func directivesAndVaryDecideStoring(_ row: StoringRow) { row.check() }

  @Test func aResponseWithTooManyFieldsIsNotStored() {
    var head = response("Cache-Control: max-age=60")
    for index in 0..<5000 { head.headerFields.append(HTTPField(name: .init("x-\(index)")!, value: "")) }
    let result = privateRules.storable(
      head,
      to: request(),
      sentAt: time(0),
      receivedAt: time(0),
      conceal: conceal
    )
    #expect(result == .failure(.head))
  }
}

/// RFC 9111 3.5: requests with Authorization.
@Suite struct AuthorizationTests {
  @Test(arguments: [
    StoringRow(
      "3.5",
      "Cache-Control: max-age=60",
      request: "Authorization: x",
      shared: true,
      gives: "authorization"
    ),
    StoringRow("3.5", "Expires: {60}", request: "Authorization: x", shared: true, gives: "authorization"),
    StoringRow(
      "3.5",
      "Cache-Control: max-age=60, proxy-revalidate",
      request: "Authorization: x",
      shared: true,
      gives: "authorization"
    ),
    StoringRow(
      "3.5",
      "Cache-Control: public, max-age=60",
      request: "Authorization: x",
      shared: true,
      gives: "stored"
    ),
    StoringRow(
      "3.5",
      "Cache-Control: must-revalidate, max-age=60",
      request: "Authorization: x",
      shared: true,
      gives: "stored"
    ),
    StoringRow(
      "3.5",
      "Cache-Control: s-maxage=60",
      request: "Authorization: x",
      shared: true,
      gives: "stored"
    ),
    StoringRow("3.5", "Cache-Control: max-age=60", request: "Authorization: x", gives: "stored"),
    StoringRow("5.2.2.7", "Cache-Control: private, max-age=60", gives: "stored"),
    StoringRow("5.2.2.7", "Cache-Control: private, max-age=60", shared: true, gives: "privateInShared"),
    StoringRow("5.2.2.7", "Cache-Control: PRIVATE, max-age=60", shared: true, gives: "privateInShared"),
    StoringRow("5.2.2.7", "Cache-Control: private=, max-age=60", shared: true, gives: "privateInShared"),
    StoringRow("5.2.2.7", "Cache-Control: private=\"\", max-age=60", shared: true, gives: "privateInShared"),
    StoringRow(
      "5.2.2.7",
      "Cache-Control: private=\"a b\", max-age=60",
      shared: true,
      gives: "privateInShared"
    ),
    StoringRow(
      "5.2.2.7",
      "Cache-Control: private=\"a\", private, max-age=60",
      shared: true,
      gives: "privateInShared"
    ),
    StoringRow("5.2.2.7", "Cache-Control: private=\"a\", max-age=60", shared: true, gives: "stored"),
    StoringRow(
      "5.2.2.7",
      "Cache-Control: private, public, max-age=60",
      shared: true,
      gives: "privateInShared"
    ),
  ])
  func aSharedCacheStoresNoResponseOfOneUser(_ row: StoringRow) { row.check() }
}
