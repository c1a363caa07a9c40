/// The proleptic Gregorian calendar in integer arithmetic, for formatting dates; Foundation's calendar requires ICU.
package enum CivilCalendar {
  /// Returns the quotient rounded down, and a remainder that is never negative.
  package static func floorDivision(
    _ value: Int64,
    _ divisor: Int64
  ) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// The number of days in a month.
  package static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the number of days since 1970. Eras of 400 years start on the first of March, so that the leap day is the
  /// last day.
  package static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let (era, yearOfEra) = floorDivision(month > 2 ? year : year - 1, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Returns the date this many days after the first of January 1970.
  package static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivision(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// Returns the seconds since 1970 of a date and a second of the day; `nil` if the month does not have the day.
  package static func seconds(_ year: Int64, _ month: Int64, _ day: Int64, time: Int64) -> Int64? {
    guard (1...12).contains(month), (1...length(ofMonth: month, year)).contains(day) else { return nil }
    return days(year, month, day) * 86_400 + time
  }

  static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Returns the number of the month with a three-letter name, in any case; `nil` if the name is not a month.
  package static func month(named name: some Sequence<UInt8>) -> Int64? {
    let name = name.map(\.lowercasedInField)
    return months.firstIndex { $0.utf8.map(\.lowercasedInField) == name }.map { Int64($0 + 1) }
  }
}
