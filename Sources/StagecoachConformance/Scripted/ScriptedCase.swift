import HTTPTypes
import StagecoachCore
import Synchronization

/// One case of a scripted check: a server, the requests that are sent to it in order over one transport, and what
/// has to be seen.
struct ScriptedCase: Sendable {
  private enum Server {
    /// One script for each connection.
    case connections([[WireStep]], repeats: Bool)
    /// Every request is read and answered, the first with the first text, and further ones with the last.
    case responses([String])
  }

  private struct Step {
    let request: ScriptedRequest
    let expectation: Expectation
    let pause: Duration
  }

  let name: String
  private let host: String
  private let server: Server
  private let steps: [Step]
  private let sightings: [Sighting]
  /// Whether the server may have seen fewer requests, because some were refused.
  private let mayBeUnsent: Bool
  private let connectionCounts: [Int]

  init(_ json: JSONValue) throws {
    try json.refuseOthers(than: [
      "name", "host", "connections", "repeats", "respond", "request", "expect", "exchanges", "saw",
      "sawIfSent",
      "connectionCount",
    ])
    for (one, other) in [
      ("connections", "respond"), ("exchanges", "request"), ("exchanges", "expect"), ("saw", "sawIfSent"),
    ] where json[one] != nil && json[other] != nil {
      throw ScriptError("\"\(other)\" means nothing beside \"\(one)\"")
    }
    name = try json.text("name") ?? ""
    host = try json.text("host") ?? "127.0.0.1"
    if let scripts = try json.items("connections") {
      let parsed = try scripts.map { script in
        guard let steps = script.arrayValue else { throw ScriptError("\(script) must be an array of steps") }
        return try steps.map { try WireStep($0) }
      }
      server = .connections(parsed, repeats: try json.flag("repeats") ?? false)
    } else {
      guard json["repeats"] == nil else { throw ScriptError("\"repeats\" means nothing without connections") }
      server = .responses(try json["respond"]?.texts() ?? ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"])
    }
    steps = try (json.items("exchanges") ?? [json]).map { exchange in
      if json["exchanges"] != nil { try exchange.refuseOthers(than: ["request", "expect", "pause"]) }
      return Step(
        request: try ScriptedRequest(exchange["request"] ?? [:]),
        expectation: try Expectation(exchange["expect"] ?? [:]),
        pause: .milliseconds(try exchange.number("pause") ?? 0)
      )
    }
    mayBeUnsent = json["sawIfSent"] != nil
    sightings = try (json.items("saw") ?? json.items("sawIfSent") ?? []).map { try Sighting($0) }
    connectionCounts = try json["connectionCount"]?.numbers() ?? []
  }

  func run(_ trial: Trial) async throws {
    if case .responses(let responses) = server, let seen = try await runInProcess(trial, responses) {
      return try judge(seen, connections: nil, trial)
    }
    let transport = try trial.transport()
    let wire = try makeServer(trial)
    for step in steps {
      if step.pause > .zero { try await Task.sleep(for: step.pause) }
      try await play(step, trial, over: transport, authority: wire.authority)
    }
    // The server may notice something later than the client.
    let count = mayBeUnsent ? 0 : sightings.count
    _ = try await wire.wait(within: .seconds(2)) { $0.reduce(0) { $0 + $1.requests.count } >= count }
    if case .connections(let scripts, _) = server {
      _ = try await wire.wait(within: .seconds(2)) { logs in
        logs.count >= scripts.count && logs.allSatisfy { $0.end != nil }
      }
      try judge(wire.connections)
    }
    try judge(wire.requests, connections: wire.connections.count, trial)
  }

  private func makeServer(_ trial: Trial) throws -> WireServer {
    switch server {
    case .connections(let scripts, let repeats):
      return try trial.server(host: host, playing: scripts, repeats: repeats)
    case .responses(let responses):
      let answered = Counter()
      return try trial.server(host: host) { wire in
        while true {
          _ = try wire.readRequest()
          try wire.send(responses[min(answered.next(), responses.count - 1)])
        }
      }
    }
  }

  private func play(
    _ step: Step,
    _ trial: Trial,
    over transport: any Transport,
    authority: String
  ) async throws {
    let result = try await Observation(of: step.request.made(for: authority), over: transport, trial)
    try step.expectation.judge(result, of: trial.capabilities)
  }

  private func runInProcess(_ trial: Trial, _ responses: [String]) async throws -> [SeenRequest]? {
    let answered = Counter()
    let seen = Mutex<[SeenRequest]>([])
    let transport = trial.inProcess { request in
      let sight = try await SeenRequest(request)
      seen.withLock { $0.append(sight) }
      return try Response(wire: responses[min(answered.next(), responses.count - 1)])
    }
    guard let transport else { return nil }
    for step in steps { try await play(step, trial, over: transport, authority: "127.0.0.1:8080") }
    return seen.withLock { $0 }
  }

  /// Checks the expectations of the script itself.
  private func judge(_ connections: [WireLog]) throws {
    for log in connections {
      switch log.end {
      case .failed(.unexpected(let what)): throw CheckFailure("connection \(log.index): \(what)")
      case .failed(.timedOut):
        throw CheckFailure("connection \(log.index): the peer did not do what was waited for")
      default: break
      }
    }
  }

  private func judge(_ seen: [SeenRequest], connections: Int?, _ trial: Trial) throws {
    try require(
      mayBeUnsent || seen.count >= sightings.count,
      "the server saw \(seen.count) requests, expected \(sightings.count)"
    )
    for (index, (sighting, request)) in zip(sightings, seen).enumerated() {
      do {
        try sighting.judge(request, addedFields: trial.subject.addedFields)
      } catch let failure as CheckFailure {
        throw CheckFailure("request \(index): \(failure)")
      }
    }
    // Other connections get no response: a transport that sends additional requests, for example because of a redirect
    // or a challenge, is detected even if the responses would be the same.
    if case .responses = server, !mayBeUnsent, !steps.contains(where: { $0.expectation.mayFail }) {
      try require(
        seen.count == steps.count,
        "the server saw \(seen.count) requests, \(steps.count) were sent: \(seen.map(\.startLine))"
      )
    }
    if let connections, !connectionCounts.isEmpty {
      try require(
        connectionCounts.contains(connections),
        "there were \(connections) connections, expected \(connectionCounts)"
      )
    }
  }
}

/// Counts from 0.
final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }

  func add(_ number: Int) {
    count.withLock { $0 += number }
  }

  var value: Int { count.withLock { $0 } }
}
