import StagecoachCore

/// The dates of `Expires`, which servers write in many ways (RFC 6265bis 5.1.1).
enum CookieDate {
  /// Reads a date.
  ///
  /// - Returns: The seconds since 1970; `nil` if the date is malformed or before 1601. A time zone is ignored: it is
  ///   UTC.
  static func parse(_ octets: some Collection<UInt8>) -> Int64? {
    var reader = CookieDateReader()
    for token in octets.split(whereSeparator: isDelimiter) { reader.take(Array(token)) }
    return reader.secondsSince1970
  }

  private static func isDelimiter(_ octet: UInt8) -> Bool {
    switch octet {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
}

/// The parts of a date; each token is the first open one that it fits.
private struct CookieDateReader {
  private var time: [Int64]?
  private var day: Int64?
  private var month: Int64?
  private var year: Int64?

  mutating func take(_ token: [UInt8]) {
    if time == nil, let found = Self.time(token) {
      time = found
    } else if day == nil, let found = Self.number(token[...], digits: 1...2) {
      day = found.value
    } else if month == nil, let found = CivilCalendar.month(named: token.prefix(3)) {
      month = found
    } else if year == nil, let found = Self.number(token[...], digits: 2...4) {
      year = found.value
    }
  }

  /// Returns the number of exactly this many leading digits, and the rest; `nil` if there are fewer or more.
  private static func number(
    _ token: ArraySlice<UInt8>,
    digits: ClosedRange<Int>
  ) -> (value: Int64, rest: ArraySlice<UInt8>)? {
    let number = token.prefix(while: \.isDigitOfURI)
    guard digits.contains(number.count) else { return nil }
    return (number.reduce(0) { $0 * 10 + Int64($1 - 0x30) }, token.dropFirst(number.count))
  }

  private static func time(_ token: [UInt8]) -> [Int64]? {
    var rest = token[...]
    var parts: [Int64] = []
    for index in 0..<3 {
      if index > 0 {
        guard rest.first == UInt8(ascii: ":") else { return nil }
        rest = rest.dropFirst()
      }
      guard let part = number(rest, digits: 1...2) else { return nil }
      parts.append(part.value)
      rest = part.rest
    }
    return parts
  }

  var secondsSince1970: Int64? {
    guard let time, let day, let month, var year else { return nil }
    switch year {
    case 70...99: year += 1900
    case 0...69: year += 2000
    default: break
    }
    guard year >= 1601, time[0] <= 23, time[1] <= 59, time[2] <= 59 else { return nil }
    return CivilCalendar.seconds(year, month, day, time: time[0] * 3600 + time[1] * 60 + time[2])
  }
}
