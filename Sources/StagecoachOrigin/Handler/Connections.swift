#if Tool
  import NIOCore
  import NIOHTTP1
  import StagecoachCore
  import Synchronization

  /// The shared state of a server's connections: whether they go on, their number, and the number of exchanges under
  /// way.
  final class Connections: Sendable {
    private struct State {
      var count = 0
      var byClient: [ClientAddress: Int] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())
    private let closed = Atomic(false)
    private let exchanges = Atomic(0)

    /// - Parameter limit: The most connections at a time. One client has at most half of them.
    init(limit: Int) {
      self.limit = limit
    }

    var isClosed: Bool { closed.load(ordering: .relaxed) }
    var underWay: Int { exchanges.load(ordering: .relaxed) }

    /// Counts a connection that ``leave(_:)`` ends.
    ///
    /// - Throws: `Refusal` if there are too many.
    func enter(_ client: ClientAddress?) throws(Refusal) {
      let refusal = state.withLock { state -> Refusal? in
        guard state.count < limit else {
          return Refusal(.serviceUnavailable, "this server has no room for another connection")
        }
        if let client {
          guard state.byClient[client, default: 0] < max(1, limit / 2) else {
            return Refusal(
              .serviceUnavailable,
              "this server has no room for another connection from this address"
            )
          }
          state.byClient[client, default: 0] += 1
        }
        state.count += 1
        return nil
      }
      if let refusal { throw refusal }
    }

    func leave(_ client: ClientAddress?) {
      state.withLock { state in
        state.count -= 1
        guard let client, let count = state.byClient[client] else { return }
        state.byClient[client] = count > 1 ? count - 1 : nil
      }
    }

    func close() { closed.store(true, ordering: .relaxed) }
    func begin() { exchanges.add(1, ordering: .relaxed) }
    func end() { exchanges.subtract(1, ordering: .relaxed) }
  }

  /// The address of a client: of IPv6 its first half, since all addresses of such a network belong to one client (RFC
  /// 4291 2.5.4).
  struct ClientAddress: Hashable {
    private let bytes: ArraySlice<UInt8>

    /// `nil` for the client of a Unix socket.
    init?(_ address: SocketAddress?) {
      guard let text = address?.ipAddress, let bytes = IPAddress(text)?.bytes else { return nil }
      // An IPv4 address may come as an IPv6 one (RFC 4291 2.5.5.2).
      let isMapped = bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xff, 0xff])
      self.bytes = isMapped ? bytes[12...] : bytes.prefix(8)
    }
  }
#endif
