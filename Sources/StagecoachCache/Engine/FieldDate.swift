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
  /// The first field with a name.
  func firstField(_ name: HTTPField.Name) -> HTTPField? {
    for index in startIndex..<endIndex where self[index].name == name { return self[index] }
    return nil
  }

  /// The field with a name; nil if there is none, or if there are several that differ, so that none can be trusted.
  func onlyField(_ name: HTTPField.Name) -> HTTPField? {
    guard let field = firstField(name), !contains(where: { $0.name == name && $0.value != field.value })
    else { return nil }
    return field
  }

  /// The date of the first field with a name.
  func date(_ name: HTTPField.Name, now: Date) -> Int64? { firstField(name)?.date(now: now) }
}
