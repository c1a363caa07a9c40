import StagecoachCore

/// A message of rtnetlink(7), parsed from unchecked octets.
///
/// All numbers are in the order of the machine, and every part is aligned to four octets.
struct NetlinkMessage: Hashable {
  /// The relevant content of a message.
  enum Content: Hashable {
    case link(NetworkLink)
    case linkGone(Int32)
    /// A route to everywhere; whether it is there or gone.
    case defaultRoute(DefaultRoute, isGone: Bool)
    /// An address was added or removed, which may change routes without notification.
    case address
    case done
    /// An error number of the system; 0 is an acknowledgement.
    case failure(Int32)
    case other
  }

  let sequence: UInt32
  /// Whether the table changed while it was read out.
  let isInterrupted: Bool
  let content: Content

  /// The messages of a datagram, as far as it is well formed.
  static func parse(_ datagram: UnsafeRawBufferPointer) -> [NetlinkMessage] {
    var messages: [NetlinkMessage] = []
    var rest = NetlinkOctets(datagram[...])
    while let length = rest.number(UInt32.self, at: 0), length >= 16, let octets = rest.take(Int(length)),
      let message = NetlinkMessage(octets)
    {
      messages.append(message)
    }
    return messages
  }

  private init?(_ octets: NetlinkOctets) {
    guard let type = octets.number(UInt16.self, at: 4), let flags = octets.number(UInt16.self, at: 6),
      let sequence = octets.number(UInt32.self, at: 8)
    else { return nil }
    self.sequence = sequence
    isInterrupted = flags & NetlinkCode.interrupted != 0
    let payload = octets.dropping(16)
    switch type {
    case NetlinkCode.done: content = .done
    case NetlinkCode.error: content = .failure(payload.number(Int32.self, at: 0) ?? 0)
    case NetlinkCode.newLink: content = NetworkLink(payload).map(Content.link) ?? .other
    case NetlinkCode.deletedLink:
      content = payload.number(Int32.self, at: 4).map(Content.linkGone) ?? .other
    case NetlinkCode.newAddress, NetlinkCode.deletedAddress: content = .address
    case NetlinkCode.newRoute, NetlinkCode.deletedRoute:
      let isGone = type == NetlinkCode.deletedRoute
      content = DefaultRoute(payload).map { .defaultRoute($0, isGone: isGone) } ?? .other
    default: content = .other
    }
  }
}

/// A link, such as a network card.
struct NetworkLink: Hashable {
  let index: Int32
  /// The kind of hardware, as ARP numbers it.
  let hardware: UInt16
  let flags: UInt32
  let name: String

  fileprivate init?(_ payload: NetlinkOctets) {
    guard let hardware = payload.number(UInt16.self, at: 2), let index = payload.number(Int32.self, at: 4),
      let flags = payload.number(UInt32.self, at: 8)
    else { return nil }
    self.hardware = hardware
    self.index = index
    self.flags = flags
    var name: [UInt8] = []
    payload.dropping(16).forEachAttribute { type, value in
      if type == NetlinkCode.linkName { name = Array(value.octets.prefix { $0 != 0 }.prefix(64)) }
    }
    self.name = String(decoding: name, as: UTF8.self)
  }

  /// Whether it is up, has a carrier and leads to other machines.
  var isUsable: Bool {
    flags & NetlinkCode.up != 0 && flags & NetlinkCode.running != 0 && flags & NetlinkCode.loopback == 0
  }
}

/// A route to every destination that no other route is for.
struct DefaultRoute: Hashable {
  /// The links that it goes through, by index.
  let links: [Int32]
  let metric: UInt32
  /// Whether the route is in the main table.
  let isMain: Bool

  /// Nil for a route to some destinations, from some sources, or one that does not lead on.
  fileprivate init?(_ payload: NetlinkOctets) {
    guard payload.number(UInt8.self, at: 1) == 0, payload.number(UInt8.self, at: 2) == 0,
      let table = payload.number(UInt8.self, at: 4),
      payload.number(UInt8.self, at: 7) == NetlinkCode.unicast, payload.count >= 12
    else { return nil }
    var links: [Int32] = []
    var metric: UInt32 = 0
    payload.dropping(12).forEachAttribute { type, value in
      switch type {
      case NetlinkCode.outgoingLink:
        if let link = value.number(Int32.self, at: 0) { links.append(link) }
      case NetlinkCode.priority: metric = value.number(UInt32.self, at: 0) ?? 0
      case NetlinkCode.multipath:
        var hops = value
        while let length = hops.number(UInt16.self, at: 0), length >= 8, let hop = hops.take(Int(length)) {
          if let link = hop.number(Int32.self, at: 4) { links.append(link) }
        }
      default: break
      }
    }
    guard !links.isEmpty else { return nil }
    self.links = links
    self.metric = metric
    isMain = table == NetlinkCode.mainTable
  }
}
