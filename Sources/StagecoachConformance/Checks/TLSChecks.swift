import HTTPTypes
import StagecoachCore
import StagecoachOrigin
import WireScripts

extension Check {
  /// A port with TLS in front of a server.
  static func front(
    of server: WireServer,
    _ certificate: String = "server",
    _ change: (inout TLSFront.Configuration) -> Void = { _ in }
  ) async throws -> TLSFront {
    var configuration = TLSFront.Configuration(
      chainPEM: try WireScripts.certificate("\(certificate).pem"),
      keyPEM: try WireScripts.certificate("\(certificate).key")
    )
    change(&configuration)
    return try await TLSFront.start(configuration, to: server.port)
  }

  /// The roots that the certificates of the kit come from.
  static func roots() throws -> Trust.Roots {
    .only(try Certificate.fromPEM(WireScripts.certificate("ca.pem")))
  }

  /// Checks how a call to a peer with a certificate fails.
  private static func refused(
    _ certificate: String,
    as kinds: [ExchangeError.Kind],
    trustsRoots: Bool,
    _ trial: Trial,
    _ change: (inout TLSFront.Configuration) -> Void = { _ in }
  ) async throws {
    let server = try trial.server(echoesTarget)
    let front = try await front(of: server, certificate, change)
    defer { front.stop() }
    let roots = try roots()
    let transport = try trial.transport { if trustsRoots { $0.trust.roots = roots } }
    let error = try await trial.failure(of: .get("https://localhost:\(front.port)/"), over: transport)
    try require(kinds.contains(error.kind), "it fails as \(error.kind): \(error.message)")
    try require(error.requestMayHaveBeenSent != true, "it says that the request may have been sent")
    try require("\(error)".contains("localhost"), "the host is not named: \(error)")
    let namesSources = "\(error)".contains(/\.(swift|cc|c|h):[0-9]/)
    try require(!namesSources, "the text names the sources of the engine: \(error)")
    try require(server.requests.isEmpty, "the server saw a request")
  }

