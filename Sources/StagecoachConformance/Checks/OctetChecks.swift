import HTTPTypes
import StagecoachCore
import StagecoachOrigin

extension Check {
  /// Targets and field values arrive octet for octet.
  static let octetChecks: [Check] = [
    Check(
      "003d-random-targets",
      "every target of RFC 3986 arrives octet for octet, or is refused before anything is sent",
      runsInProcess: true
    ) { trial in
      try await requireTargets(RandomTarget.escapes, trial)
      let random = RandomTarget(SeededRandom(seed: 3))
      try await requireTargets((0..<300).map { _ in random.next() }, trial)
    },
    Check(
      "003e-targets-through-a-proxy",
      "a target arrives octet for octet through a proxy, too",
      level: .capability,
      needs: .httpProxies
    ) { trial in
      let server = try trial.server { wire in
        while true {
          let request = try wire.readRequest()
          try wire.send(request.method == "CONNECT" ? "HTTP/1.1 200 OK\r\n\r\n" : okay)
        }
      }
      let proxy = Proxy(.http, host: "127.0.0.1", port: server.port)
      let transport = try trial.transport { $0.connections.proxy = .server(proxy) }
      let random = RandomTarget(SeededRandom(seed: 4))
      for target in ["/caf%E9", "/%C3?%ff", "/"] + (0..<20).map({ _ in random.next() }) {
        let head = HTTPRequest(method: .delete, scheme: "http", authority: "stagecoach.invalid", path: target)
        _ = try await trial.send(Request(head: head), over: transport).body.collect(upTo: 100)
        // In a tunnel, or in the absolute form (RFC 9112 3.2.2).
        let seen = server.requests.last?.target
        try require(
          seen == target || seen == "http://stagecoach.invalid\(target)",
          "the target is \(seen ?? "missing"), expected \(target)"
        )
      }
    },
    Check(
      "019b-request-octets",
      "values that are not UTF-8 arrive octet for octet, or are refused before anything is sent"
    ) { trial in
      let server = try trial.server { wire in
        while true {
          _ = try wire.readRequest()
          try wire.send(okay)
        }
      }
      let transport = try trial.transport()
      for values in randomValues(seed: 19) {
        var request = Request.get("\(server.url)/")
        // In one line, and with others of its name (RFC 6265 5.4).
        request.fields.append(HTTPField(name: .cookie, value: values[0]))
        request.fields.append(HTTPField(name: .cookie, value: values[1]))
        for (index, value) in values.enumerated() {
          request.fields.append(HTTPField(name: valueName(index), value: value))
        }
        guard try await arrives(request, trial, server, transport) else { continue }
        guard let seen = server.requests.last else { throw CheckFailure("no request was seen") }
        try requireOctets(seen.octets(of: "Cookie"), values[0] + Array("; ".utf8) + values[1], "Cookie")
        for (index, value) in values.enumerated() {
          try requireOctets(seen.octets(of: valueName(index).rawName), value, "the value")
        }
      }
    },
    Check("053b-response-octets", "values that are not UTF-8 are handed over octet for octet") { trial in
      let all = randomValues(seed: 53)
      let answered = Counter()
      let server = try trial.server { wire in
        while true {
          _ = try wire.readRequest()
          var head = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n".utf8)
          for (index, value) in all[answered.next() % all.count].enumerated() {
            head += Array("\(valueName(index).rawName): ".utf8) + value + [13, 10]
          }
          try wire.send(head + Array("\r\nok".utf8))
        }
      }
      let transport = try trial.transport()
      for values in all {
        let observation = try await Observation(of: .get("\(server.url)/"), over: transport, trial)
        guard let response = observation.response, observation.error == nil else {
          throw CheckFailure("it failed: \(observation)")
        }
        for (index, value) in values.enumerated() {
          let seen = response.fields[fields: valueName(index)].map(\.octets)
          try require(seen.count == 1, "there are \(seen.count) fields of a name")
          try requireOctets(seen.first, value, "the value")
        }
      }
    },
    Check(
      "080e-trailer-octets",
      "values of trailer fields that are not UTF-8 are handed over octet for octet",
      level: .capability,
      needs: .responseTrailers
    ) { trial in
      let values = randomValues(seed: 80)[0]
      let server = try trial.server { wire in
        while true {
          _ = try wire.readRequest()
          var message =
            Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n".utf8) + [0xc3, 0xe9]
          message += Array("\r\n0\r\n".utf8)
          for (index, value) in values.enumerated() {
            message += Array("\(valueName(index).rawName): ".utf8) + value + [13, 10]
          }
          try wire.send(message + [13, 10])
        }
      }
      let transport = try trial.transport()
      for _ in 1...2 {
        let observation = try await Observation(of: .get("\(server.url)/"), over: transport, trial)
        try require(observation.error == nil && observation.body == [0xc3, 0xe9], "it was \(observation)")
        for (index, value) in values.enumerated() {
          try requireOctets(observation.trailers?[fields: valueName(index)].first?.octets, value, "the value")
        }
      }
    },
    Check(
      "033d-request-trailer-octets",
      "values of trailer fields that are not UTF-8 arrive octet for octet",
      level: .capability,
      needs: .requestTrailers
    ) { trial in
      let values = randomValues(seed: 33)[0]
      let server = try trial.server { wire in
        while true {
          _ = try wire.readRequest()
          try wire.send(okay)
        }
      }
      var trailers = HTTPFields()
      for (index, value) in values.enumerated() {
        trailers.append(HTTPField(name: valueName(index), value: value))
      }
      let body = Request.Body.stream(length: nil, trailers: { [trailers] in trailers }) {
        AsyncStream<Bytes> { continuation in
          continuation.yield("ok")
          continuation.finish()
        }
      }
      _ = try await trial.send(.post("\(server.url)/", body: body), over: try trial.transport())
      let seen = server.requests.last?.trailerOctets ?? []
      try require(seen.count == values.count, "there were \(seen.count) trailer fields")
      for (value, octets) in zip(values, seen) { try requireOctets(octets, value, "the value") }
    },
    http2Check("108n-response-octets", "over HTTP/2, too, values are handed over octet for octet") { trial in
      let values = [[0x63, 0x61, 0x66, 0xe9], [0xc3, 0xa9]] + randomValues(seed: 108)[0]
      let (transport, _, front, url) = try await http2(trial) { wire in
        let peer = try HTTP2Peer(wire)
        let stream = try peer.readHead().stream
        // A status of 200 and literals that are not indexed (RFC 7541 6.2.2).
        var block: [UInt8] = [0x88]
        for (index, value) in values.enumerated() {
          let name = Array(valueName(index).canonicalName.utf8)
          block += [0, UInt8(name.count)] + name + [UInt8(value.count)] + value
        }
        try peer.send(HTTP2Peer.Kind.headers, flags: 5, stream: stream, block)
        try peer.answerAll()
      }
      defer { front.stop() }
      let response = try await trial.send(.get(url), over: transport)
      for (index, value) in values.enumerated() {
        try requireOctets(response.fields[fields: valueName(index)].first?.octets, value, "the value")
      }
    },
    http2Check(
      "108o-request-octets",
      "over HTTP/2, too, a value that is not UTF-8 is sent or refused with a typed error, and others are not affected"
    ) { trial in
      let (transport, _, front, url) = try await http2(trial) { wire in try HTTP2Peer(wire).answerAll() }
      defer { front.stop() }
      for body in [Request.Body.empty, .bytes("content"), streamed] {
        var request = Request.post(url, body: body)
        request.fields.append(HTTPField(name: valueName(0), value: [0x63, 0x61, 0x66, 0xe9]))
        let observation = try await Observation(of: request, over: transport, trial)
        if let error = observation.error as? ExchangeError {
          try require(error.kind == .unsupported, "it was \(observation)")
          try require(error.requestMayHaveBeenSent != true, "it says that the request may have been sent")
        } else {
          try require(observation.response?.status == .ok, "it was \(observation)")
        }
        let next = try await Observation(of: .get(url), over: transport, trial)
        try require(next.error == nil && next.body == Array("ok".utf8), "the next request: \(next)")
      }
    },
  ]

