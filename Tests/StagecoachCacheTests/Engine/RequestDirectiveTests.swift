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
    UseRow(
      "5.2.1.1",
      "Cache-Control: max-age=60",
      request: "Cache-Control: max-age=99, max-age=10",
      gives: "serve"
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
  func requestDirectivesDecideReuse(_ row: UseRow) throws { try row.check() }

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
  func pragmaNoCacheOfTheRequestForcesANewAnswer(_ row: UseRow) throws { try row.check() }
}
