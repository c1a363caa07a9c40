/// Reads the parts of a date from octets.
package struct DateReader: FieldReading {
  package let octets: UnsafeBufferPointer<UInt8>
  package var position = 0

  package init(octets: UnsafeBufferPointer<UInt8>) {
    self.octets = octets
  }

  var isAtEnd: Bool { position == octets.count }

  /// Reads as many digits as the range allows; `nil` if there are fewer or more.
  mutating func number(_ count: ClosedRange<Int>) -> Int64? {
    let start = position
    var value: Int64 = 0
    while position < octets.count, octets[position].isDigitOfURI {
      guard position - start < count.upperBound else { return nil }
      value = value * 10 + Int64(octets[position] - UInt8(ascii: "0"))
      position += 1
    }
    return position - start >= count.lowerBound ? value : nil
  }

  /// Reads a month and a day after a year, such as `-02-28`, as days since 1970.
  mutating func days(in year: Int64) -> Int64? {
    guard take(UInt8(ascii: "-")), let month = number(2...2), take(UInt8(ascii: "-")),
      let day = number(2...2), let seconds = CivilCalendar.seconds(year, month, day, time: 0)
    else { return nil }
    return seconds / 86_400
  }

  /// Reads a time such as `12:30:00` as seconds. A leap second 60 counts as the following second.
  mutating func clock() -> Int64? {
    guard let hour = number(2...2), take(UInt8(ascii: ":")), let minute = number(2...2),
      take(UInt8(ascii: ":")), let second = number(2...2), hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Reads a decimal sign and digits as nanoseconds, from the first nine digits; 0 if there is no sign, `nil` if no
  /// digit follows it.
  mutating func fraction() -> Int64? {
    guard take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) else { return 0 }
    let start = position
    var (value, unit): (Int64, Int64) = (0, 100_000_000)
    while position < octets.count, octets[position].isDigitOfURI {
      value += unit * Int64(octets[position] - UInt8(ascii: "0"))
      unit /= 10
      position += 1
    }
    return position > start ? value : nil
  }

  /// Reads an offset such as `+02:00`, `+0200` or `+02` as seconds.
  mutating func offset(hours: ClosedRange<Int64>) -> Int64? {
    let isNegative = take(UInt8(ascii: "-"))
    guard isNegative || take(UInt8(ascii: "+")) else { return nil }
    let start = position
    guard var hour = number(2...4) else { return nil }
    var minute: Int64? = 0
    switch position - start {
    case 4: (hour, minute) = (hour / 100, hour % 100)
    case 2: if take(UInt8(ascii: ":")) { minute = number(2...2) }
    default: return nil
    }
    guard let minute, hours.contains(hour), minute < 60 else { return nil }
    return (hour * 3600 + minute * 60) * (isNegative ? -1 : 1)
  }

  /// Reads letters in lower case, at most ten.
  mutating func word() -> String {
    var letters: [UInt8] = []
    while position < octets.count, letters.count < 10,
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octets[position] | 0x20)
    {
      letters.append(octets[position] | 0x20)
      position += 1
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Skips blanks, and returns whether there were any.
  mutating func blanks() -> Bool {
    let start = position
    skipBlanks()
    return position > start
  }
}
