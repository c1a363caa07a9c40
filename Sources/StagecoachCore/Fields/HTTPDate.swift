#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A date as fields hold it (RFC 9110 5.6.7): a second of the years 0 to 9999.
///
/// ```swift
/// let date = HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT")
/// request.fields[.ifModifiedSince] = HTTPDate(lastSeen)?.description
/// ```
public struct HTTPDate: Sendable, Hashable, Comparable, CustomStringConvertible {
  private static let range: Range<Int64> = -62_167_219_200..<253_402_300_800

  /// The seconds since the first of January 1970, without leap seconds.
  public let secondsSince1970: Int64

  /// A date by its seconds since 1970; nil outside of the years 0 to 9999.
  public init?(secondsSince1970 seconds: Int64) {
    guard Self.range.contains(seconds) else { return nil }
    secondsSince1970 = seconds
  }

  /// The second that a date is in; nil outside of the years 0 to 9999.
  public init?(_ date: Date) {
    guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else { return nil }
    self.init(secondsSince1970: seconds)
  }

  /// The date.
  public var date: Date { Date(timeIntervalSince1970: Double(secondsSince1970)) }

  /// The one form that is sent, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  public var description: String {
    let (days, time) = CivilCalendar.floorDivision(secondsSince1970, 86_400)
    let (year, month, day) = CivilCalendar.date(daysSince1970: days)
    // The first of January 1970 was a Thursday.
    let weekday = Self.weekdays[Int(CivilCalendar.floorDivision(days + 4, 7).remainder)].prefix(3)
    let clock = [time / 3600, time / 60 % 60, time % 60].map { CivilCalendar.padded($0, 2) }
    return "\(weekday), \(CivilCalendar.padded(day, 2)) \(Self.months[Int(month - 1)]) "
      + "\(CivilCalendar.padded(year, 4)) \(clock.joined(separator: ":")) GMT"
  }

  /// Whether one date is before another.
  public static func < (a: HTTPDate, b: HTTPDate) -> Bool { a.secondsSince1970 < b.secondsSince1970 }

  static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
