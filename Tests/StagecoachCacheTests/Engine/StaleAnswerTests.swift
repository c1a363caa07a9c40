import HTTPTypes
import Testing

@testable import StagecoachCache

/// RFC 5861 4 and RFC 9111 5.2.2.2: what answers when the origin fails.
@Suite struct StaleAnswerTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var stored: String
    var request: String
    var mode: CacheMode
    var isShared: Bool
    var at: Double
    var onError: String
    var onFailure: String
    var testDescription: String {
      "\(stored.debugDescription) ← \(request.debugDescription) \(mode) at \(at)"
    }

    init(
      _ stored: String,
      request: String = "",
      mode: CacheMode = .default,
      shared: Bool = false,
      at: Double = 10,
      onError: String,
      onFailure: String
    ) {
      self.stored = stored
      self.request = request
      self.mode = mode
      isShared = shared
      self.at = at
      self.onError = onError
      self.onFailure = onFailure
    }
  }

  private func answer(_ entries: [CacheEntry], _ row: Row, _ failure: OriginFailure) -> String {
    let rules = row.isShared ? sharedRules : privateRules
    let answer = rules.staleAnswer(
      among: entries,
      for: request(row.request),
      after: failure,
      mode: row.mode,
      at: time(row.at),
      conceal: conceal
    )
    return switch answer {
    case .serve(let entry, let serving): "serve\(words(entry, serving))"
    case .pass: "pass"
    case .gatewayTimeout: "504"
    }
  }

  @Test(arguments: [
    Row("Cache-Control: max-age=5, stale-if-error=5", onError: "serve stale", onFailure: "serve stale"),
    Row("Cache-Control: max-age=5, stale-if-error=4", onError: "pass", onFailure: "pass"),
    Row("Cache-Control: max-age=5, stale-if-error=x", onError: "pass", onFailure: "pass"),
    Row("Cache-Control: max-age=5", onError: "pass", onFailure: "pass"),
    Row(
      "Cache-Control: max-age=5",
      request: "Cache-Control: stale-if-error=5",
      onError: "serve stale",
      onFailure: "serve stale"
    ),
    Row(
      "Cache-Control: max-age=5",
      request: "Cache-Control: stale-if-error=4",
      onError: "pass",
      onFailure: "pass"
    ),
    Row(
      "Cache-Control: max-age=5, stale-if-error=1",
      request: "Cache-Control: stale-if-error=9",
      onError: "serve stale",
      onFailure: "serve stale"
    ),
    Row(
      "Cache-Control: max-age=5, stale-if-error=9",
      request: "Cache-Control: stale-if-error=1",
      onError: "serve stale",
      onFailure: "serve stale"
    ),
    Row("Cache-Control: max-age=5, stale-if-error=9, must-revalidate", onError: "pass", onFailure: "504"),
    Row("Cache-Control: max-age=5, must-revalidate", onError: "pass", onFailure: "504"),
    Row(
      "Cache-Control: max-age=60, must-revalidate",
      request: "Cache-Control: max-age=1",
      onError: "pass",
      onFailure: "pass"
    ),
    Row("Cache-Control: max-age=5, stale-if-error=9, no-cache", onError: "pass", onFailure: "pass"),
    Row(
      "Cache-Control: max-age=5, stale-if-error=9, proxy-revalidate",
      shared: true,
      onError: "pass",
      onFailure: "504"
    ),
    Row(
      "Cache-Control: max-age=5, stale-if-error=9, proxy-revalidate",
      onError: "serve stale",
      onFailure: "serve stale"
    ),
    Row("Cache-Control: s-maxage=5, stale-if-error=9", shared: true, onError: "pass", onFailure: "504"),
    Row(
      "Cache-Control: max-age=60, stale-if-error=9",
      request: "Cache-Control: max-age=1",
      onError: "serve",
      onFailure: "serve"
    ),
    Row(
      "Cache-Control: max-age=5, stale-if-error=9",
      request: "Cache-Control: no-cache",
      onError: "pass",
      onFailure: "pass"
    ),
    Row(
      "Cache-Control: max-age=5, stale-if-error=9",
      request: "Pragma: no-cache",
      onError: "pass",
      onFailure: "pass"
    ),
    Row(
      "Cache-Control: max-age=5, stale-if-error=9",
      request: "Cache-Control: no-store",
      onError: "pass",
      onFailure: "pass"
    ),
    Row(
      "Cache-Control: max-age=5, stale-if-error=9",
      request: "If-Match: \"a\"",
      onError: "pass",
      onFailure: "pass"
    ),
    Row("Cache-Control: max-age=5, stale-if-error=9", mode: .reload, onError: "pass", onFailure: "pass"),
    Row("Cache-Control: max-age=5, stale-if-error=9", mode: .noCache, onError: "pass", onFailure: "pass"),
    Row("Cache-Control: max-age=5, stale-if-error=9", mode: .noStore, onError: "pass", onFailure: "pass"),
    Row(
      "Cache-Control: max-age=5, stale-if-error=9\nVary: Foo",
      request: "Foo: 1",
      onError: "pass",
      onFailure: "pass"
    ),
    Row(
      "Cache-Control: max-age=5, stale-if-error=9\nETag: \"a\"",
      request: "If-None-Match: \"a\"",
      onError: "serve stale 304",
      onFailure: "serve stale 304"
    ),
    Row(
      "Cache-Control: max-age=5, stale-if-error=9",
      request: "Range: bytes=0-1",
      onError: "serve stale 0-1/10",
      onFailure: "serve stale 0-1/10"
    ),
  ])
  func aStaleResponseTakesThePlaceOfAnError(_ row: Row) throws {
    let entries = [try (row.isShared ? sharedRules : privateRules).entry(row.stored)]
    for status in [500, 502, 503, 504] {
      #expect(answer(entries, row, .status(.init(code: status))) == row.onError)
    }
    for status in [200, 400, 404, 429, 501, 505, 599] {
      #expect(answer(entries, row, .status(.init(code: status))) == "pass")
    }
    #expect(answer(entries, row, .unreachable) == row.onFailure)
    #expect(answer([], row, .unreachable) == "pass")
  }

  @Test func methodsOtherThanGetAndHeadPassTheError() throws {
    let entry = try privateRules.entry("Cache-Control: max-age=5, stale-if-error=60")
    for (method, isServed) in [
      (HTTPRequest.Method.get, true), (.head, true), (.post, false), (.options, false),
    ] {
      let answer = privateRules.staleAnswer(
        among: [entry],
        for: request("", method),
        after: .unreachable,
        mode: .default,
        at: time(9),
        conceal: conceal
      )
      let serves = if case .serve = answer { true } else { false }
      #expect(serves == isServed)
    }
  }
}