  /// Checks of TLS: trust and client certificates.
  static let tlsChecks: [Check] = [
    Check(
      "057-abrupt-end",
      "a body without length that ends without close_notify is not taken for complete",
      level: .typedError,
      needs: .customRoots
    ) { trial in
      let server = try trial.server { wire in
        try wire.readHead()
        try wire.send("HTTP/1.1 200 OK\r\n\r\nabc")
        wire.pause(.milliseconds(50))
      }
      let front = try await front(of: server) { $0.endsAbruptly = true }
      defer { front.stop() }
      let roots = try roots()
      let transport = try trial.transport { $0.trust.roots = roots }
      let observation = try await Observation(
        of: .get("https://localhost:\(front.port)/"),
        over: transport,
        trial
      )
      let kind = (observation.error as? ExchangeError)?.kind
      try require(kind == .incompleteBody || kind == .connectionReset, "it was \(observation)")
    },
    Check(
      "057b-complete-before-abrupt-end",
      "a body that is complete by its length, its chunks or a close_notify stays so when the connection breaks",
      needs: .customRoots
    ) { trial in
      for (framing, body, endsAbruptly) in [
        ("Content-Length: 3\r\n", "abc", true),
        ("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n", true),
        ("", "abc", false),
      ] {
        let server = try trial.server { wire in
          try wire.readHead()
          try wire.send("HTTP/1.1 200 OK\r\n\(framing)\r\n\(body)")
          wire.pause(.milliseconds(50))
        }
        let front = try await front(of: server) { $0.endsAbruptly = endsAbruptly }
        defer { front.stop() }
        let roots = try roots()
        let transport = try trial.transport { $0.trust.roots = roots }
        let request = Request.get("https://localhost:\(front.port)/")
        let observation = try await Observation(of: request, over: transport, trial)
        try require(
          observation.error == nil && observation.body == Array("abc".utf8),
          "with \"\(framing.dropLast(2))\" it was \(observation)"
        )
      }
    },
    Check(
      "105a-self-signed",
      "a certificate of an unknown authority is refused as untrusted",
      level: .typedError
    ) {
      try await refused("self-signed", as: [.tls(.untrusted)], trustsRoots: false, $0)
    },
    Check(
      "105b-other-host",
      "a certificate for another host is refused as hostMismatch",
      level: .typedError,
      needs: .customRoots
    ) {
      try await refused("other-host", as: [.tls(.hostMismatch)], trustsRoots: true, $0)
    },
    Check(
      "105c-expired",
      "a certificate that has expired is refused as expired",
      level: .typedError,
      needs: .customRoots
    ) {
      try await refused("expired", as: [.tls(.expired)], trustsRoots: true, $0)
    },
    Check(
      "105f-wildcards",
      "in the name of a certificate `*` is the whole first label and no part of one (RFC 9525 6.3)",
      level: .typedError,
      needs: .customRoots
    ) { trial in
      let server = try trial.server(echoesTarget)
      let front = try await front(of: server, "wildcard")
      defer { front.stop() }
      let roots = Trust.Roots.only(try Certificate.fromPEM(WireScripts.certificate("wildcard.pem")))
      // It names l*, *, g*.example, *ood.example, go*d.example, *.stable.example and whole.example.
      var hosts = ["localhost": false]
      if trial.capabilities.contains(.addressOverrides) {
        let others = ["good.example": false, "whole.example": true, "a.stable.example": true]
        hosts.merge(others) { own, _ in own }
        hosts["a.b.stable.example"] = false
        hosts["stable.example"] = false
      }
      let transport = try trial.transport { setup in
        setup.trust.roots = roots
        for host in hosts.keys where host != "localhost" { setup.connections.addresses[host] = "127.0.0.1" }
      }
      for (host, isNamed) in hosts {
        let request = Request.get("https://\(host):\(front.port)/a")
        let observation = try await Observation(of: request, over: transport, trial)
        let error = observation.error as? ExchangeError
        try require(
          isNamed ? observation.body == Array("/a".utf8) : error?.kind == .tls(.hostMismatch),
          "\(host) was \(observation)"
        )
      }
      let named = hosts.values.filter { $0 }.count
      try require(server.requests.count == named, "\(server.requests.count) requests came, of \(named)")
    },
    Check("105d-outdated", "a peer that speaks TLS 1.1 at most is refused", level: .typedError) {
      try await refused("server", as: [.tls(.handshake), .tls(.alert)], trustsRoots: false, $0) {
        $0.versions = .outdated
      }
    },
    Check(
      "105e-versions",
      "a peer whose versions of TLS are not those of the trust is refused",
      level: .typedError,
      needs: [.customRoots, .tlsVersions]
    ) { trial in
      let roots = try roots()
      for (spoken, oldest, newest, isMet) in [
        (TLSFront.Configuration.Versions.only12, Trust.Version.tls13, Trust.Version.tls13, false),
        (.only13, .tls12, .tls12, false), (.only12, .tls12, .tls13, true), (.only13, .tls12, .tls13, true),
      ] {
        let server = try trial.server(echoesTarget)
        let front = try await front(of: server) { $0.versions = spoken }
        defer { front.stop() }
        let transport = try trial.transport {
          $0.trust.roots = roots
          ($0.trust.minimumVersion, $0.trust.maximumVersion) = (oldest, newest)
        }
        let request = Request.get("https://localhost:\(front.port)/a")
        let observation = try await Observation(of: request, over: transport, trial)
        let kind = (observation.error as? ExchangeError)?.kind
        try require(
          isMet ? observation.body == Array("/a".utf8) : kind == .tls(.handshake) || kind == .tls(.alert),
          "to \(spoken), \(oldest) to \(newest) was \(observation)"
        )
        try require(isMet || server.requests.isEmpty, "the server saw a request")
      }
    },
    Check(
      "106a-roots",
      "accepts a certificate signed by a given root",
      level: .capability,
      needs: .customRoots
    ) {
      trial in
      let server = try trial.server(echoesTarget)
      let front = try await front(of: server)
      defer { front.stop() }
      let roots = try roots()
      let transport = try trial.transport { $0.trust.roots = roots }
      for host in ["localhost", "127.0.0.1"] {
        let response = try await trial.send(.get("https://\(host):\(front.port)/a"), over: transport)
        let text = String(decoding: try await response.body.collect(upTo: 100))
        try require(text == "/a", "the body is \(text)")
      }
    },
    Check(
      "106b-trust-of-a-request",
      "a connection made under one trust is not used under another",
      level: .capability,
      needs: .customRoots
    ) { trial in
      let server = try trial.server(echoesTarget)
      let front = try await front(of: server)
      defer { front.stop() }
      let transport = try trial.transport()
      var believing = Request.get("https://localhost:\(front.port)/")
      believing.options.trust = Trust(roots: try roots())
      _ = try await trial.send(believing, over: transport).body.collect(upTo: 100)
      let error = try await trial.failure(of: .get("https://localhost:\(front.port)/"), over: transport)
      try require(error.kind == .tls(.untrusted), "it fails as \(error.kind): \(error.message)")
      _ = try await trial.send(believing, over: transport).body.collect(upTo: 100)
      // Some judge the peer behind the end of the handshake, which is a connection to it without a request.
      let count = server.connections.count { !$0.requests.isEmpty }
      try require(count == 1, "the trusted calls had \(count) connections")
    },
    Check(
      "106i-trust-of-a-host",
      "trust.hosts applies to its hosts and to no others",
      level: .capability,
      needs: .customRoots
    ) { trial in
      let server = try trial.server(echoesTarget)
      let front = try await front(of: server)
      defer { front.stop() }
      let (believing, doubting) = (Trust(roots: try roots()), Trust())
      for (own, others) in [(believing, doubting), (doubting, believing)] {
        let transport = try trial.transport { setup in
          setup.trust = others
          setup.trust.hosts["localhost"] = own
        }
        for (host, trust) in [("localhost", own), ("127.0.0.1", others)] {
          let request = Request.get("https://\(host):\(front.port)/a")
          let observation = try await Observation(of: request, over: transport, trial)
          let isBelieved = observation.error == nil && observation.body == Array("/a".utf8)
          let kind = (observation.error as? ExchangeError)?.kind
          try require(
            trust == believing ? isBelieved : kind == .tls(.untrusted),
            "\(host), with \(trust == believing ? "our" : "the system's") roots, was \(observation)"
          )
        }
      }
    },
    Check(
      "106c-pins",
      "the key of the peer itself is compared with pins",
      level: .capability,
      needs: .pinsLeaf
    ) {
      trial in
      let server = try trial.server(echoesTarget)
      let front = try await front(of: server)
      defer { front.stop() }
      let roots = try roots()
      let own = try Certificate.fromPEM(WireScripts.certificate("server.pem"))[0].publicKeyPin
      let other = try Certificate.fromPEM(WireScripts.certificate("expired.pem"))[0].publicKeyPin
      let good = try trial.transport { $0.trust = Trust(roots: roots, pins: [other, own]) }
      _ = try await trial.send(.get("https://localhost:\(front.port)/"), over: good).body.collect(upTo: 100)
      let bad = try trial.transport { $0.trust = Trust(roots: roots, pins: [other]) }
      let start = ContinuousClock.now
      let error = try await trial.failure(of: .get("https://localhost:\(front.port)/"), over: bad)
      try require(error.kind == .tls(.pinMismatch), "it fails as \(error.kind): \(error.message)")
      try require(
        error.message.contains("\(own)"),
        "it does not tell what the peer showed: \(error.message)"
      )
      try require(ContinuousClock.now - start < patience, "it took \(ContinuousClock.now - start)")
      try require(server.requests.count == 1, "a request was sent to a peer that is not pinned")
    },
    Check(
      "106d-chain-pins",
      "the keys of all certificates are compared with pins",
      level: .capability,
      needs: .pinsChain
    ) { trial in
      let server = try trial.server(echoesTarget)
      let ca = try WireScripts.certificate("ca.pem")
      let front = try await front(of: server) { $0.chainPEM += ca }
      defer { front.stop() }
      let roots = try roots()
      let pin = try Certificate.fromPEM(ca)[0].publicKeyPin
      let transport = try trial.transport { $0.trust = Trust(roots: roots, pins: [pin]) }
      _ = try await trial.send(.get("https://localhost:\(front.port)/"), over: transport).body.collect(
        upTo: 100
      )
    },
    Check(
      "106e-evaluation",
      "a closure that refuses a good peer is obeyed, before anything is sent",
      level: .capability,
      needs: .evaluatesTrust
    ) { trial in
      let server = try trial.server(echoesTarget)
      let front = try await front(of: server)
      defer { front.stop() }
      let roots = try roots()
      let transport = try trial.transport {
        $0.trust.roots = roots
        $0.trust.evaluation = Trust.Evaluation { peer in throw CheckFailure("not \(peer.host)") }
      }
      let error = try await trial.failure(of: .get("https://localhost:\(front.port)/"), over: transport)
      try require(error.kind == .tls(.refused), "it fails as \(error.kind): \(error.message)")
      try require(error.message.contains("not localhost"), "the reason is lost: \(error.message)")
      try require(server.requests.isEmpty, "the server saw a request")
    },
    Check(
      "106f-client-identity",
      "a client shows its certificate, and fails as tls without one",
      level: .capability,
      needs: [.customRoots, .clientIdentity]
    ) { trial in
      let server = try trial.server(echoesTarget)
      let clientRoots = try WireScripts.certificate("client-ca.pem")
      let front = try await front(of: server) { $0.clientRootsPEM = clientRoots }
      defer { front.stop() }
      let roots = try roots()
      let identity = try ClientIdentity(
        chainPEM: WireScripts.certificate("client.pem"),
        privateKeyPEM: WireScripts.certificate("client.key")
      )
      let url = "https://localhost:\(front.port)/"
      let known = try trial.transport { $0.trust = Trust(roots: roots, identity: identity) }
      _ = try await trial.send(.get(url), over: known).body.collect(upTo: 100)
      let unknown = try trial.transport { $0.trust = Trust(roots: roots) }
      let error = try await trial.failure(of: .get(url), over: unknown)
      // In TLS 1.3 the refusal comes after the handshake, and may come as a reset.
      let isKnown =
        error.kind == .tls(.alert) || error.kind == .tls(.handshake) || error.kind == .connectionReset
      try require(isKnown, "it fails as \(error.kind): \(error.message)")
      try require(server.requests.count == 1, "the server saw a request of nobody")
    },
    Check(
      "106j-identity-mismatch",
      "a client key that does not belong to its certificate is reported as that",
      level: .capability,
      needs: [.customRoots, .clientIdentity]
    ) { trial in
      let server = try trial.server(echoesTarget)
      let clientRoots = try WireScripts.certificate("client-ca.pem")
      let front = try await front(of: server) { $0.clientRootsPEM = clientRoots }
      defer { front.stop() }
      let identity = try ClientIdentity(
        chainPEM: WireScripts.certificate("client.pem"),
        privateKeyPEM: WireScripts.certificate("server.key")
      )
      let roots = try roots()
      let transport = try trial.transport { $0.trust = Trust(roots: roots, identity: identity) }
      let error = try await trial.failure(of: .get("https://localhost:\(front.port)/"), over: transport)
      try require(error.kind == .tls(.identity), "it fails as \(error.kind): \(error.message)")
      try require(error.message.contains("match"), "the reason is not told: \(error.message)")
      try require(server.requests.isEmpty, "the server saw a request")
    },
    Check(
      "107c-alpn",
      "ALPN decides between HTTP/2 and HTTP/1.1",
      level: .capability,
      needs: [.http2, .customRoots]
    ) {
      trial in
      let old = try trial.server(echoesTarget)
      let oldFront = try await front(of: old) { $0.protocols = ["http/1.1"] }
      defer { oldFront.stop() }
      let new = try trial.server { wire in try HTTP2Peer(wire).answerAll() }
      let newFront = try await front(of: new) { $0.protocols = ["h2", "http/1.1"] }
      defer { newFront.stop() }
      let roots = try roots()
      let transport = try trial.transport { $0.trust.roots = roots }
      for (port, version) in [(oldFront.port, HTTPVersion.http11), (newFront.port, .http2)] {
        let response = try await trial.send(.get("https://localhost:\(port)/"), over: transport)
        _ = try await response.body.collect(upTo: 100)
        try require(
          response.version == version,
          "the version is \(response.version.map { "\($0)" } ?? "unknown")"
        )
      }
      let modest = try trial.transport {
        $0.trust.roots = roots
        $0.connections.versions = .http1
      }
      let error = try? await trial.failure(of: .get("https://localhost:\(newFront.port)/"), over: modest)
      // The peer speaks HTTP/2 whatever was agreed on; what matters is that it was not agreed on.
      try require(error != nil, "HTTP/2 was spoken though it was not allowed")
    },
    Check(
      "107d-prior-knowledge",
      "HTTP/2 is spoken on a plain connection where nothing else is allowed",
      level: .capability,
      needs: .http2PriorKnowledge
    ) { trial in
      let server = try trial.server { wire in try HTTP2Peer(wire).answerAll() }
      let transport = try trial.transport { $0.connections.versions = .http2 }
      for _ in 0..<2 {
        let response = try await trial.send(.get("\(server.url)/"), over: transport)
        let text = String(decoding: try await response.body.collect(upTo: 100))
        try require(text == "ok", "the body is \(text)")
        try require(response.version == .http2, "the version is not HTTP/2")
      }
    },
  ]
}
