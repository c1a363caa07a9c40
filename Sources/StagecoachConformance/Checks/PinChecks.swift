import HTTPTypes
import StagecoachCore
import StagecoachOrigin
import WireScripts

extension Check {
  /// The truth table of pinning over this transport: AFNetworking's policies, and the equivalent trusts.
  static let pinChecks: [Check] = [
    Check(
      "106g-pin-table",
      "pins refuse whom AFNetworking's policies refuse, or more; an empty set refuses everybody",
      level: .capability,
      needs: [.pinsLeaf, .customRoots]
    ) { trial in
      let comparesChain = trial.capabilities.contains(.pinsChain)
      for row in try PinRow.table(comparesChain: comparesChain) {
        do {
          try await row.check(trial)
        } catch let failure as CheckFailure {
          throw CheckFailure("\(row): \(failure)")
        }
      }
    },
    Check(
      "106h-empty-pins",
      "an empty set of pins refuses every server, for one host and for one request too",
      level: .capability,
      needs: [.pinsLeaf, .customRoots]
    ) { trial in
      let server = try trial.server(echoesTarget)
      let front = try await front(of: server)
      defer { front.stop() }
      let open = Trust(roots: try roots())
      let closed = Trust(roots: open.roots, pins: [])
      var ofHost = open
      ofHost.hosts["localhost"] = closed
      let request = Request.get("https://localhost:\(front.port)/")
      var alone = request
      alone.options.trust = closed
      var opened = request
      opened.options.trust = open
      for (place, trust, request) in [
        ("transport", closed, request), ("host", ofHost, request), ("request", open, alone),
      ] {
        let transport = try trial.transport { $0.trust = trust }
        let error = try await trial.failure(of: request, over: transport)
        try require(
          error.kind == .tls(.pinMismatch),
          "for one \(place) it fails as \(error.kind): \(error.message)"
        )
        try require(error.requestMayHaveBeenSent != true, "it says that the request may have been sent")
      }
      try require(server.requests.isEmpty, "the server saw a request")
      let transport = try trial.transport { $0.trust = closed }
      _ = try await trial.send(opened, over: transport).body.collect(upTo: 100)
    },
  ]
}

/// A row: a policy of AFNetworking 4, the equivalent trust, and a server.
private struct PinRow {
  let policy: String
  /// The name of the server's certificate.
  let certificate: String
  /// The allowed kinds of refusal; empty if the server is accepted.
  let refusals: [ExchangeError.TLSFailure]
  let trust: Trust

  init(_ policy: String, _ certificate: String, _ refusals: [ExchangeError.TLSFailure], _ trust: Trust) {
    (self.policy, self.certificate, self.refusals, self.trust) = (policy, certificate, refusals, trust)
  }

  private static func key(_ name: String) throws -> Pin {
    try Certificate.fromPEM(WireScripts.certificate("\(name).pem"))[0].publicKeyPin
  }

  private static func certificate(_ name: String) throws -> Pin {
    Pin(try Certificate.fromPEM(WireScripts.certificate("\(name).pem"))[0])
  }

  /// Returns the rows of AFNetworking 4's table, according to the documentation of its flags.
  ///
  /// Stagecoach is stricter where it has no equivalent: the host name is always checked, and so is the expiry of a
  /// certificate whose key is pinned, unless nothing is verified at all; and the contradictory mode without pins
  /// (invalid certificates allowed, domain validated) has no counterpart.
  ///
  /// - Parameter comparesChain: Whether all certificates of the peer are compared, or only the leaf.
  static func table(comparesChain: Bool) throws -> [PinRow] {
    let roots = try Check.roots()
    func trust(_ pins: Set<Pin>?) -> Trust { Trust(roots: roots, pins: pins) }
    func unverified(_ pins: Set<Pin>?) -> Trust {
      var trust = trust(pins)
      trust.verification = .noneForTesting
      return trust
    }
    let key = try key("server")
    let wrong = try self.key("client")
    let own = try Certificate.fromPEM(WireScripts.certificate("self-signed.pem"))
    let ownRoot = Trust(roots: .only(own), pins: [Pin(own[0])])
    // Not all engines report that a certificate has expired: another check tests that.
    let expired: [ExchangeError.TLSFailure] = [.expired, .untrusted]
    return [
      PinRow("none", "server", [], trust(nil)),
      PinRow("none", "other-host", [.hostMismatch], trust(nil)),
      PinRow("none", "expired", expired, trust(nil)),
      PinRow("none", "self-signed", [.untrusted], trust(nil)),
      PinRow("none, nothing verified", "other-host", [], unverified(nil)),
      PinRow("none, nothing verified", "expired", [], unverified(nil)),
      PinRow("none, nothing verified", "self-signed", [], unverified(nil)),
      PinRow("no pins", "server", [.pinMismatch], trust([])),
      PinRow("no pins", "other-host", [.hostMismatch], trust([])),
      PinRow("no pins", "self-signed", [.untrusted], trust([])),
      PinRow("no pins, nothing verified", "server", [.pinMismatch], unverified([])),
      PinRow("no pins, nothing verified", "self-signed", [.pinMismatch], unverified([])),
      PinRow("public key", "server", [], trust([key])),
      PinRow("public key, the second matches", "server", [], trust([wrong, key])),
      PinRow("public key, none matches", "server", [.pinMismatch], trust([wrong])),
      PinRow(
        "public key of the root",
        "server",
        comparesChain ? [] : [.pinMismatch],
        trust([try self.key("ca")])
      ),
      PinRow("public key", "other-host", [.hostMismatch], trust([try self.key("other-host")])),
      PinRow("public key", "expired", expired, trust([try self.key("expired")])),
      PinRow("public key, nothing verified", "server", [], unverified([key])),
      PinRow("public key, nothing verified", "self-signed", [.pinMismatch], unverified([key])),
      PinRow("certificate", "server", [], trust([try certificate("server")])),
      PinRow("certificate, another", "server", [.pinMismatch], trust([try certificate("other-host")])),
      PinRow("certificate", "self-signed", [.untrusted], trust([Pin(own[0])])),
      PinRow("certificate, its own root", "self-signed", [], ownRoot),
      PinRow("certificate, its own root", "server", [.untrusted], ownRoot),
    ]
  }

  func check(_ trial: Trial) async throws {
    let server = try trial.server(Check.echoesTarget)
    let authority = try WireScripts.certificate("ca.pem")
    let front = try await Check.front(of: server, certificate) {
      if certificate != "self-signed" { $0.chainPEM += authority }
    }
    defer { front.stop() }
    let transport = try trial.transport { $0.trust = trust }
    let request = Request.get("https://localhost:\(front.port)/a")
    guard !refusals.isEmpty else {
      let response = try await trial.send(request, over: transport)
      let text = String(decoding: try await response.body.collect(upTo: 100))
      return try require(text == "/a", "the body is \(text)")
    }
    let error = try await trial.failure(of: request, over: transport)
    try require(
      refusals.contains { error.kind == .tls($0) },
      "it fails as \(error.kind): \(error.message)"
    )
    try require("\(error)".contains("localhost"), "the host is not named: \(error)")
    try require(error.requestMayHaveBeenSent != true, "it says that the request may have been sent")
    try require(server.requests.isEmpty, "the server saw a request")
  }
}

extension PinRow: CustomStringConvertible {
  var description: String { "\(policy), \(certificate)" }
}
