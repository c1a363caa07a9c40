#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension HTTPDate {
  /// Reads any of the three forms of RFC 9110 5.6.7; nil for what is none of them, or no date.
  ///
  /// ```
  /// Sun, 06 Nov 1994 08:49:37 GMT
  /// Sunday, 06-Nov-94 08:49:37 GMT
  /// Sun Nov  6 08:49:37 1994
  /// ```
  ///
  /// Tolerated are: any case, `UTC` for `GMT`, whitespace around the date and more of it inside, a day of one
  /// digit, a weekday that is not that of the date, the separators and years of one form in the other. The
  /// second 60 is the one that follows.
  ///
  /// - Parameters:
  ///   - text: The value of a field.
  ///   - now: What a year of two digits is near to: more than 50 years ahead of it is the past.
  public init?(_ text: String, now: Date = Date()) {
    var text = text
    let seconds = text.withUTF8 { octets in
      var reader = HTTPDateReader(octets: octets)
      return reader.read(now: now)
    }
    guard let seconds else { return nil }
    self.init(secondsSince1970: seconds)
  }
}

private struct HTTPDateReader: FieldReading {
  /// A date whose year may lack its century.
  private struct Parts {
    var year: Int64 = 0
    var hasCentury = true
    var month: Int64 = 0
    var day: Int64 = 0
    var time: Int64 = 0

    /// The seconds since 1970; nil for a day that the month does not have.
    func seconds(year: Int64) -> Int64? {
      guard (1...CivilCalendar.length(ofMonth: month, year)).contains(day) else { return nil }
      return CivilCalendar.days(year, month, day) * 86_400 + time
    }
  }

  let octets: UnsafeBufferPointer<UInt8>
  var position = 0

  init(octets: UnsafeBufferPointer<UInt8>) {
    self.octets = octets
  }

  mutating func read(now: Date) -> Int64? {
    skipBlanks()
    guard isWeekday(word()), let parts = take(UInt8(ascii: ",")) ? dayFirst() : monthFirst() else {
      return nil
    }
    skipBlanks()
    guard position == octets.count else { return nil }
    return parts.hasCentury ? parts.seconds(year: parts.year) : nearest(parts, to: now)
  }

  /// ` 06 Nov 1994 08:49:37 GMT` and ` 06-Nov-94 08:49:37 GMT`.
  private mutating func dayFirst() -> Parts? {
    var parts = Parts()
    skipBlanks()
    guard let day = number(1...2), separator(), let month = month(), separator() else { return nil }
    let start = position
    guard let year = number(2...4) else { return nil }
    let digits = position - start
    guard digits != 3, blanks(), let time = time(), blanks(), ["gmt", "utc"].contains(word()) else {
      return nil
    }
    (parts.day, parts.month, parts.year, parts.time) = (day, month, year, time)
    parts.hasCentury = digits == 4
    return parts
  }

  /// ` Nov  6 08:49:37 1994`.
  private mutating func monthFirst() -> Parts? {
    var parts = Parts()
    guard blanks(), let month = month(), blanks(), let day = number(1...2), blanks(), let time = time(),
      blanks(), let year = number(4...4)
    else { return nil }
    (parts.day, parts.month, parts.year, parts.time) = (day, month, year, time)
    return parts
  }

  /// The date in the century that has it at most 50 years ahead, and less than 50 years past.
  private func nearest(_ parts: Parts, to now: Date) -> Int64? {
    let present = HTTPDate(now)?.secondsSince1970 ?? 0
    let (days, time) = CivilCalendar.floorDivision(present, 86_400)
    let (year, month, day) = CivilCalendar.date(daysSince1970: days)
    let limit = CivilCalendar.days(year + 50, month, day) * 86_400 + time
    var candidate = year - year % 100 + 100 + parts.year
    // A leap day exists in some of the candidates only, so the others are passed over by their first day.
    var first = parts
    first.day = min(parts.day, 28)
    while candidate >= 100, let seconds = first.seconds(year: candidate), seconds > limit { candidate -= 100 }
    guard let seconds = parts.seconds(year: candidate) else { return nil }
    return seconds > limit ? parts.seconds(year: candidate - 100) : seconds
  }

  /// `08:49:37`, in seconds.
  private mutating func time() -> Int64? {
    guard let hour = number(2...2), take(UInt8(ascii: ":")), let minute = number(2...2),
      take(UInt8(ascii: ":")), let second = number(2...2), hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private mutating func month() -> Int64? {
    let name = word()
    return HTTPDate.months.firstIndex { $0.lowercased() == name }.map { Int64($0 + 1) }
  }

  private func isWeekday(_ name: String) -> Bool {
    HTTPDate.weekdays.contains { $0.lowercased() == name || $0.prefix(3).lowercased() == name }
  }

  /// The letters that are here, lower-cased, ten at most.
  private mutating func word() -> String {
    var letters: [UInt8] = []
    while position < octets.count, letters.count < 10,
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octets[position] | 0x20)
    {
      letters.append(octets[position] | 0x20)
      position += 1
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// As many digits as the range allows; nil if there are fewer, or more.
  private mutating func number(_ count: ClosedRange<Int>) -> Int64? {
    let start = position
    var value: Int64 = 0
    while position < octets.count, octets[position].isDigitOfURI {
      guard position - start < count.upperBound else { return nil }
      value = value * 10 + Int64(octets[position] - UInt8(ascii: "0"))
      position += 1
    }
    return position - start >= count.lowerBound ? value : nil
  }

  private mutating func blanks() -> Bool {
    let start = position
    skipBlanks()
    return position > start
  }

  private mutating func separator() -> Bool { take(UInt8(ascii: "-")) || blanks() }
}
