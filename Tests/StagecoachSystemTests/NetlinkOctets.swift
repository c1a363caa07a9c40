import StagecoachStages
import Testing

@testable import StagecoachCore
@testable import StagecoachSystem

/// Datagrams of rtnetlink, made and recorded.
enum Netlink {
  /// What the kernel 6.18 of a virtual machine said: its default routes, a link cut behind its name, an
  /// address, and the end of a table; all of sequence number 7.
  enum Recorded {
    static let route4 = octets(
      "340000001800020007000000513c000002000000fe0300010000000008000f00fe00000008000500c00002010800040004000000"
    )
    static let route6 = octets(
      "740000001800020007000000513c00000a000000fe0300010000000008000f00fe000000080006000004000014000500fd00000000"
        + "0000000000000000000001080004000400000024000c00000000000000000000000000000000000000000000000000000000000000"
        + "00000500140000000000"
    )
    static let link = octets(
      "300000001000020007000000513c00000000010004000000431001000000000009000300657468300000000008000d00"
    )
    static let address = octets(
      "480000001400020007000000513c00000a4082000400000014000100fd00000000000000000000000000000214000600ffffffffff"
        + "ffffff1c0000001c0000000800080082000000"
    )
    static let done = octets("140000000300020007000000513c000000000000")
  }

  static func octets(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  static func number(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

  static func message(_ type: UInt16, _ sequence: UInt32, flags: UInt16 = 2, _ payload: [UInt8]) -> [UInt8] {
    let head =
      number(UInt32(16 + payload.count)) + number(type) + number(flags) + number(sequence) + number(UInt32(0))
    return aligned(head + payload)
  }

  static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
    aligned(number(UInt16(4 + value.count)) + number(type) + value)
  }

  private static func aligned(_ octets: [UInt8]) -> [UInt8] {
    octets + [UInt8](repeating: 0, count: (4 - octets.count % 4) % 4)
  }

  /// A link that is up and running, unless its flags say otherwise.
  static func link(
    _ index: Int32,
    _ name: String,
    hardware: UInt16 = 1,
    flags: UInt32 = 0x1043,
    sequence: UInt32,
    isGone: Bool = false
  ) -> [UInt8] {
    let head = [0, 0] + number(hardware) + number(index) + number(flags) + number(UInt32(0))
    return message(isGone ? 17 : 16, sequence, head + attribute(3, Array(name.utf8) + [0]))
  }

  /// A route, to everywhere unless a length of its prefix is given.
  static func route(
    via link: Int32?,
    metric: UInt32? = nil,
    prefix: UInt8 = 0,
    type: UInt8 = 1,
    table: UInt8 = 254,
    more: [UInt8] = [],
    sequence: UInt32,
    isGone: Bool = false
  ) -> [UInt8] {
    let head: [UInt8] = [2, prefix, 0, 0, table, 3, 0, type, 0, 0, 0, 0]
    let attributes =
      (link.map { attribute(4, number($0)) } ?? []) + (metric.map { attribute(6, number($0)) } ?? []) + more
    return message(isGone ? 25 : 24, sequence, head + attributes)
  }

  static func done(_ sequence: UInt32, flags: UInt16 = 2) -> [UInt8] {
    message(3, sequence, flags: flags, [0, 0, 0, 0])
  }

  static func parse(_ octets: [UInt8]) -> [NetlinkMessage] {
    octets.withUnsafeBytes { NetlinkMessage.parse($0) }
  }
}
