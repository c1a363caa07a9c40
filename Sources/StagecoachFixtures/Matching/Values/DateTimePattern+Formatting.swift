import StagecoachCore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension DateTimePattern {
  /// Returns a date in this pattern, in UTC.
  package func string(from date: Date) -> String {
    let moment = Moment(date)
    return elements.map { element in
      switch element {
      case .literal(let text): text
      case .field(let field, let count): moment.text(of: field, count)
      }
    }
    .joined()
  }
}

/// The fields of an instant in UTC.
private struct Moment {
  private let civil: CivilTime
  private let days: Int64
  private let second: Int64
  private let nanosecond: Int64

  /// Creates the fields of a date, to the microsecond; of 1970 for dates that are out of range.
  init(_ date: Date) {
    let whole = date.timeIntervalSince1970.rounded(.down)
    let microseconds = min(((date.timeIntervalSince1970 - whole) * 1e6).rounded(), 999_999)
    let seconds = whole.magnitude < 1e15 ? Int64(whole) : 0
    civil = CivilTime(secondsSince1970: seconds)
    (days, second) = CivilCalendar.floorDivision(seconds, 86_400)
    nanosecond = whole.magnitude < 1e15 ? Int64(microseconds) * 1_000 : 0
  }

  /// From Sunday, 0.
  private var weekday: Int { Int(CivilCalendar.floorDivision(days + 4, 7).remainder) }
  private var dayOfYear: Int64 { days - CivilCalendar.days(civil.year, 1, 1) + 1 }
  private var hour: Int64 { second / 3600 }

  /// The year and the number of the week by ISO 8601, where weeks start on Monday.
  private var week: (year: Int64, number: Int64) {
    let thursday = days - Int64((weekday + 6) % 7) + 3
    let year = CivilCalendar.date(daysSince1970: thursday).year
    return (year, (thursday - CivilCalendar.days(year, 1, 1)) / 7 + 1)
  }

  func text(of field: DateTimePattern.Field, _ count: Int) -> String {
    switch field {
    case .era: count == 4 ? "Anno Domini" : "AD"
    case .year: count == 2 ? padded(civil.year % 100, 2) : padded(civil.year, count)
    case .weekYear: count == 2 ? padded(week.year % 100, 2) : padded(week.year, count)
    case .quarter: padded((civil.month + 2) / 3, count)
    case .month:
      switch count {
      case ...2: padded(civil.month, count)
      case 3: String(DateTimePattern.months[Int(civil.month) - 1].prefix(3))
      default: DateTimePattern.months[Int(civil.month) - 1]
      }
    case .week: padded(week.number, count)
    case .weekOfMonth: padded((civil.day + 6) / 7, count)
    case .day: padded(civil.day, count)
    case .dayOfYear: padded(dayOfYear, count)
    case .weekdayName:
      count == 4 ? DateTimePattern.weekdays[weekday] : String(DateTimePattern.weekdays[weekday].prefix(3))
    case .weekdayNumber: padded(Int64(weekday) + 1, count)
    case .dayPeriod: hour < 12 ? "AM" : "PM"
    case .hour: padded(hour, count)
    case .hourFrom1: padded(hour == 0 ? 24 : hour, count)
    case .halfHour: padded(hour % 12, count)
    case .halfHourFrom1: padded(hour % 12 == 0 ? 12 : hour % 12, count)
    case .minute: padded(second / 60 % 60, count)
    case .second: padded(second % 60, count)
    case .fraction:
      String((padded(nanosecond, 9) + String(repeating: "0", count: max(0, count - 9))).prefix(count))
    case .millisecondOfDay: padded(second * 1000 + nanosecond / 1_000_000, count)
    case .nanosecond: padded(nanosecond, count)
    case .nanosecondOfDay: padded(second * 1_000_000_000 + nanosecond, count)
    case .zoneName: "UTC"
    case .offset: count == 5 ? "Z" : count == 4 ? "GMT+00:00" : "+0000"
    case .isoOffset: count == 1 ? "+00" : count == 3 || count == 5 ? "+00:00" : "+0000"
    case .isoOffsetOrZ: "Z"
    }
  }

  private func padded(_ value: Int64, _ width: Int) -> String { CivilTime.padded(value, width) }
}
