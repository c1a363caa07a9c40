internal import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Dates in the proleptic Gregorian calendar: `xs:dateTime` and `xs:date` (XML Schema Part 2) and those of
/// internet messages (RFC 5322). White space around them is ignored.
enum DateText {
  /// An `xs:dateTime`, in UTC if it has no zone.
  static func date(_ text: UnsafeBufferPointer<UInt8>, timeMayMiss: Bool) -> Date? {
    var reader = DigitReader(ScalarText.trimmed(text))
    guard let days = reader.day() else { return nil }
    guard reader.skip("T") else {
      guard timeMayMiss, let offset = reader.zone(), reader.isAtEnd else { return nil }
      return date(seconds: days * 86_400 - offset)
    }
    guard let time = reader.time(), let fraction = reader.fraction(), let offset = reader.zone(),
      reader.isAtEnd,
      time < 86_400 || time == 86_400 && fraction == 0
    else { return nil }
    return date(seconds: days * 86_400 + time - offset, fraction: fraction)
  }

  /// An `xs:date`.
  static func day(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    var reader = DigitReader(ScalarText.trimmed(text))
    guard let days = reader.day(), let offset = reader.zone(), reader.isAtEnd else { return nil }
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
    guard let (days, time, fraction) = parts(date), let day = dayText(days) else { return nil }
    var text =
      "\(day)T\(CivilCalendar.padded(time / 3600, 2)):\(CivilCalendar.padded(time / 60 % 60, 2)):\(CivilCalendar.padded(time % 60, 2))"
    if fraction > 0 {
      var digits = CivilCalendar.padded(fraction, 9)[...]
      let milliseconds = (fraction + 500_000) / 1_000_000
      if milliseconds < 1000,
        self.date(seconds: days * 86_400 + time, fraction: milliseconds * 1_000_000) == date
      {
        digits = CivilCalendar.padded(milliseconds, 3)[...]
      }
      while digits.last == "0" { digits.removeLast() }
      text += "." + digits
    }
    return text + "Z"
  }

  /// `2026-02-28`.
  static func dayText(_ date: Date) -> String? { parts(date).flatMap { dayText($0.days) } }

  private static func dayText(_ days: Int64) -> String? {
    let (year, month, day) = CivilCalendar.date(daysSince1970: days)
    guard (1...9999).contains(year) else { return nil }
    return
      "\(CivilCalendar.padded(year, 4))-\(CivilCalendar.padded(month, 2))-\(CivilCalendar.padded(day, 2))"
  }

  /// Whole days since 1970, seconds of the day and nanoseconds of the second.
  private static func parts(_ date: Date) -> (days: Int64, time: Int64, fraction: Int64)? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard abs(seconds) < 1e12 else { return nil }
    var whole = Int64(seconds.rounded(.down))
    var fraction = Int64(((seconds - Double(whole)) * 1e9).rounded())
    if fraction >= 1_000_000_000 { (whole, fraction) = (whole + 1, 0) }
    let (days, time) = CivilCalendar.floorDivision(whole + reference, 86_400)
    return (days, time, fraction)
  }
}

// MARK: - Internet messages

