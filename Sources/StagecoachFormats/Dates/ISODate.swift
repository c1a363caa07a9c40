extension DateReader {
  /// The forms of ISO 8601 that are read.
  package enum ISOForms {
    /// A date, a time and a zone (RFC 3339).
    case internet
    /// `xs:dateTime` and `xs:date`: a date, and a time and a zone that may be missing. A year has four to eight digits;
    /// -1 is the year before 0, and 0 the year before 1 (XML Schema 1.1 Part 2, 3.3.7).
    case xmlSchema
    /// The forms of XML Schema, and a year or a month, read as its first day (W3C Date and Time Formats).
    case any
  }

  /// Reads all octets as a date of ISO 8601, and returns seconds and nanoseconds since 1970; `nil` if they are not one.
  ///
  /// The time may lack its seconds and follow a blank, the zone may lack its colon and its minutes. A date without a
  /// zone is in UTC.
  package mutating func isoDate(_ forms: ISOForms) -> (seconds: Int64, nanoseconds: Int64)? {
    guard let days = isoDays(forms) else { return nil }
    guard take(UInt8(ascii: "T")) || take(UInt8(ascii: "t")) || blanks() else {
      return forms == .internet ? nil : isoDayZone().map { (days * 86_400 - $0, 0) }
    }
    guard let time = isoTime(mayEndDay: forms != .internet) else { return nil }
    skipBlanks()
    let hours: ClosedRange<Int64> = forms == .internet ? 0...23 : 0...14
    guard let offset = isAtEnd && forms != .internet ? 0 : isoZone(hours), isAtEnd else { return nil }
    return (days * 86_400 + time.seconds - offset, time.nanoseconds)
  }

  /// Reads all octets as an `xs:date`, and returns seconds since 1970; `nil` if they are not one.
  package mutating func isoDay() -> Int64? {
    guard let days = isoDays(.xmlSchema), let offset = isoDayZone() else { return nil }
    return days * 86_400 - offset
  }

  /// Reads a date as days since 1970.
  private mutating func isoDays(_ forms: ISOForms) -> Int64? {
    let isNegative = forms != .internet && take(UInt8(ascii: "-"))
    let start = position
    // With eight digits, seconds are still exact in a Date.
    guard let digits = number(4...(forms == .internet ? 4 : 8)),
      position - start == 4 || octets[start] != UInt8(ascii: "0")
    else { return nil }
    let year = isNegative ? -digits : digits
    if forms == .any {
      let afterYear = position
      if isAtEnd { return position - start == 4 && !isNegative ? CivilCalendar.days(year, 1, 1) : nil }
      if take(UInt8(ascii: "-")), let month = number(2...2), isAtEnd {
        return 1...12 ~= month ? CivilCalendar.days(year, month, 1) : nil
      }
      position = afterYear
    }
    return days(in: year)
  }

  /// Reads a time such as `12:30` or `12:30:00.25`. A leap second 60 counts as the following second.
  private mutating func isoTime(mayEndDay: Bool) -> (seconds: Int64, nanoseconds: Int64)? {
    guard let hour = number(2...2), take(UInt8(ascii: ":")), let minute = number(2...2), minute < 60 else {
      return nil
    }
    var (second, fraction): (Int64?, Int64?) = (0, 0)
    if take(UInt8(ascii: ":")) {
      second = number(2...2)
      fraction = self.fraction()
    }
    guard let second, let fraction, second <= 60 else { return nil }
    let time = hour * 3600 + minute * 60 + second
    guard hour < 24 || mayEndDay && time == 86_400 && fraction == 0 else { return nil }
    return (time, fraction)
  }

  private mutating func isoZone(_ hours: ClosedRange<Int64>) -> Int64? {
    take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) ? 0 : offset(hours: hours)
  }

  /// Reads the rest after a date without a time: nothing, or a zone of XML Schema, `Z` or `+02:00`.
  private mutating func isoDayZone() -> Int64? {
    guard !isAtEnd else { return 0 }
    guard [1, 6].contains(octets.count - position), let offset = isoZone(0...14), isAtEnd else { return nil }
    return offset
  }
}
