import StagecoachCore
import StagecoachOrigin

extension Check {
  /// The way a server ends in the middle of a body.
  private struct Cut: Sendable {
    let what: String
    /// Whether the connection stays open on the side of the server.
    var holds = true
    let act: @Sendable (HTTP2Peer, Int) throws -> Void
  }

  /// The ends of streams that are not END_STREAM: errors of the connection (RFC 9113 5.4.1), errors of the stream
  /// (5.4.2), and ends of the connection.
  private static let cuts = [
    Cut(what: "padding beyond the frame") {
      try $0.send(HTTP2Peer.Kind.data, flags: 8, stream: $1, [200] + Array("abc".utf8))
    },
    Cut(what: "DATA on stream 0") { peer, _ in try peer.send(HTTP2Peer.Kind.data, stream: 0, [0x61]) },
    Cut(what: "a frame over the limit") {
      try $0.send(HTTP2Peer.Kind.data, stream: $1, [UInt8](repeating: 0x61, count: 16_385))
    },
    Cut(what: "SETTINGS on a stream") { try $0.send(HTTP2Peer.Kind.settings, stream: $1) },
    Cut(what: "a window of more than 2^31-1 octets") { peer, _ in try peer.updateWindow(0, by: 0x7fff_ffff) },
    Cut(what: "CONTINUATION of nothing") { try $0.send(HTTP2Peer.Kind.continuation, flags: 4, stream: $1) },
    Cut(what: "trailer fields without END_STREAM") {
      try $0.send(HTTP2Peer.Kind.headers, flags: 4, stream: $1, [0, 1, 0x78, 1, 0x79])
    },
    Cut(what: "RST_STREAM of CANCEL") { try $0.reset($1, code: 8) },
    Cut(what: "GOAWAY of NO_ERROR and the end", holds: false) { try $0.goAway(last: $1) },
    Cut(what: "GOAWAY of PROTOCOL_ERROR and the end", holds: false) { try $0.goAway(last: $1, code: 1) },
    Cut(what: "GOAWAY that leaves the stream out") { peer, _ in try peer.goAway(last: 0) },
    Cut(what: "the end of the connection", holds: false) { _, _ in },
  ]

  /// Behind a part of a body, and behind none.
  private static func requireIncomplete(_ cuts: [Cut], _ trial: Trial) async throws {
    var wrong: [String] = []
    for cut in cuts {
      for pieces in [["abc"], []] {
        let (transport, _, front, url) = try await http2(trial) { wire in
          let peer = try HTTP2Peer(wire)
          let stream = try peer.readHead().stream
          try peer.send(HTTP2Peer.Kind.headers, flags: 4, stream: stream, [0x88])
          for piece in pieces { try peer.send(HTTP2Peer.Kind.data, stream: stream, Array(piece.utf8)) }
          wire.pause(.milliseconds(50))
          try cut.act(peer, stream)
          // A client that detects a connection error reports it, and the peer closes the connection.
          if cut.holds { while try peer.readFrame().type != HTTP2Peer.Kind.goAway {} }
        }
        defer { front.stop() }
        var request = Request.get(url)
        request.options.idleTimeout = .seconds(5)
        let observation = try await Observation(of: request, over: transport, trial)
        let kind = (observation.error as? ExchangeError)?.kind
        let isTold = kind == .incompleteBody || kind == .connectionReset
        if observation.response == nil || !isTold {
          wrong.append("\(cut.what), behind \(pieces): \(observation)")
        }
      }
    }
    try require(
      wrong.isEmpty,
      "expected incompleteBody or connectionReset, but it was: \(wrong.joined(separator: "; "))"
    )
  }

  /// Bodies over HTTP/2 whose stream does not end by END_STREAM.
  static let http2CutChecks: [Check] = [
    http2Check("108k-cut-bodies", "a body whose stream does not end by END_STREAM is incomplete") {
      try await requireIncomplete(cuts, $0)
    },
    http2Check("108l-reset-without-an-error", "RST_STREAM of NO_ERROR does not complete a body") {
      try await requireIncomplete([Cut(what: "RST_STREAM of NO_ERROR") { try $0.reset($1, code: 0) }], $0)
    },
  ]
}
