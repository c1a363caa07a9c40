#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension HTTPDate {
  /// Parses a date in any of the three HTTP formats; `nil` if it is malformed (RFC 9110 5.6.7).
  ///
  /// ```text
  /// Sun, 06 Nov 1994 08:49:37 GMT
  /// Sunday, 06-Nov-94 08:49:37 GMT
  /// Sun Nov  6 08:49:37 1994
  /// ```
  ///
  /// Accepts: any case, `UTC` instead of `GMT`, whitespace around the date and additional whitespace inside, a
  /// one-digit day, a wrong weekday, and mixed separators and years of the formats. The second 60 is read as the
  /// following second.
  ///
  /// - Parameters:
  ///   - text: The field value.
  ///   - now: The current date, for two-digit years: a year more than 50 years in the future is in the past.
  public init?(_ text: String, now: Date = Date()) {
    var text = text
    let seconds = text.withUTF8 { octets in
      var reader = DateReader(octets: octets)
      return reader.httpDate(now: now)
    }
    guard let seconds else { return nil }
    self.init(secondsSince1970: seconds)
  }
}

/// A date whose year may lack its century.
private struct DateParts {
  var year: Int64
  var hasCentury = true
  var month: Int64
  var day: Int64
  var time: Int64

  /// The seconds since 1970; nil for a day that the month does not have.
  func seconds(year: Int64) -> Int64? { CivilCalendar.seconds(year, month, day, time: time) }
}

extension DateReader {
  mutating func httpDate(now: Date) -> Int64? {
    skipBlanks()
    guard isWeekday(word()), let parts = take(UInt8(ascii: ",")) ? dayFirst() : monthFirst() else {
      return nil
    }
    skipBlanks()
    guard isAtEnd else { return nil }
    return parts.hasCentury ? parts.seconds(year: parts.year) : nearest(parts, to: now)
  }

  /// ` 06 Nov 1994 08:49:37 GMT` and ` 06-Nov-94 08:49:37 GMT`.
  private mutating func dayFirst() -> DateParts? {
    skipBlanks()
    guard let day = number(1...2), separator(), let month = month(), separator() else { return nil }
    let start = position
    guard let year = number(2...4) else { return nil }
    let digits = position - start
    guard digits != 3, blanks(), let time = clock(), blanks(), ["gmt", "utc"].contains(word()) else {
      return nil
    }
    return DateParts(year: year, hasCentury: digits == 4, month: month, day: day, time: time)
  }

  /// ` Nov  6 08:49:37 1994`.
  private mutating func monthFirst() -> DateParts? {
    guard blanks(), let month = month(), blanks(), let day = number(1...2), blanks(), let time = clock(),
      blanks(), let year = number(4...4)
    else { return nil }
    return DateParts(year: year, month: month, day: day, time: time)
  }

  /// The date in the century that has it at most 50 years ahead, and less than 50 years past.
  private func nearest(_ parts: DateParts, to now: Date) -> Int64? {
    let present = HTTPDate(now)?.secondsSince1970 ?? 0
    let today = CivilTime(secondsSince1970: present)
    let limit = CivilCalendar.days(today.year + 50, today.month, today.day) * 86_400 + today.time
    var candidate = today.year - today.year % 100 + 100 + parts.year
    // A leap day exists in some of the candidates only, so the others are passed over by their first day.
    var first = parts
    first.day = min(parts.day, 28)
    while candidate >= 100, let seconds = first.seconds(year: candidate), seconds > limit { candidate -= 100 }
    guard let seconds = parts.seconds(year: candidate) else { return nil }
    return seconds > limit ? parts.seconds(year: candidate - 100) : seconds
  }

  private mutating func month() -> Int64? { CivilCalendar.month(named: word().utf8) }

  private func isWeekday(_ name: String) -> Bool {
    CivilCalendar.weekdays.contains { $0.lowercased() == name || $0.prefix(3).lowercased() == name }
  }

  private mutating func separator() -> Bool { take(UInt8(ascii: "-")) || blanks() }
}
