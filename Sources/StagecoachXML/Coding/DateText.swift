internal import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Dates in the proleptic Gregorian calendar: `xs:dateTime` and `xs:date` (XML Schema Part 2) and internet message
/// dates (RFC 5322). Surrounding white space is ignored.
enum DateText {
  /// A date of ISO 8601, as XML Schema restricts it.
  static func date(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    var reader = DateReader(octets: ScalarText.trimmed(text))
    return reader.isoDate(.xmlSchema).map { date(seconds: $0.seconds, fraction: $0.nanoseconds) }
  }

  /// An `xs:date`.
  static func day(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    var reader = DateReader(octets: ScalarText.trimmed(text))
    return reader.isoDay().map { date(seconds: $0) }
  }

  /// A date of an internet message.
  static func internetMessage(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    var reader = DateReader(octets: text)
    return reader.internetMessageDate().map { date(seconds: $0) }
  }

  /// A date of ISO 8601 or of an internet message.
  static func any(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    var reader = DateReader(octets: ScalarText.trimmed(text))
    return reader.anyDate().map { date(seconds: $0.seconds, fraction: $0.nanoseconds) }
  }

  /// Seconds between 1970 and 2001, from which `Date` counts.
  private static let reference: Int64 = 978_307_200

  private static func date(seconds: Int64, fraction: Int64 = 0) -> Date {
    let whole = Double(seconds - reference)
    return Date(timeIntervalSinceReferenceDate: fraction == 0 ? whole : whole + Double(fraction) / 1e9)
  }

  /// `2026-02-28T12:30:00.25Z`, with as few digits of a fraction as give the same date; nil outside of the
  /// years 1 to 9999.
  static func text(_ date: Date) -> String? {
    guard let (seconds, fraction) = parts(date), let time = civilTime(seconds) else { return nil }
    var text = "\(time.dayText)T\(time.clockText)"
    if fraction > 0 {
      var digits = CivilTime.padded(fraction, 9)[...]
      let milliseconds = (fraction + 500_000) / 1_000_000
      if milliseconds < 1000, self.date(seconds: seconds, fraction: milliseconds * 1_000_000) == date {
        digits = CivilTime.padded(milliseconds, 3)[...]
      }
      while digits.last == "0" { digits.removeLast() }
      text += "." + digits
    }
    return text + "Z"
  }

  /// `2026-02-28`.
  static func dayText(_ date: Date) -> String? { parts(date).flatMap { civilTime($0.seconds)?.dayText } }

  /// `Sat, 28 Feb 2026 12:30:00 GMT`, without the fraction; nil outside of the years 1 to 9999.
  static func internetMessageText(_ date: Date) -> String? {
    guard let seconds = parts(date)?.seconds, civilTime(seconds) != nil else { return nil }
    return HTTPDate(secondsSince1970: seconds)?.description
  }

  private static func civilTime(_ seconds: Int64) -> CivilTime? {
    let time = CivilTime(secondsSince1970: seconds)
    return (1...9999).contains(time.year) ? time : nil
  }

  /// Whole seconds since 1970 and nanoseconds.
  private static func parts(_ date: Date) -> (seconds: Int64, fraction: Int64)? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard abs(seconds) < 1e12 else { return nil }
    let whole = seconds.rounded(.down)
    let fraction = Int64(((seconds - whole) * 1e9).rounded())
    let carry: Int64 = fraction >= 1_000_000_000 ? 1 : 0
    return (Int64(whole) + reference + carry, carry == 0 ? fraction : 0)
  }
}