  private static let streamed = Request.Body.stream(length: nil) {
    AsyncStream<Bytes> { continuation in
      for _ in 0..<8 { continuation.yield("content") }
      continuation.finish()
    }
  }

  /// Sends requests with targets of which each must arrive as it is, or be refused unsent.
  static func requireTargets(_ targets: [String], _ trial: Trial) async throws {
    let (transport, authority, seen) = try echo(trial)
    for (index, target) in targets.enumerated() {
      let method: HTTPRequest.Method = [.get, .delete, .options][index % 3]
      let head = HTTPRequest(method: method, scheme: "http", authority: authority, path: target)
      let before = seen()
      let observation = try await Observation(of: Request(head: head), over: transport, trial)
      if let error = observation.error as? ExchangeError {
        try require(
          [.unsupported, .invalidRequest].contains(error.kind) && seen() == before,
          "\(method) \(target): \(observation), \(seen() - before) requests were sent"
        )
      } else {
        let wanted = "\(method) \(target) HTTP/1.1 \(authority)"
        let text = String(decoding: observation.body, as: UTF8.self)
        try require(
          text == wanted,
          "what arrived is \"\(text.prefix(200))\", expected \"\(wanted.prefix(200))\""
        )
      }
    }
  }

  /// A server that answers with the start line of a request and its Host, or a transport without one.
  private static func echo(
    _ trial: Trial
  ) throws -> (transport: any Transport, authority: String, seen: @Sendable () -> Int) {
    let seen = Counter()
    let inProcess = trial.inProcess { request in
      seen.add(1)
      let request = try await SeenRequest(request)
      return Response(.ok, body: .bytes(Bytes("\(request.startLine) \(request.values(of: "Host").joined())")))
    }
    if let inProcess { return (inProcess, "127.0.0.1:8080", { seen.value }) }
    let server = try trial.server { wire in
      while true {
        let request = try wire.readRequest()
        seen.add(1)
        let text = "\(request.startLine) \(request.values(of: "Host").joined())"
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
      }
    }
    return (try trial.transport(), server.authority, { seen.value })
  }

