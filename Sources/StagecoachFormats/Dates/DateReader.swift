/// Reads the parts of a date from octets.
package struct DateReader: FieldReading {
  package let octets: UnsafeBufferPointer<UInt8>
  package var position = 0

  package init(octets: UnsafeBufferPointer<UInt8>) {
    self.octets = octets
  }

  package var isAtEnd: Bool { position == octets.count }

  /// Reads as many digits as the range allows; `nil` if there are fewer or more.
  package mutating func number(_ count: ClosedRange<Int>) -> Int64? {
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
  package mutating func days(in year: Int64) -> Int64? {
    guard take(UInt8(ascii: "-")), let month = number(2...2), take(UInt8(ascii: "-")),
      let day = number(2...2), let seconds = CivilCalendar.seconds(year, month, day, time: 0)
    else { return nil }
    return seconds / 86_400
  }

  /// Reads a time such as `12:30:00` as seconds. A leap second 60 counts as the following second.
  package mutating func clock(hours: ClosedRange<Int64> = 0...23) -> Int64? {
    guard let hour = number(2...2), take(UInt8(ascii: ":")), let minute = number(2...2),
      take(UInt8(ascii: ":")), let second = number(2...2), hours.contains(hour), minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Reads a decimal point and digits as nanoseconds, from the first nine digits; 0 if there is no point, `nil` if no
  /// digit follows it.
  package mutating func fraction() -> Int64? {
    guard take(UInt8(ascii: ".")) else { return 0 }
    let start = position
    var (value, unit): (Int64, Int64) = (0, 100_000_000)
    while position < octets.count, octets[position].isDigitOfURI {
      value += unit * Int64(octets[position] - UInt8(ascii: "0"))
      unit /= 10
      position += 1
    }
    return position > start ? value : nil
  }

  /// Reads an offset such as `+02:00` as seconds.
  package mutating func offset(hours: ClosedRange<Int64>) -> Int64? {
    let isNegative = take(UInt8(ascii: "-"))
    guard isNegative || take(UInt8(ascii: "+")), let hour = number(2...2), take(UInt8(ascii: ":")),
      let minute = number(2...2), hours.contains(hour), minute < 60
    else { return nil }
    return (hour * 3600 + minute * 60) * (isNegative ? -1 : 1)
  }
}
