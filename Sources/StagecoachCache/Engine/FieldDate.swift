import HTTPTypes
import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HTTPField {
  /// The date of a field in seconds since 1970; nil if it is malformed.
  ///
  /// The preferred format is read here because every hit reads a date; `HTTPDate` reads all formats, and takes longer.
  func date(now: Date) -> Int64? {
    withUnsafeBytesOfValue { Self.fixedDate($0) } ?? HTTPDate(value, now: now)?.secondsSince1970
  }

  /// The date of Expires in seconds since 1970; nil if it is not in exactly one of the three formats, apart from case:
  /// what is malformed makes a response stale, so that nothing is guessed (RFC 9111 5.3).
  func expiry(now: Date) -> Int64? {
    withUnsafeBytesOfValue { octets in Self.formats.contains { $0.matches(octets) } } ? date(now: now) : nil
  }

  /// A format after the name of the weekday: `0` is a digit, `_` a digit or a blank, `a` a letter.
  private struct Format {
    let lengthOfWeekday: ClosedRange<Int>
    let rest: [UInt8]

    init(_ weekday: ClosedRange<Int>, _ example: String) {
      lengthOfWeekday = weekday
      rest = Array(example.utf8)
    }

    func matches(_ octets: UnsafeBufferPointer<UInt8>) -> Bool {
      let start = octets.count - rest.count
      guard lengthOfWeekday.contains(start) else { return false }
      return rest.indices.allSatisfy { index in
        switch (rest[index], octets[start + index]) {
        case (UInt8(ascii: "0"), let digit): (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
        case (UInt8(ascii: "_"), let digit):
          digit == 0x20 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
        case (UInt8(ascii: "a"), let letter): (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter | 0x20)
        case (let fixed, let octet): fixed == octet || (fixed | 0x20) == (octet | 0x20) && fixed > 0x40
        }
      }
    }
  }

  private static let formats = [
    Format(3...3, ", 00 aaa 0000 00:00:00 GMT"), Format(6...9, ", 00-aaa-00 00:00:00 GMT"),
    Format(3...3, " aaa _0 00:00:00 0000"),
  ]

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`; nil for all else.
  private static func fixedDate(_ octets: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard octets.count == 29 else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      var number: Int64 = 0
      for octet in octets[range] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) else { return nil }
        number = number * 10 + Int64(octet - UInt8(ascii: "0"))
      }
      return number
    }
    // Where the format has a fixed character: after the weekday, between the parts, and the zone.
    for (position, character) in fixedCharacters where octets[position] != character { return nil }
    guard octets[0..<3].allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xDF) }),
      let day = number(5..<7), let month = month(octets[8], octets[9], octets[10]),
      let year = number(12..<16), let hour = number(17..<19), hour < 24, let minute = number(20..<22),
      minute < 60, let second = number(23..<25), second < 60
    else { return nil }
    return CivilCalendar.seconds(year, month, day, time: hour * 3600 + minute * 60 + second)
  }

  private static let fixedCharacters: [(Int, UInt8)] = [
    (3, UInt8(ascii: ",")), (4, 0x20), (7, 0x20), (11, 0x20), (16, 0x20), (19, UInt8(ascii: ":")),
    (22, UInt8(ascii: ":")), (25, 0x20), (26, UInt8(ascii: "G")), (27, UInt8(ascii: "M")),
    (28, UInt8(ascii: "T")),
  ]

  private static func month(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Int64? {
    switch (UInt32(a) << 16) | (UInt32(b) << 8) | UInt32(c) {
    case 0x4A_616E: 1
    case 0x46_6562: 2
    case 0x4D_6172: 3
    case 0x41_7072: 4
    case 0x4D_6179: 5
    case 0x4A_756E: 6
    case 0x4A_756C: 7
    case 0x41_7567: 8
    case 0x53_6570: 9
    case 0x4F_6374: 10
    case 0x4E_6F76: 11
    case 0x44_6563: 12
    default: nil
    }
  }
}

extension HTTPFields {
  /// The date of the first field with a name.
  func date(_ name: HTTPField.Name, now: Date) -> Int64? { firstField(name)?.date(now: now) }
}
