#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension QueryEncoder.DateStyle {
  /// The text of a date; nil if this style has none. Throws what a custom style throws.
  func text(of date: Date) throws -> String? {
    let seconds = date.timeIntervalSince1970
    switch self {
    case .iso8601: return Int64(exactly: seconds.rounded(.down)).flatMap { DateText.text(seconds: $0) }
    case .iso8601Milliseconds:
      guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else { return nil }
      let (whole, rest) = CivilCalendar.floorDivision(milliseconds, 1000)
      return DateText.text(seconds: whole, milliseconds: rest)
    case .seconds: return seconds.isFinite ? NumberText.text(of: seconds) : nil
    case .milliseconds: return Int64(exactly: (seconds * 1000).rounded()).map(String.init)
    case .custom(let write, _): return try write(date)
    }
  }

  /// The date that a text is; nil if it is none. Throws what a custom style throws.
  func date(_ text: String) throws -> Date? {
    switch self {
    case .iso8601, .iso8601Milliseconds: DateText.seconds(of: text).map(Date.init(timeIntervalSince1970:))
    case .seconds: NumberText.number(text).map(Date.init(timeIntervalSince1970:))
    case .milliseconds: NumberText.number(text).map { Date(timeIntervalSince1970: $0 / 1000) }
    case .custom(_, let read): try read(text)
    }
  }
}

/// Dates as RFC 3339 writes them, in the proleptic Gregorian calendar.
enum DateText {
  /// The years 0 to 9999, in seconds since 1970.
  private static let range: Range<Int64> = -62_167_219_200..<253_402_300_800

  /// `2026-02-28T12:30:00Z`, with three digits of a fraction if milliseconds are given; nil outside of the
  /// years 0 to 9999.
  static func text(seconds: Int64, milliseconds: Int64? = nil) -> String? {
    guard range.contains(seconds) else { return nil }
    let (days, time) = CivilCalendar.floorDivision(seconds, 86_400)
    let (year, month, day) = CivilCalendar.date(daysSince1970: days)
    var text =
      "\(CivilCalendar.padded(year, 4))-\(CivilCalendar.padded(month, 2))-\(CivilCalendar.padded(day, 2))T"
    text +=
      "\(CivilCalendar.padded(time / 3600, 2)):\(CivilCalendar.padded(time / 60 % 60, 2)):\(CivilCalendar.padded(time % 60, 2))"
    if let milliseconds { text += ".\(CivilCalendar.padded(milliseconds, 3))" }
    return text + "Z"
  }

  /// The seconds since 1970; nil for what is no date and time of RFC 3339. Of a fraction nine digits count.
  static func seconds(of text: String) -> Double? {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
      let day = reader.number(2), reader.skip("Tt "), let hour = reader.number(2), reader.skip(":"),
      let minute = reader.number(2), reader.skip(":"), let second = reader.number(2),
      (1...12).contains(month), (1...CivilCalendar.length(ofMonth: month, year)).contains(day), hour < 24,
      minute < 60,
      // 60 is a leap second.
      second <= 60
    else { return nil }
    var fraction = (value: Int64(0), scale: Int64(1))
    if reader.skip(".") {
      guard let digits = reader.fraction() else { return nil }
      fraction = digits
    }
    var offset: Int64 = 0
    if !reader.skip("Zz") {
      guard let sign: Int64 = reader.skip("+") ? 1 : reader.skip("-") ? -1 : nil,
        let hours = reader.number(2),
        reader.skip(":"), let minutes = reader.number(2), hours < 24, minutes < 60
      else { return nil }
      offset = sign * (hours * 3600 + minutes * 60)
    }
    guard reader.isAtEnd else { return nil }
    let whole = CivilCalendar.days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
    // One division, so that milliseconds come back exactly as they were divided before.
    if fraction.scale <= 1000 {
      return Double(whole * fraction.scale + fraction.value) / Double(fraction.scale)
    }
    return Double(whole) + Double(fraction.value) / Double(fraction.scale)
  }
}

/// Reads digits and single characters from the start of a text.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// A number of exactly `count` digits.
  mutating func number(_ count: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<count {
      guard let digit else { return nil }
      value = value * 10 + digit
      rest = rest.dropFirst()
    }
    return value
  }

  /// One digit or more, of which nine count.
  mutating func fraction() -> (value: Int64, scale: Int64)? {
    var (value, scale): (Int64, Int64) = (0, 1)
    guard digit != nil else { return nil }
    while let digit {
      if scale < 1_000_000_000 { (value, scale) = (value * 10 + digit, scale * 10) }
      rest = rest.dropFirst()
    }
    return (value, scale)
  }

  /// Skips one of the characters, if there is one.
  mutating func skip(_ characters: StaticString) -> Bool {
    guard let byte = rest.first, characters.withUTF8Buffer({ $0.contains(byte) }) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private var digit: Int64? {
    guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
    return Int64(byte - UInt8(ascii: "0"))
  }
}
