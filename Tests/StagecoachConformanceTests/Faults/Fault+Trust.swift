#if AsyncHTTPClient
  import Stagecoach
  import StagecoachConformance

  extension Fault {
    /// Trust, and the errors of TLS.
    static let trust: [Fault] = [
      .setup("trust.roots are ignored", noticedBy: ["106a": "is not trusted"]) { $0.trust.roots = .system },
      .setup("trust.hosts is ignored", noticedBy: ["106h": "it was answered", "106i": "is not trusted"]) {
        $0.trust.hosts = [:]
      },
      .setup("the trust of one host applies to all hosts", noticedBy: ["106i": "127.0.0.1"]) {
        if let own = $0.trust.hosts.values.first { $0.trust = own }
      },
      .setup("pins are ignored", noticedBy: ["106c": "it was answered", "106h": "it was answered"]) {
        $0.trust.pins = nil
      },
      .setup(
        "an empty set of pins is ignored",
        noticedBy: ["106h": "it was answered", "106g": "no pins, server"]
      ) {
        if $0.trust.pins?.isEmpty == true { $0.trust.pins = nil }
      },
      .setup(
        "only the first of several pins is compared",
        noticedBy: ["106c": "no certificate of localhost is pinned"]
      ) {
        setup in
        setup.trust.pins = setup.trust.pins.map {
          Set($0.map { "\($0)" }.sorted().prefix(1).compactMap { try? Pin($0) })
        }
      },
      .setup("trust.evaluation is not asked", noticedBy: ["106e": "it was answered"]) {
        $0.trust.evaluation = nil
      },
      .setup("the client certificate is not sent", noticedBy: ["106f": "tls.alert"]) {
        $0.trust.identity = nil
      },
      .setup("the oldest version of TLS is ignored", noticedBy: ["105e": "to only12, tls13 to tls13 was 200"])
      {
        $0.trust.minimumVersion = .tls12
      },
      .setup("the newest version of TLS is ignored", noticedBy: ["105e": "to only13, tls12 to tls12 was 200"])
      {
        $0.trust.maximumVersion = nil
      },
      .setup(
        "certificates are not verified",
        noticedBy: ["105a": "it was answered", "105b": "it was answered"]
      ) {
        $0.trust.verification = .noneForTesting
      },
      .request("the trust of a request is ignored", noticedBy: ["106b": "is not trusted"]) {
        $0.options.trust = nil
      },
      .sending(
        "a connection made under one trust is used under another",
        noticedBy: ["106b": "it was answered"]
      ) {
        parts in
        let first = FirstValue<Trust?>()
        return { request in
          var request = request
          request.options.trust = first.value(request.options.trust)
          return try await parts.inner.send(request)
        }
      },
      .failure(
        "a pin mismatch is reported as untrusted",
        noticedBy: ["106c": "it fails as tls.untrusted"]
      ) {
        error,
        _ in
        var error = error
        if error.kind == .tls(.pinMismatch) { error.kind = .tls(.untrusted) }
        return error
      },
      .failure(
        "the error of a pin does not name the keys of the peer",
        noticedBy: ["106c": "it does not tell what the peer showed"]
      ) {
        error,
        _ in
        var error = error
        if error.kind == .tls(.pinMismatch) { error.message = "no certificate of localhost is pinned" }
        return error
      },
      .failure("the reason of an evaluation is lost", noticedBy: ["106e": "the reason is lost"]) { error, _ in
        var error = error
        if error.kind == .tls(.refused) { error.message = "localhost was refused" }
        return error
      },
    ]
  }
#endif
