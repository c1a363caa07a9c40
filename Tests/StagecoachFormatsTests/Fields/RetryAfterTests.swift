import HTTPTypes
import StagecoachFormats
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct RetryAfterTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT
  private static let now = Date(timeIntervalSince1970: 784_111_777)

  /// The values of http.md 5.3; nil is ignored.
  @Test(
    arguments: [
      ("5.3 #1", "120", .seconds(120)), ("5.3 #2", "0", .zero),
      ("5.3 #2", "Sun, 06 Nov 1994 08:49:36 GMT", .zero), ("5.3 #3", "120.5", nil), ("5.3 #3", "-1", nil),
      ("5.3 #3", "+1", nil), ("5.3 #3", "1e3", nil), ("5.3 #3", "abc", nil), ("5.3 #3", "", nil),
      ("5.3 #3", "120, 60", nil), ("5.3 #3", "120 60", nil), ("5.3 #3", "0x10", nil),
      ("5.3 #3", "\u{664}\u{665}", nil),
      ("5.3 #4", "99999999999", .seconds(100 * 365 * 86_400)),
      ("5.3 #4", "99999999999999999999999999", .seconds(100 * 365 * 86_400)),
      ("5.3 #5", "Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)),
      ("5.3 #5", "Sunday, 06-Nov-94 08:50:37 GMT", .seconds(60)),
      ("5.3 #5", "Sun Nov  6 08:50:37 1994", .seconds(60)),
      ("RFC 9110 10.2.3", "120", .seconds(120)),
      ("RFC 9110 10.2.3", "Fri, 31 Dec 1999 23:59:59 GMT", .seconds(946_684_799 - 784_111_777)),
      ("5.3", " 7\t", .seconds(7)), ("5.3", "007", .seconds(7)),
    ] as [(String, String, Duration?)]
  )
  func readsSecondsAndDates(row: String, value: String, expected: Duration?) {
    var fields = HTTPFields()
    fields.append(HTTPField(name: .retryAfter, value: value))
    #expect(fields.retryAfter(now: Self.now) == expected, "\(row): \(value)")
  }

  @Test("5.3 #5: a date is measured on the clock of the server") func aDateIsMeasuredOnTheServersClock() {
    let fields: HTTPFields = [
      .retryAfter: "Sun, 06 Nov 1994 10:00:30 GMT", .date: "Sun, 06 Nov 1994 10:00:00 GMT",
    ]
    #expect(fields.retryAfter(now: Self.now) == .seconds(30))
    var unreadable = fields
    unreadable[.date] = "yesterday"
    #expect(unreadable.retryAfter(now: Self.now) == .seconds(4253))
  }

  @Test("5.3 #8: of two fields the larger counts") func theLargerOfTwoFieldsCounts() {
    var fields = HTTPFields()
    for value in ["5", "Sun, 06 Nov 1994 08:49:47 GMT", "abc", "7"] {
      fields.append(HTTPField(name: .retryAfter, value: value))
    }
    #expect(fields.retryAfter(now: Self.now) == .seconds(10))
    #expect(HTTPFields().retryAfter(now: Self.now) == nil)
  }

  @Test func aValueIsWrittenAsItWasRead() {
    for text in ["120", "0", "Sun, 06 Nov 1994 08:49:37 GMT"] {
      #expect(RetryAfter(text)?.description == text)
    }
    #expect(RetryAfter.seconds(-5).delay(from: Self.now) == .zero)
    #expect(RetryAfter.seconds(.max).delay(from: Self.now) == .seconds(100 * 365 * 86_400))
  }
}
