/// The settings that decide, besides the URL, which server answers a transport's requests, and for which user: for
/// stages that keep answers.
package struct PeerIdentity: Sendable {
  let trust: Trust
  let connections: ConnectionOptions

  /// Returns `nil` for a transport that sets none of it.
  init?(_ transport: any Transport) {
    (trust, connections) = (transport.trust, transport.connections)
    if trust == Trust(), connections.unixSocket == nil, connections.addresses.isEmpty { return nil }
  }
}

extension RequestOptions {
  /// Whether the certificates of a host are verified by a transport.
  package func isVerified(for host: @autoclosure () -> String, over peer: PeerIdentity?) -> Bool {
    trust(for: host(), peer)?.verification != .noneForTesting
  }

  /// Returns a text that differs for hosts that may be answered by others, or to others, than the URL and the roots of
  /// the system tell; `nil` if nothing of that kind is set.
  package func peer(for host: @autoclosure () -> String, over peer: PeerIdentity?) -> String? {
    var parts: [String] = []
    if let trust = trust(for: host(), peer), trust != Trust() {
      switch trust.roots {
      case .system: break
      case .only(let roots): parts.append("only " + roots.map(\.fingerprint).sorted().joined(separator: ","))
      case .systemAnd(let roots):
        parts.append("and " + roots.map(\.fingerprint).sorted().joined(separator: ","))
      }
      if let pins = trust.pins {
        parts.append("pins " + pins.map(\.description).sorted().joined(separator: ","))
      }
      if let identity = trust.identity {
        parts.append("as " + identity.chain.map(\.fingerprint).joined(separator: ","))
      }
      // Nothing tells what a closure refuses, so that it shares with none but its copies.
      if let evaluation = trust.evaluation { parts.append("closure \(evaluation.token)") }
      if trust.verification == .noneForTesting { parts.append("unverified") }
    }
    if let connections = peer?.connections {
      if let socket = connections.unixSocket { parts.append("socket \(socket)") }
      if let address = connections.addresses[host().lowercased()] { parts.append("address \(address)") }
    }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  private func trust(for host: @autoclosure () -> String, _ peer: PeerIdentity?) -> Trust? {
    (trust ?? peer?.trust)?.resolved(for: host())
  }
}

extension Certificate {
  fileprivate var fingerprint: String { SHA256.hash(der).hexadecimal }
}
