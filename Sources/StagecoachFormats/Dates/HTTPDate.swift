#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A date of a header field: a second of the years 0 to 9999 (RFC 9110 5.6.7).
///
/// ```swift
/// import Foundation
///
/// let date = HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT")
/// request.fields[.ifModifiedSince] = HTTPDate(Date.now)?.description
/// ```
public struct HTTPDate: Sendable, Hashable, Comparable, CustomStringConvertible {
  private static let range: Range<Int64> = -62_167_219_200..<253_402_300_800

  /// The number of seconds since the first of January 1970, without leap seconds.
  public let secondsSince1970: Int64

  /// Creates a date from seconds since 1970; `nil` outside of the years 0 to 9999.
  public init?(secondsSince1970 seconds: Int64) {
    guard Self.range.contains(seconds) else { return nil }
    secondsSince1970 = seconds
  }

  /// Creates a date by truncating another to seconds; `nil` outside of the years 0 to 9999.
  public init?(_ date: Date) {
    guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else { return nil }
    self.init(secondsSince1970: seconds)
  }

  /// The date as Foundation's type.
  public var date: Date { Date(timeIntervalSince1970: Double(secondsSince1970)) }

  /// The preferred format, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  public var description: String {
    let time = CivilTime(secondsSince1970: secondsSince1970)
    return "\(CivilCalendar.weekdays[Int(time.weekday)].prefix(3)), \(CivilTime.padded(time.day, 2)) "
      + "\(CivilCalendar.months[Int(time.month - 1)]) \(CivilTime.padded(time.year, 4)) \(time.clockText) GMT"
  }

  /// Returns whether the first date is earlier.
  public static func < (a: HTTPDate, b: HTTPDate) -> Bool { a.secondsSince1970 < b.secondsSince1970 }
}
