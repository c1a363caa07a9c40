import HTTPTypes
import StagecoachCore
import Synchronization

extension Check {
  /// The events that a transport emits.
  static let eventChecks: [Check] = [
    Check(
      "111-events",
      "the events of a request come once and in order, before the response, with correct values"
    ) { trial in
      let server = try trial.server { wire in
        while true {
          _ = try wire.readRequest()
          try wire.send(okay)
        }
      }
      let events = Mutex<[Event.Kind]>([])
      let monitor = HandlerMonitor { event in events.withLock { $0.append(event.kind) } }
      let client = try Client(
        Pipeline(over: try trial.transport(), stages: []),
        configuration: .init(monitors: [monitor])
      )
      for chunks in [[], ["he", "llo"]] {
        events.withLock { $0 = [] }
        var request = Request.get("\(server.url)/")
        if !chunks.isEmpty {
          request = .post("\(server.url)/")
          request.body = .stream(length: 5) {
            AsyncStream<Bytes> { continuation in
              for chunk in chunks { continuation.yield(Bytes(chunk)) }
              continuation.finish()
            }
          }
        }
        let response = try await client.send(request)
        _ = try await response.body.collect(upTo: 100)
        let isTimed = response.request?.exchange?.timings.requestSent != nil
        let emitted = EmittedEvents(events.withLock { $0 })
        try emitted.requireOrder(isTimed: isTimed, connection: response.connection)
        try emitted.requireProgress(of: chunks.isEmpty ? 0 : 5)
      }
    }
  ]
}

/// The events of one exchange.
private struct EmittedEvents {
  private var order: [String] = []
  private var progress: [Int64] = []
  private var acquired: [ConnectionInfo] = []

  init(_ kinds: [Event.Kind]) {
    for kind in kinds {
      switch kind {
      case .connection(.acquired(let connection)):
        acquired.append(connection)
        order.append("connection acquired")
      case .requestHeadSent: order.append("head sent")
      case .requestBodyProgress(let bytes, _): progress.append(bytes)
      case .requestSent: order.append("request sent")
      case .requestFailed: order.append("request failed")
      case .responseHeadReceived: order.append("response head")
      default: break
      }
    }
  }

  /// - Parameters:
  ///   - isTimed: Whether the transport noted when the request was sent: then it has to emit the events too.
  ///   - connection: The connection that the response names.
  func requireOrder(isTimed: Bool, connection: ConnectionInfo?) throws {
    var wanted = ["connection acquired", "head sent", "request sent", "response head"]
    if connection == nil { wanted.removeFirst() }
    if !isTimed { wanted.removeAll { !order.contains($0) } }
    let seen = connection == nil ? order.filter { $0 != "connection acquired" } : order
    try require(seen == wanted, "the events are \(seen), expected \(wanted)")
    guard let connection else { return }
    try require(
      acquired.first?.isReused == connection.isReused,
      "the event has \(acquired.first as Any) and the response \(connection)"
    )
  }

  func requireProgress(of length: Int64) throws {
    try require(progress == progress.sorted(), "the progress of the body is \(progress)")
    try require(
      progress.isEmpty || progress.last == length,
      "the progress of the body is \(progress), its length is \(length)"
    )
  }
}
