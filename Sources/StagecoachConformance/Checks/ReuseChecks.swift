import HTTPTypes
import StagecoachCore
import StagecoachOrigin
import Synchronization

extension Check {
  /// Which connections are used again, and which must not be.
  static let reuseChecks: [Check] = [
    Check(
      "084b-discarded-bodies",
      "a small body that is discarded leaves its connection for the next request, and a large one ends it"
    ) { trial in
      let server = try trial.server { wire in
        while true {
          let target = try wire.readRequest().target
          guard target == "/large" else {
            try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(target.utf8.count)\r\n\r\n\(target)")
            continue
          }
          try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(256 << 20)\r\n\r\n")
          let block = [UInt8](repeating: 65, count: 1 << 20)
          for _ in 0..<256 { try wire.send(block) }
        }
      }
      let transport = try trial.transport()
      let small = try await trial.send(.get("\(server.url)/small"), over: transport)
      try require(await small.body.discard(within: patience), "a small body was not read to its end")
      try await requireNext(trial, server, transport)
      try require(server.connections.count == 1, "a small body cost its connection")
      let large = try await trial.send(.get("\(server.url)/large"), over: transport)
      try require(await !large.body.discard(within: patience), "all of a large body was read")
      try await requireNext(trial, server, transport)
      let ended = try await server.wait { $0.first?.wasEndedByPeer == true }
      try require(ended, "the peer still sends the large body")
    },
    Check(
      "086b-unsolicited-bytes-over-tls",
      "under TLS, too, a connection with unsolicited bytes is not used again",
      needs: .customRoots
    ) { trial in
      let server = try trial.server(speaksUnasked)
      let front = try await front(of: server)
      defer { front.stop() }
      let roots = try roots()
      let transport = try trial.transport { $0.trust.roots = roots }
      try await requireUnmoved(trial, server, transport, "https://localhost:\(front.port)/")
    },
    Check(
      "086c-unsolicited-bytes-of-a-proxy",
      "from a proxy, too, a connection with unsolicited bytes is not used again",
      level: .capability,
      needs: .httpProxies
    ) { trial in
      let server = try trial.server(speaksUnasked)
      let proxy = Proxy(.http, host: "127.0.0.1", port: server.port)
      let transport = try trial.transport { $0.connections.proxy = .server(proxy) }
      try await requireUnmoved(trial, server, transport, "http://stagecoach.invalid/")
    },
    Check("089b-schemes", "a connection of http is not used for https to the same port") { trial in
      let first = Mutex<UInt8?>(nil)
      let server = try trial.server { wire in
        if wire.index == 0 { return try echoesTarget(wire) }
        let bytes = try wire.readSome(within: .seconds(5))
        first.withLock { $0 = $0 ?? bytes.first }
      }
      let transport = try trial.transport()
      _ = try await trial.send(.get("\(server.url)/plain"), over: transport).body.collect(upTo: 100)
      let secret = Request.get("https://\(server.authority)/secret")
      let error = try await trial.failure(of: secret, over: transport)
      try require(error.requestMayHaveBeenSent != true, "it says that the request may have been sent")
      let targets = server.requests.map(\.target)
      try require(targets == ["/plain"], "\(targets) were asked for in the clear")
      // The record of a handshake (RFC 8446 5.1).
      try require(first.withLock { $0 } == 0x16, "the connection for https did not begin with a handshake")
    },
  ]

  private static func requireNext(
    _ trial: Trial,
    _ server: WireServer,
    _ transport: any Transport
  ) async throws {
    let next = try await trial.send(.get("\(server.url)/next"), over: transport)
    let text = String(decoding: try await next.body.collect(upTo: 1 << 20))
    try require(text == "/next", "the next body is \(text.prefix(100))")
  }

  private static let unasked = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"

  /// Answers one request, and on the first connection sends another, unsolicited response; a tunnel leads to itself.
  private static let speaksUnasked: @Sendable (WireConnection) throws -> Void = { wire in
    while try wire.readHead().method == "CONNECT" { try wire.send("HTTP/1.1 200 OK\r\n\r\n") }
    if wire.index == 0 {
      try wire.send(okay)
      wire.pause(.milliseconds(50))
      try wire.send(unasked)
    } else {
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext")
    }
    try wire.hold()
  }

  /// Throws if the unsolicited response is used for the next request.
  private static func requireUnmoved(
    _ trial: Trial,
    _ server: WireServer,
    _ transport: any Transport,
    _ url: String
  ) async throws {
    _ = try await trial.send(.get(url), over: transport).body.collect(upTo: 100)
    let length = okay.utf8.count + unasked.utf8.count
    let came = try await server.wait { ($0.first?.sent ?? 0) >= length }
    try require(came, "the server did not get to speak unasked")
    // It was sent, and has to arrive.
    try await Task.sleep(for: .milliseconds(100))
    var request = Request.get(url)
    request.options.headTimeout = .seconds(5)
    let next = try await Observation(of: request, over: transport, trial)
    let kind = (next.error as? ExchangeError)?.kind
    let isAnswered = next.error == nil && next.body == Array("next".utf8)
    try require(
      isAnswered || kind == .connectionReset || kind == .protocolViolation,
      "it was \(next): \(String(decoding: next.body, as: UTF8.self))"
    )
  }
}
