import StagecoachFormats
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct HTTPDateTests {
  /// 2026-07-01T12:00:00Z
  private static let now = Date(timeIntervalSince1970: 1_782_907_200)
  private static let example: Int64 = 784_111_777

  @Test(
    arguments: [
      // The examples of RFC 9110 5.6.7.
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
      ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
      ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200), ("Thu Jan  1 00:00:00 1970", 0),
      ("Thu Nov 10 00:00:00 1994", 784_425_600),
      // A leap second is the second after it.
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
      // What real senders write.
      ("sun, 06 nov 1994 08:49:37 gmt", 784_111_777), ("Sun, 6 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sun, 06 Nov 1994 08:49:37 UTC", 784_111_777),
      ("Sun, 06-Nov-1994 08:49:37 GMT", 784_111_777), ("Sun, 06 Nov 94 08:49:37 GMT", 784_111_777),
      ("Sunday,06-Nov-94 08:49:37 GMT", 784_111_777), ("\t Sun Nov 6 08:49:37 1994 ", 784_111_777),
      ("Sun,  06  Nov  1994  08:49:37  GMT", 784_111_777),
    ] as [(String, Int64)]
  )
  func readsTheThreeFormsOfHTTPDates(text: String, seconds: Int64) throws {
    let date = try #require(HTTPDate(text, now: Self.now))
    #expect(date.secondsSince1970 == seconds)
    #expect(HTTPDate(date.description) == date)
  }

  @Test(
    arguments: [
      "", " ", "0", "120", "Sun", "Sun,", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37",
      "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49:37 +0100", "Sun, 06 Nov 1994 08:49:37 GMT+1",
      "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
      "Sun, 31 Nov 1994 08:49:37 GMT", "Tue, 29 Feb 2100 00:00:00 GMT", "Sun, 32 Dec 1994 08:49:37 GMT",
      "Sun, 06 Now 1994 08:49:37 GMT", "Foo, 06 Nov 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 199 08:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, 006 Nov 1994 08:49:37 GMT",
      "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT x",
      "Sun Nov  6 08:49:37 94", "Sun Nov  6 08:49:37 1994 GMT", "SunNov  6 08:49:37 1994",
      "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT, Mon", "Sun,\u{0}06 Nov 1994 08:49:37 GMT",
      "Sün, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:3٧ GMT", "Monday, 29-Feb-01 00:00:00 GMT",
    ]
  )
  func refusesAMalformedDate(text: String) {
    #expect(HTTPDate(text, now: Self.now) == nil)
  }

  /// Years of two digits: more than 50 years ahead is the past (5.6.7).
  @Test(
    arguments: [
      ("Wednesday, 01-Jul-76 12:00:00 GMT", "Wed, 01 Jul 2076 12:00:00 GMT"),
      ("Thursday, 01-Jul-76 12:00:01 GMT", "Thu, 01 Jul 1976 12:00:01 GMT"),
      ("Saturday, 31-Dec-76 00:00:00 GMT", "Fri, 31 Dec 1976 00:00:00 GMT"),
      ("Wednesday, 01-Jul-26 12:00:00 GMT", "Wed, 01 Jul 2026 12:00:00 GMT"),
      ("Friday, 01-Jan-77 00:00:00 GMT", "Sat, 01 Jan 1977 00:00:00 GMT"),
      ("Tuesday, 29-Feb-00 00:00:00 GMT", "Tue, 29 Feb 2000 00:00:00 GMT"),
      ("Friday, 31-Dec-99 23:59:59 GMT", "Fri, 31 Dec 1999 23:59:59 GMT"),
    ]
  )
  func readsYearsOfTwoDigitsAsNear(text: String, expected: String) {
    #expect(HTTPDate(text, now: Self.now)?.description == expected)
  }

  @Test func readsYearsOfTwoDigitsAtTheTurnOfACentury() {
    let before = HTTPDate("Fri, 31 Dec 1999 00:00:00 GMT")?.date ?? Self.now
    #expect(HTTPDate("Monday, 06-Nov-06 00:00:00 GMT", now: before)?.description.contains("2006") == true)
    let ancient = HTTPDate("Sat, 01 Jan 0000 00:00:00 GMT")?.date ?? Self.now
    #expect(HTTPDate("Monday, 06-Nov-06 00:00:00 GMT", now: ancient)?.description.contains("0006") == true)
  }

  @Test func writesDatesOfFourDigitYears() throws {
    #expect(HTTPDate(secondsSince1970: Self.example)?.description == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate(Date(timeIntervalSince1970: -0.5))?.description == "Wed, 31 Dec 1969 23:59:59 GMT")
    #expect(HTTPDate(secondsSince1970: 253_402_300_800) == nil)
    #expect(HTTPDate(secondsSince1970: -62_167_219_201) == nil)
    #expect(HTTPDate(Date(timeIntervalSince1970: .infinity)) == nil)
    #expect(HTTPDate(Date(timeIntervalSince1970: .nan)) == nil)
    let date = try #require(HTTPDate(secondsSince1970: Self.example))
    #expect(date.date.timeIntervalSince1970 == 784_111_777)
    #expect(try date < #require(HTTPDate(secondsSince1970: Self.example + 1)))
  }

  @Test func datesRoundTripAndDamagedOnesNeverCrash() {
    var random = SplitMix(state: 7)
    for _ in 0..<2_000 {
      let seconds = Int64.random(in: -62_167_219_200..<253_402_300_800, using: &random)
      guard let date = HTTPDate(secondsSince1970: seconds) else {
        Issue.record("\(seconds) is no date")
        continue
      }
      #expect(HTTPDate(date.description) == date)
      var octets = Array(date.description.utf8)
      octets[Int.random(in: 0..<octets.count, using: &random)] ^= UInt8(
        1 << Int.random(in: 0..<7, using: &random)
      )
      if let other = HTTPDate(String(decoding: octets, as: UTF8.self)) {
        #expect(HTTPDate(other.description) == other)
      }
    }
  }
}