extension DateText {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// `Sat, 28 Feb 2026 12:30:00 GMT`: the day of the week may be missing, and is not checked; so may the
  /// seconds; years of two digits are those of 1950 to 2049 (RFC 5322, section 4.3).
  static func internetMessage(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    var words = String(decoding: ScalarText.trimmed(text), as: UTF8.self)
      .split { $0 == " " || $0 == "\t" || $0.isNewline }
    if let first = words.first, first.last == "," {
      guard first.utf8.count >= 4 else { return nil }
      words.removeFirst()
    }
    guard words.count == 5, let day = number(words[0], 1...2), let year = year(words[2]),
      let month = months.firstIndex(where: { $0.lowercased() == words[1].prefix(3).lowercased() }),
      words[1].utf8.count == 3,
      (1...CivilCalendar.length(ofMonth: Int64(month) + 1, year)).contains(day),
      let offset = offset(words[4])
    else { return nil }
    var time: Int64 = 0
    let parts = words[3].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3 else { return nil }
    for (part, range) in zip(parts, [0...23, 0...59, 0...60] as [ClosedRange<Int64>]) {
      guard let value = number(part, 1...2), range.contains(value) else { return nil }
      time = time * 60 + value
    }
    if parts.count == 2 { time *= 60 }
    return Date(
      timeIntervalSince1970: Double(CivilCalendar.days(year, Int64(month) + 1, day) * 86_400 + time - offset)
    )
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

  /// `Sat, 28 Feb 2026 12:30:00 GMT`, without the fraction; nil outside of the years 1 to 9999.
  static func internetMessageText(_ date: Date) -> String? {
    guard let (days, time, _) = parts(date) else { return nil }
    let (year, month, day) = CivilCalendar.date(daysSince1970: days)
    guard (1...9999).contains(year) else { return nil }
    let weekday = weekdays[Int(CivilCalendar.floorDivision(days, 7).remainder)]
    let clock =
      "\(CivilCalendar.padded(time / 3600, 2)):\(CivilCalendar.padded(time / 60 % 60, 2)):\(CivilCalendar.padded(time % 60, 2))"
    return
      "\(weekday), \(CivilCalendar.padded(day, 2)) \(months[Int(month) - 1]) \(CivilCalendar.padded(year, 4)) \(clock) GMT"
  }
}

/// Reads digits and single characters from the start of a text.
private struct DigitReader {
  private let text: UnsafeBufferPointer<UInt8>
  private var index = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  var isAtEnd: Bool { index == text.count }

  /// A number of exactly `count` digits.
  @inline(__always)
  mutating func number(_ count: Int) -> Int64? {
    guard text.count - index >= count else { return nil }
    var value: Int64 = 0
    for offset in 0..<count {
      guard let digit = ScalarText.digit(text[index + offset]) else { return nil }
      value = value * 10 + Int64(digit)
    }
    index += count
    return value
  }

  /// Skips a character, if it is there.
  @inline(__always)
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// A year, of four digits or more, which then begin with no zero. 0 is the one before 1, as in XML Schema 1.1.
  @inline(__always)
  private mutating func year() -> Int64? {
    let isNegative = skip("-")
    let start = index
    guard var year = number(4) else { return nil }
    // A date still tells the seconds of years of eight digits from each other.
    while index < text.count, index - start < 8, let digit = ScalarText.digit(text[index]) {
      year = year * 10 + Int64(digit)
      index += 1
    }
    guard index - start == 4 || text[start] != UInt8(ascii: "0") else { return nil }
    return isNegative ? -year : year
  }

  /// `2026-02-28` as days since 1970.
  mutating func day() -> Int64? {
    guard let year = year(), skip("-"), let month = number(2), skip("-"), let day = number(2),
      (1...12).contains(month), (1...CivilCalendar.length(ofMonth: month, year)).contains(day)
    else { return nil }
    return CivilCalendar.days(year, month, day)
  }

  /// `12:30:00` as seconds.
  mutating func time() -> Int64? {
    guard let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2),
      hour <= 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// A point and digits as nanoseconds, of which nine count; 0 if there is none.
  mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    var value: Int64 = 0, digits = 0
    while index < text.count, let digit = ScalarText.digit(text[index]) {
      if digits < 9 { value = value * 10 + Int64(digit) }
      digits += 1
      index += 1
    }
    guard digits > 0 else { return nil }
    for _ in min(digits, 9)..<9 { value *= 10 }
    return value
  }

  /// `Z` or `+02:00` as seconds; 0 if there is none.
  mutating func zone() -> Int64? {
    if isAtEnd || skip("Z") { return 0 }
    let isNegative = skip("-")
    guard isNegative || skip("+"), let hours = number(2), skip(":"), let minutes = number(2), hours <= 14,
      minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
  }
}
