import Foundation
import HTTPTypes
import StagecoachCore
import StagecoachStages
import Synchronization

extension Check {
  /// A transport below a stage that retries what may be retried, at once.
  static func retrying(_ transport: any Transport) -> Pipeline {
    var policy = RetryPolicy()
    policy.delay = .zero
    return Pipeline(over: transport, stages: [Retry(policy)])
  }

  /// Checks that a proxy that refuses CONNECT is asked once, and that the error says what it answered.
  private static func refused(_ status: HTTPResponse.Status, _ trial: Trial) async throws {
    let server = try trial.server { wire in
      while true {
        try wire.readHead()
        try wire.send("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        try wire.send("Proxy-Authenticate: Basic realm=\"depot\"\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let proxy = Proxy(.http, host: "127.0.0.1", port: server.port, user: "driver", password: "hush")
    let transport = try trial.transport { $0.connections.proxy = .server(proxy) }
    for chain in [transport, retrying(transport)] {
      let before = server.requests.count
      let error = try await trial.failure(of: .get("https://stagecoach.invalid/"), over: chain)
      try require(error.kind == .proxyRefused, "it fails as \(error.kind): \(error.message)")
      let methods = server.requests[before...].map(\.method)
      try require(methods == ["CONNECT"], "the proxy was asked \(methods.count) times: \(methods)")
      try require(error.requestMayHaveBeenSent == false, "it says that the request may have been sent")
      try requireNamed(proxy, in: error)
      try require(!"\(error)".contains("hush"), "the error shows the password: \(error)")
      let saysWhat = error.message.contains("CONNECT") && error.message.contains(" \(status.code)")
      try require(saysWhat, "the error does not name CONNECT and \(status.code): \(error.message)")
    }
    // Forwarded, or by way of a tunnel.
    let before = server.requests.count
    _ = try? await trial.send(.get("http://stagecoach.invalid/"), over: retrying(transport))
    let count = server.requests.count - before
    try require(count == 1, "the proxy was asked \(count) times for http")
  }

  private static func requireNamed(_ proxy: Proxy, in error: ExchangeError) throws {
    let isNamed = error.message.contains("proxy") && error.message.contains("\(proxy.host):\(proxy.port)")
    try require(isNamed, "the error does not name the proxy: \(error.message)")
  }

  /// The answers to CONNECT, and those of SOCKS 5 (RFC 1928 6).
  static let proxyRefusalChecks: [Check] = [
    Check(
      "092k-proxy-password",
      "a proxy that refuses a password gets it once, and the error names the proxy, CONNECT and 407",
      level: .capability,
      needs: .httpProxies
    ) { try await refused(.proxyAuthenticationRequired, $0) },
    Check(
      "092l-proxy-rules",
      "a proxy that refuses a destination is asked once, and the error names the proxy, CONNECT and the status",
      level: .capability,
      needs: .httpProxies
    ) { trial in
      for status in [HTTPResponse.Status.forbidden, .notFound] { try await refused(status, trial) }
    },
    Check(
      "092m-proxy-down",
      "a proxy that does not listen fails as connectionRefused, and the error names it",
      level: .capability,
      needs: .httpProxies
    ) { trial in
      let (socket, port) = try WireSocket.bound(to: "127.0.0.1")
      defer { socket.close() }
      let kinds: [Proxy.Kind] = trial.capabilities.contains(.socksProxies) ? [.http, .socks5h] : [.http]
      for kind in kinds {
        let proxy = Proxy(kind, host: "127.0.0.1", port: port)
        let transport = try trial.transport { $0.connections.proxy = .server(proxy) }
        for scheme in ["http", "https"] {
          let error = try await trial.failure(of: .get("\(scheme)://stagecoach.invalid/"), over: transport)
          try require(error.kind == .connectionRefused, "it fails as \(error.kind): \(error.message)")
          try require(error.requestMayHaveBeenSent == false, "it does not say that nothing was sent")
          try requireNamed(proxy, in: error)
        }
      }
    },
    Check(
      "092n-socks-replies",
      "the reply of a SOCKS proxy is told in words, and a destination that it does not allow is asked for once",
      level: .capability,
      needs: .socksProxies
    ) { trial in
      let words = [
        "", "general", "not allowed", "network unreachable", "host unreachable", "connection refused",
        "ttl expired", "command not supported", "address type not supported",
      ]
      // The port is the reply.
      let server = try trial.server { wire in
        let peer = try SOCKSPeer(wire)
        try peer.refuse(UInt8(peer.port))
      }
      let proxy = Proxy(.socks5h, host: "127.0.0.1", port: server.port)
      let transport = try trial.transport { $0.connections.proxy = .server(proxy) }
      for reply in 1..<words.count {
        let request = Request.get("http://stagecoach.invalid:\(reply)/")
        let error = try await trial.failure(of: request, over: transport)
        try requireNamed(proxy, in: error)
        let isSaid = error.message.lowercased().contains(words[reply])
        try require(isSaid, "the reply \(reply) is told as: \(error.message)")
        try require(error.requestMayHaveBeenSent == false, "it says that the request may have been sent")
      }
      let before = server.connections.count
      let refused = Request.get("http://stagecoach.invalid:2/")
      let error = try await trial.failure(of: refused, over: retrying(transport))
      try require(error.kind == .proxyRefused, "it fails as \(error.kind): \(error.message)")
      let count = server.connections.count - before
      try require(count == 1, "the proxy was asked \(count) times")
    },
    Check(
      "092o-proxy-octets",
      "the name and the password of a proxy arrive octet for octet",
      level: .capability,
      needs: .httpProxies
    ) { trial in
      for (user, password) in [
        ("a%41", "b%42"), ("%", "%%2"), ("driver@depot", "a:b@c/d?e#f"), ("Ängström", "p ä+&=\u{1F511}"),
        ("driver", ""),
      ] {
        let server = try trial.server { wire in
          while true {
            if try wire.readHead().method == "CONNECT" {
              try wire.send("HTTP/1.1 200 OK\r\n\r\n")
            } else {
              try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
          }
        }
        let asked = Mutex<String?>(nil)
        let socks = try trial.server { wire in
          let peer = try SOCKSPeer(wire, password: password)
          asked.withLock { $0 = peer.user }
          try peer.leadOn()
          try echoesTarget(wire)
        }
        let http = Proxy(.http, host: "127.0.0.1", port: server.port, user: user, password: password)
        let transport = try trial.transport { $0.connections.proxy = .server(http) }
        _ = try await trial.send(.get("http://stagecoach.invalid/"), over: transport).body.collect(upTo: 100)
        let credentials = server.requests.flatMap { $0.values(of: "Proxy-Authorization") }
        let expected = "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
        try require(credentials == [expected], "\(user) and \(password) came as \(credentials)")
        guard trial.capabilities.contains(.socksProxies), !password.isEmpty else { continue }
        let socks5 = Proxy(.socks5h, host: "127.0.0.1", port: socks.port, user: user, password: password)
        let other = try trial.transport { $0.connections.proxy = .server(socks5) }
        do {
          _ = try await trial.send(.get("http://stagecoach.invalid/"), over: other).body.collect(upTo: 100)
          let name = asked.withLock { $0 }
          try require(name == user, "\(user) came as \(name ?? "nobody") over SOCKS")
        } catch let error as ExchangeError where error.kind == .unsupported {
          try require(socks.connections.isEmpty, "it was refused, and there was a connection")
        }
      }
    },
  ]
}
