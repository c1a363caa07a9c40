import StagecoachCore

/// Octets of netlink, every read of which is checked against their end.
struct NetlinkOctets {
  private(set) var octets: Slice<UnsafeRawBufferPointer>

  init(_ octets: Slice<UnsafeRawBufferPointer>) {
    self.octets = octets
  }

  var count: Int { octets.count }

  /// A number of the machine's order at an offset; nil if it does not end within the octets.
  func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at offset: Int) -> Number? {
    guard offset >= 0, offset <= octets.count - MemoryLayout<Number>.size else { return nil }
    return UnsafeRawBufferPointer(rebasing: octets).loadUnaligned(fromByteOffset: offset, as: type)
  }

  func dropping(_ count: Int) -> NetlinkOctets { NetlinkOctets(octets.dropFirst(count)) }

  /// Takes a part from the start, with what aligns the next one; nil if it is longer than what is there.
  mutating func take(_ length: Int) -> NetlinkOctets? {
    guard length <= octets.count else { return nil }
    defer { octets = octets.dropFirst((length + 3) & ~3) }
    return NetlinkOctets(octets.prefix(length))
  }

  /// Reads attributes (`rtattr`) to the end, or to the first that is broken.
  func forEachAttribute(_ body: (_ type: UInt16, _ value: NetlinkOctets) -> Void) {
    var rest = self
    while let length = rest.number(UInt16.self, at: 0), length >= 4, let attribute = rest.take(Int(length)),
      let type = attribute.number(UInt16.self, at: 2)
    {
      // Two bits indicate nesting and byte order.
      body(type & 0x3FFF, attribute.dropping(4))
    }
  }
}

/// The constants of linux/netlink.h, linux/rtnetlink.h and linux/if.h, which no module exports.
enum NetlinkCode {
  static let error: UInt16 = 2
  static let done: UInt16 = 3
  static let newLink: UInt16 = 16
  static let deletedLink: UInt16 = 17
  static let getLink: UInt16 = 18
  static let newAddress: UInt16 = 20
  static let deletedAddress: UInt16 = 21
  static let newRoute: UInt16 = 24
  static let deletedRoute: UInt16 = 25
  static let getRoute: UInt16 = 26

  /// Flags of a message: a request; all entries of a table; the table changed meanwhile.
  static let request: UInt16 = 0x1
  static let dump: UInt16 = 0x300
  static let interrupted: UInt16 = 0x10

  /// Attributes of links and routes.
  static let linkName: UInt16 = 3
  static let outgoingLink: UInt16 = 4
  static let priority: UInt16 = 6
  static let multipath: UInt16 = 9

  static let unicast: UInt8 = 1
  static let mainTable: UInt8 = 254

  /// Flags of a link.
  static let up: UInt32 = 0x1
  static let loopback: UInt32 = 0x8
  static let running: UInt32 = 0x40

  /// Multicast groups: links, addresses and routes of IPv4 and IPv6.
  static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
  static let family: Int32 = 16
}
