import TestSupport
import Testing

@testable import StagecoachCore
@testable import StagecoachStages

@Suite struct CookieDateTests {
  private static func seconds(_ year: Int64, _ month: Int64, _ day: Int64, _ clock: Int64 = 0) -> Int64 {
    CivilCalendar.days(year, month, day) * 86_400 + clock
  }

  @Test(
    "3.3 cookie date",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", seconds(1994, 11, 6, 31_777)),
      ("Sunday, 06-Nov-94 08:49:37 GMT", seconds(1994, 11, 6, 31_777)),
      ("Sun Nov  6 08:49:37 1994", seconds(1994, 11, 6, 31_777)),
      ("9 nov 2098 1:2:3 +0200", seconds(2098, 11, 9, 3723)),
      ("1:2:3x9 y nov 2098 1", seconds(2098, 11, 1, 3723)),
      ("2098 nov 9 01:02:03", seconds(2098, 11, 9, 3723)),
      ("01:02:03 09 20 Nov", seconds(2020, 11, 9, 3723)),
      ("01:02:03 9 november 2020", seconds(2020, 11, 9, 3723)),
      ("01:02:03;9th&NOVX/2020abc", seconds(2020, 11, 9, 3723)),
      ("1 jan 70 0:0:0", 0), ("1 jan 69 0:0:0", seconds(2069, 1, 1)), ("1 jan 99 0:0:0", seconds(1999, 1, 1)),
      ("1 jan 00 0:0:0", seconds(2000, 1, 1)), ("1 jan 100 0:0:0", nil), ("1 jan 1600 0:0:0", nil),
      ("1 jan 1601 0:0:0", seconds(1601, 1, 1)), ("29 feb 2000 0:0:0", seconds(2000, 2, 29)),
      ("29 feb 1900 0:0:0", nil), ("31 Feb 2098 00:00:00", nil), ("0 jan 2000 0:0:0", nil),
      ("32 jan 2000 0:0:0", nil), ("31 apr 2000 0:0:0", nil), ("1 jan 2000 24:0:0", nil),
      ("1 jan 2000 0:60:0", nil), ("1 jan 2000 0:0:60", nil), ("1 jan 2000 0:0:001", nil),
      ("1 jan 2000 0:0", nil), ("1 jan 20000 0:0:0", nil), ("001 jan 2000 0:0:0", nil),
      ("1 ja 2000 0:0:0", nil),
      ("1 jan 0:0:0", nil), ("1 2000 0:0:0", nil), ("jan 2000 0:0:0", nil), ("1 jan 2000", nil),
      ("tomorrow", nil), ("", nil), ("é 1 jan 2000 0:0:0", seconds(2000, 1, 1)),
    ] as [(String, Int64?)]
  )
  func readsCookieDatesOrRefusesThem(text: String, expected: Int64?) {
    #expect(CookieDate.parse(Array(text.utf8)) == expected)
  }

  @Test func everySecondOfTheCalendarIsReadBack() {
    var random = SplitMix(state: 11)
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    for _ in 0..<2000 {
      let seconds = Int64.random(in: Self.seconds(1601, 1, 1)..<Self.seconds(10_000, 1, 1), using: &random)
      let (days, clock) = CivilCalendar.floorDivision(seconds, 86_400)
      let date = CivilCalendar.date(daysSince1970: days)
      var parts = [
        "\(date.day)", months[Int(date.month) - 1], "\(date.year)",
        "\(clock / 3600):\(clock / 60 % 60):\(clock % 60)",
      ]
      // A day must come before a year, all else stands anywhere.
      let month = parts.remove(at: 1)
      parts.insert(month, at: Int.random(in: 0...3, using: &random))
      let text = parts.joined(separator: [" ", "-", ", ", ";"].randomElement(using: &random) ?? " ")
      #expect(CookieDate.parse(Array(text.utf8)) == seconds, "\(text)")
    }
  }
}
