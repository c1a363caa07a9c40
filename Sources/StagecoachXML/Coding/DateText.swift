internal import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Dates in the proleptic Gregorian calendar: `xs:dateTime` and `xs:date` (XML Schema Part 2) and internet message
/// dates (RFC 5322). Surrounding white space is ignored.
enum DateText {
  /// An `xs:dateTime`, in UTC if it has no zone.
  static func date(_ text: UnsafeBufferPointer<UInt8>, timeMayMiss: Bool) -> Date? {
    var reader = DateReader(octets: ScalarText.trimmed(text))
    guard let days = reader.days() else { return nil }
    guard reader.take(UInt8(ascii: "T")) else {
      guard timeMayMiss, let offset = reader.zone() else { return nil }
      return date(seconds: days * 86_400 - offset)
    }
    guard let time = reader.clock(hours: 0...24), let fraction = reader.fraction(),
      let offset = reader.zone(),
      time < 86_400 || time == 86_400 && fraction == 0
    else { return nil }
    return date(seconds: days * 86_400 + time - offset, fraction: fraction)
  }

  /// An `xs:date`.
  static func day(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    var reader = DateReader(octets: ScalarText.trimmed(text))
    guard let days = reader.days(), let offset = reader.zone() else { return nil }
    return date(seconds: days * 86_400 - offset)
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

// MARK: - Internet messages

extension DateText {
  /// Parses `Sat, 28 Feb 2026 12:30:00 GMT`: the day of the week is optional and not checked; the seconds are
  /// optional; two-digit years are 1950 to 2049 (RFC 5322 4.3).
  static func internetMessage(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    var words = String(decoding: ScalarText.trimmed(text), as: UTF8.self)
      .split { $0 == " " || $0 == "\t" || $0.isNewline }
    if let first = words.first, first.last == "," {
      guard first.utf8.count >= 4 else { return nil }
      words.removeFirst()
    }
    guard words.count == 5, let day = number(words[0], 1...2), let year = year(words[2]),
      let month = CivilCalendar.month(named: words[1].utf8), let offset = offset(words[4])
    else { return nil }
    var time: Int64 = 0
    let parts = words[3].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3 else { return nil }
    for (part, range) in zip(parts, [0...23, 0...59, 0...60] as [ClosedRange<Int64>]) {
      guard let value = number(part, 1...2), range.contains(value) else { return nil }
      time = time * 60 + value
    }
    if parts.count == 2 { time *= 60 }
    return CivilCalendar.seconds(year, month, day, time: time - offset).map {
      Date(timeIntervalSince1970: Double($0))
    }
  }

  private static func number(_ text: Substring, _ lengths: ClosedRange<Int>) -> Int64? {
    guard lengths.contains(text.utf8.count), text.utf8.allSatisfy({ ScalarText.digit($0) != nil }) else {
      return nil
    }
    return Int64(text)
  }

  private static func year(_ text: Substring) -> Int64? {
    guard let year = number(text, 2...4) else { return nil }
    switch text.utf8.count {
    case 2: return year < 50 ? year + 2000 : year + 1900
    case 3: return year + 1900
    default: return year
    }
  }

  private static func offset(_ zone: Substring) -> Int64? {
    switch zone {
    case "GMT", "UT", "UTC", "Z": return 0
    case "EDT": return -4 * 3600
    case "EST", "CDT": return -5 * 3600
    case "CST", "MDT": return -6 * 3600
    case "MST", "PDT": return -7 * 3600
    case "PST": return -8 * 3600
    default:
      guard let sign = zone.first, sign == "+" || sign == "-", let value = number(zone.dropFirst(), 4...4),
        value % 100 < 60
      else { return nil }
      return (value / 100 * 60 + value % 100) * (sign == "-" ? -60 : 60)
    }
  }
}

extension DateReader {
  /// `2026-02-28` as days since 1970. A year has four digits or more, which then begin with no zero; 0 is the one
  /// before 1, as in XML Schema 1.1.
  fileprivate mutating func days() -> Int64? {
    let isNegative = take(UInt8(ascii: "-"))
    let start = position
    // A date still tells the seconds of years of eight digits from each other.
    guard let year = number(4...8), position - start == 4 || octets[start] != UInt8(ascii: "0") else {
      return nil
    }
    return days(in: isNegative ? -year : year)
  }

  /// `Z` or `+02:00` at the end as seconds; 0 if there is none.
  fileprivate mutating func zone() -> Int64? {
    guard let offset = isAtEnd || take(UInt8(ascii: "Z")) ? 0 : offset(hours: 0...14), isAtEnd else {
      return nil
    }
    return offset
  }
}
