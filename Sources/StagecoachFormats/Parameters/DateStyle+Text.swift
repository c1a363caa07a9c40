#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension QueryEncoder.DateStyle {
  /// Returns the text for a date; `nil` if this style cannot represent it. Throws any error of a custom style.
  package func text(of date: Date) throws -> String? {
    let seconds = date.timeIntervalSince1970
    switch self {
    case .iso8601, .iso8601OrInternetMessage:
      return Int64(exactly: seconds.rounded(.down)).flatMap { DateText.text(seconds: $0) }
    case .iso8601Milliseconds:
      guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else { return nil }
      let (whole, rest) = CivilCalendar.floorDivision(milliseconds, 1000)
      return DateText.text(seconds: whole, milliseconds: rest)
    case .seconds: return seconds.isFinite ? NumberText.text(of: seconds) : nil
    case .milliseconds: return Int64(exactly: (seconds * 1000).rounded()).map(String.init)
    case .custom(let write, _): return try write(date)
    }
  }

  /// Returns the date for a text; `nil` if it is malformed. Throws any error of a custom style.
  package func date(_ text: String) throws -> Date? {
    switch self {
    case .iso8601, .iso8601Milliseconds: DateText.date(text) { $0.isoDate(.internet) }
    case .iso8601OrInternetMessage: DateText.date(text) { $0.anyDate() }
    case .seconds: NumberText.number(text).map(Date.init(timeIntervalSince1970:))
    case .milliseconds: NumberText.number(text).map { Date(timeIntervalSince1970: $0 / 1000) }
    case .custom(_, let read): try read(text)
    }
  }
}

/// Dates as RFC 3339 writes them, in the proleptic Gregorian calendar.
private enum DateText {
  /// `2026-02-28T12:30:00Z`, with three digits of a fraction if milliseconds are given; nil outside of the
  /// years 0 to 9999.
  static func text(seconds: Int64, milliseconds: Int64? = nil) -> String? {
    guard HTTPDate(secondsSince1970: seconds) != nil else { return nil }
    let time = CivilTime(secondsSince1970: seconds)
    let fraction = milliseconds.map { ".\(CivilTime.padded($0, 3))" } ?? ""
    return "\(time.dayText)T\(time.clockText)\(fraction)Z"
  }

  /// Returns the date for a text; `nil` if the reader does not know it. Up to nine digits of a fraction are used.
  static func date(
    _ text: String,
    _ read: (inout DateReader) -> (seconds: Int64, nanoseconds: Int64)?
  ) -> Date? {
    text.withUTF8Bytes { octets in
      var reader = DateReader(octets: octets)
      guard let (whole, fraction) = read(&reader) else { return nil }
      let (milliseconds, rest) = fraction.quotientAndRemainder(dividingBy: 1_000_000)
      // One division, so that milliseconds come back exactly as they were divided before.
      return Date(
        timeIntervalSince1970: rest == 0
          ? Double(whole * 1000 + milliseconds) / 1000 : Double(whole) + Double(fraction) / 1_000_000_000
      )
    }
  }
}