  /// Whether a request is sent; false if it is refused unsent.
  private static func arrives(
    _ request: Request,
    _ trial: Trial,
    _ server: WireServer,
    _ transport: any Transport
  ) async throws -> Bool {
    let before = server.requests.count
    let observation = try await Observation(of: request, over: transport, trial)
    guard let error = observation.error as? ExchangeError else { return true }
    let sent = server.requests.count - before
    try require(
      [.unsupported, .invalidRequest].contains(error.kind) && sent == 0,
      "it was \(observation), and \(sent) requests were sent"
    )
    return false
  }

  private static func valueName(_ index: Int) -> HTTPField.Name {
    // Safe: it is a token.
    HTTPField.Name("X-Value-\(index)")!
  }

  /// Lists of values with all octets that a value may have: Latin-1, UTF-8, characters of the last plane, and noise.
  private static func randomValues(seed: UInt64) -> [[[UInt8]]] {
    let random = SeededRandom(seed: seed)
    let octets = (0x21...0xff as ClosedRange<UInt8>).filter { $0 != 0x7f }
    return (0..<12).map { list in
      [Array("caf\u{e9} \u{10ff80}\u{10ffff}".utf8), [0x63, 0x61, 0x66, 0xe9], [0xf4, 0x8f, 0xbe]]
        + (0..<16).map { _ in
          (0...random.next() % 40).map { _ in octets[Int(random.next() % UInt64(octets.count))] }
        } + [octets[(list * 18)..<min(list * 18 + 24, octets.count)].map(\.self)]
    }
  }

  private static func requireOctets(_ seen: [UInt8]?, _ wanted: [UInt8], _ what: String) throws {
    func shown(_ octets: [UInt8]) -> String { octets.map { String($0, radix: 16) }.joined(separator: " ") }
    try require(seen == wanted, "\(what) is \(seen.map(shown) ?? "missing"), expected \(shown(wanted))")
  }
}
