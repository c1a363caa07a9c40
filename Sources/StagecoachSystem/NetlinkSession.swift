import StagecoachCore
import StagecoachStages

/// Determines the status of the network from rtnetlink messages, without a socket.
///
/// The tables of links and of routes are read one after the other, and again after each relevant change: the kernel
/// removes routes without notification when their link goes down, so that changes alone are not sufficient.
struct NetlinkSession {
  /// The action after a datagram.
  struct Action: Equatable {
    /// A request to send.
    var request: [UInt8]?
    /// The status, each time that the tables are complete.
    var status: NetworkStatus?
  }

  private enum Phase {
    case idle, links, routes
  }

  /// Returns the kind of network of a link.
  private let kind: (NetworkLink) -> NetworkStatus
  private var phase = Phase.idle
  private var sequence: UInt32 = 0
  /// Whether the kernel would not take the last request: while it still answers another one, the end of that counts.
  private var wasRefused = false
  /// Whether something changed since the tables were asked for.
  private var isOutdated = false
  private var links: [Int32: NetworkLink] = [:]
  private var routes: [DefaultRoute] = []

  init(kind: @escaping (NetworkLink) -> NetworkStatus) {
    self.kind = kind
  }

  /// The request that everything begins with, and begins anew with when datagrams were lost.
  mutating func restart() -> [UInt8] {
    isOutdated = false
    wasRefused = false
    links = [:]
    routes = []
    phase = .links
    return ask(NetlinkCode.getLink, payload: 16)
  }

  /// Takes a datagram of the kernel.
  mutating func receive(_ datagram: UnsafeRawBufferPointer) -> Action {
    var action = Action()
    for message in NetlinkMessage.parse(datagram) { receive(message, &action) }
    if phase == .idle, isOutdated { action.request = restart() }
    return action
  }

  private mutating func receive(_ message: NetlinkMessage, _ action: inout Action) {
    guard phase != .idle, message.sequence == sequence else {
      if isNews(message.content) || wasRefused && message.content == .done { isOutdated = true }
      return
    }
    if message.isInterrupted { isOutdated = true }
    switch message.content {
    case .link(let link): links[link.index] = link
    case .defaultRoute(let route, isGone: false): routes.append(route)
    case .done where phase == .links:
      phase = .routes
      action.request = ask(NetlinkCode.getRoute, payload: 12)
    case .done:
      phase = .idle
      action.status = status
    case .failure:
      requestFailed()
    case .defaultRoute, .linkGone, .address, .other: break
    }
  }

  /// Notes that the kernel did not take a request; the next change brings another attempt.
  mutating func requestFailed() {
    phase = .idle
    wasRefused = true
  }

  /// Whether a message that was not asked for may change the status.
  private func isNews(_ content: NetlinkMessage.Content) -> Bool {
    switch content {
    // Drivers report a link for various reasons, such as each scan of a wireless network.
    case .link(let link): links[link.index] != link
    case .linkGone, .defaultRoute, .address: true
    case .done, .failure, .other: false
    }
  }

  private var status: NetworkStatus {
    let usable = routes.filter { route in route.links.contains { links[$0]?.isUsable == true } }
    let best = usable.min { a, b in a.isMain == b.isMain ? a.metric < b.metric : a.isMain }
    guard let best, let link = best.links.lazy.compactMap({ links[$0] }).first(where: \.isUsable) else {
      return .offline
    }
    return kind(link)
  }

  /// Returns a request for all entries of a table: a head, and a payload of zeros, which means all families.
  private mutating func ask(_ type: UInt16, payload: Int) -> [UInt8] {
    sequence &+= 1
    var octets: [UInt8] = []
    func append(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number) { octets.append(contentsOf: $0) }
    }
    append(UInt32(16 + payload))
    append(type)
    append(NetlinkCode.request | NetlinkCode.dump)
    append(sequence)
    append(UInt32(0))
    return octets + [UInt8](repeating: 0, count: payload)
  }
}
