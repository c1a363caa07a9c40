import HTTPTypes
import StagecoachFormats
import Testing

@testable import StagecoachCache

/// Random octets in every field that the engine reads: nothing traps, and nothing is served against `no-store`.
@Suite struct HostileInputTests {
  private static let names: [HTTPField.Name] = [
    .cacheControl, .cdnCacheControl, .vary, .expires, .date, .age, .eTag, .lastModified, .contentRange,
    .contentLength,
    .range, .ifRange, .ifNoneMatch, .ifModifiedSince, .pragma, .connection, .contentLocation, .location,
    .setCookie,
  ]
  private static let words = [
    "max-age=60", "no-cache", "private=\"a\"", "public", "stale-if-error=9", "*", "\"a\"", "W/\"a\"",
    "bytes=0-4",
    "bytes 0-4/10", "-", "9223372036854775807", "18446744073709551616", ",", "\"", "\\", "=", " ", "\t",
    "Foo",
    "Sun, 06 Nov 1994 08:49:37 GMT", "/a", "https://example.com/a", "s-maxage=1", "must-understand", "5",
  ]

  @Test(arguments: 0..<8)
  func hostileFieldsNeverTrap(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var served = 0
    var parts = 0
    for _ in 0..<400 {
      let rules = CacheRules(isShared: Bool.random(using: &random))
      var ask = request()
      ask.headerFields = Self.fields(&random)
      let status = [200, 206, 304, 404, 500].randomElement(using: &random) ?? 200
      var answer = response("", status)
      answer.headerFields = Self.fields(&random)
      if Bool.random(using: &random) { answer.headerFields[.cacheControl] = "max-age=60" }
      if status == 206, Bool.random(using: &random) {
        ask.headerFields[.range] = "bytes=0-9"
        answer.headerFields[.eTag] = "\"a\""
        answer.headerFields[.contentRange] = "bytes 0-4/10"
      }
      var entries: [CacheEntry] = []
      if case .success(let stored) = rules.storable(
        answer,
        to: ask,
        sentAt: time(0),
        receivedAt: time(1),
        conceal: conceal
      ) {
        #expect(!CacheControl(request: ask.headerFields).isNoStore)
        entries = [CacheEntry(id: 1, response: stored, length: Int64.random(in: 0...20, using: &random))]
        _ = rules.incomplete(stored, received: 3, of: .max)
        _ = rules.combined(entries[0], with: stored, length: .max)
      }
      var next = request()
      next.headerFields = Self.fields(&random)
      if Bool.random(using: &random) {
        next.headerFields[.range] = "bytes=1-\(Int.random(in: 1...5, using: &random))"
      }
      for mode in CacheMode.allCases {
        if case .serve(let entry, let serving) = rules.act(on: next, entries, mode: mode, at: 30) {
          let head = rules.head(of: entry.response, serving)
          served += 1
          if case .part(let range, let total) = serving.content {
            #expect(range.lowerBound >= 0 && range.upperBound <= total && !range.isEmpty)
            #expect(range.upperBound <= (entry.response.part?.start ?? 0) + entry.length)
            #expect(head.status == .partialContent)
            parts += 1
          }
        }
      }
      _ = rules.apply304("", to: entries, for: next)
      var notModified = answer
      notModified.status = .notModified
      notModified.headerFields = Self.fields(&random)
      _ = rules.freshen(
        entries,
        by: notModified,
        request: next,
        sentAt: time(9),
        receivedAt: time(9),
        conceal: conceal
      )
      _ = rules.freshen(
        entries,
        byHead: answer,
        request: request("", .head),
        sentAt: time(9),
        receivedAt: time(9),
        conceal: conceal
      )
    }
    // Otherwise the test shows nothing.
    #expect(served > 10 && parts > 10)
  }

  private static func fields(_ random: inout SplitMix) -> HTTPFields {
    var fields = HTTPFields()
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      guard let name = names.randomElement(using: &random) else { continue }
      var value: [UInt8] = []
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        if Int.random(in: 0..<4, using: &random) == 0 {
          value.append(UInt8.random(in: 1...255, using: &random))
        } else {
          value += Array((words.randomElement(using: &random) ?? "").utf8)
        }
      }
      fields.append(HTTPField(name: name, lenientValue: value))
    }
    return fields
  }
}

private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
