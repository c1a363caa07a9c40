import Stagecoach
import StagecoachConformance
import Synchronization

/// What the two servers of a lane do, which follows the input that the lane is at: the hostile one sends the mutated
/// replies, the honest one redirects to it, or sends a reply that is as it should be, whole or cut.
final class LaneScript: Sendable {
  private struct State {
    var input: Input?
    var replied = 0
    var target = ""
  }

  private let state = Mutex(State())

  /// How long a hostile connection waits for more requests; what is incomplete is broken off then.
  private static let patience = Duration.milliseconds(30)

  /// - Parameter target: Where redirects lead, without the path.
  func begin(_ input: Input, redirectsTo target: String) {
    state.withLock { $0 = State(input: input, target: target) }
  }

  private var input: Input? { state.withLock { $0.input } }

  private func nextReply() -> Reply? {
    state.withLock { state in
      guard let input = state.input, !input.replies.isEmpty else { return nil }
      defer { state.replied += 1 }
      return input.replies[min(state.replied, input.replies.count - 1)]
    }
  }

  // MARK: HTTP/1.1

  func serve(_ wire: WireConnection, isHonest: Bool) throws {
    if !isHonest, input?.route == .socks { try speakSOCKS(on: wire) }
    while true {
      let request = try wire.readHead()
      if request.method == "PRI" { return try serveHTTP2(wire, isHonest: isHonest) }
      if request.method == "CONNECT" {
        try send(input?.opening ?? [], on: wire)
        if request.target.hasSuffix(":443") {
          // In place of TLS.
          guard let reply = nextReply(), try play(reply, on: wire) else { return }
        }
        guard try wire.hasBytes(within: Self.patience) else { return }
        continue
      }
      let isEarly = input?.repliesEarly ?? false
      if !isEarly { try wire.readBody() }
      if isHonest, let location = redirection {
        try wire.send("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
      } else {
        guard let reply = nextReply(), try play(reply, on: wire) else { return }
      }
      if isEarly { try wire.readBody() }
      guard try isHonest || wire.hasBytes(within: Self.patience) else { return }
    }
  }

  private var redirection: String? {
    state.withLock { state in
      guard let input = state.input, input.route == .redirected else { return nil }
      return "\(state.target)/\(input.number)"
    }
  }

  /// Answers whatever a client sends: the greeting, and where it wants to go.
  private func speakSOCKS(on wire: WireConnection) throws {
    for part in input?.opening ?? [] {
      guard try !wire.readSome(within: Self.patience).isEmpty else { throw WireError.timedOut }
      try send([part], on: wire)
    }
    guard try wire.hasBytes(within: Self.patience) else { throw WireError.timedOut }
  }

  // MARK: HTTP/2

  /// Goes on behind the first line of the preface.
  private func serveHTTP2(_ wire: WireConnection, isHonest: Bool) throws {
    _ = try wire.read(6)
    try send(input?.opening ?? [], on: wire)
    var hasReplied = false
    while true {
      guard try isHonest || !hasReplied || wire.hasBytes(within: Self.patience) else { return }
      let head = try wire.read(9)
      let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
      let stream = head[5...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let payload = try wire.read(length)
      let isAnswer = head[4] & Frame.endStream != 0
      switch head[3] {
      case Frame.Kind.settings where !isAnswer:
        try send([Part(frame: Frame(type: Frame.Kind.settings, flags: 1, stream: 0))], on: wire)
      case Frame.Kind.ping where !isAnswer:
        try send([Part(frame: Frame(type: Frame.Kind.ping, flags: 1, stream: 0, payload: payload))], on: wire)
      case Frame.Kind.headers:
        guard let reply = nextReply(), try play(reply, on: wire, stream: stream) else { return }
        hasReplied = true
      default: break
      }
    }
  }

  // MARK: Sending

  /// - Returns: Whether the connection stays.
  private func play(_ reply: Reply, on wire: WireConnection, stream: UInt32 = 1) throws -> Bool {
    try send(reply.parts, on: wire, stream: stream)
    switch reply.end {
    case .keep: return true
    case .close: break
    case .reset: wire.reset()
    case .halfClose:
      wire.halfClose()
      wire.pause(Self.patience)
    }
    return false
  }

  private func send(_ parts: [Part], on wire: WireConnection, stream: UInt32 = 1) throws {
    for part in parts {
      if let pause = part.pause { wire.pause(.milliseconds(pause)) }
      let octets = part.octets(on: stream)
      if !octets.isEmpty { try wire.send(octets) }
    }
  }
}
