/// A date and time in UTC, to the second.
package struct CivilTime {
  package let year: Int64
  package let month: Int64
  package let day: Int64
  /// The day of the week; Sunday is 0.
  let weekday: Int64
  /// The second of the day.
  let time: Int64

  package init(secondsSince1970 seconds: Int64) {
    let (days, time) = CivilCalendar.floorDivision(seconds, 86_400)
    (year, month, day) = CivilCalendar.date(daysSince1970: days)
    // The first of January 1970 was a Thursday.
    weekday = CivilCalendar.floorDivision(days + 4, 7).remainder
    self.time = time
  }

  /// The date, such as `2026-02-28`.
  package var dayText: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

  /// The time, such as `12:30:00`.
  package var clockText: String {
    "\(Self.padded(time / 3600, 2)):\(Self.padded(time / 60 % 60, 2)):\(Self.padded(time % 60, 2))"
  }

  /// Returns a number padded with leading zeros.
  package static func padded(_ value: Int64, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
}
