#if AsyncHTTPClient
  import HTTPTypes
  @testable import Stagecoach

  extension Fault {
    /// What is told of an exchange.
    static let events: [Fault] = [
      .event("the end of a request is not told", noticedBy: ["111": "the events are"]) {
        if case .requestSent = $0 { [] } else { [$0] }
      },
      .event("the head of a request is not told", noticedBy: ["111": "the events are"]) {
        if case .requestHeadSent = $0 { [] } else { [$0] }
      },
      .event("the end of a request is told twice", noticedBy: ["111": "the events are"]) {
        if case .requestSent = $0 { [$0, $0] } else { [$0] }
      },
      .event("the end of a request is told before its head", noticedBy: ["111": "the events are"]) {
        switch $0 {
        case .requestHeadSent: [.requestSent, $0]
        case .requestSent: []
        default: [$0]
        }
      },
      .event("a request that was sent is told to have failed", noticedBy: ["111": "request failed"]) {
        if case .requestSent = $0 { [.requestFailed] } else { [$0] }
      },
      .event("the connection is not told", noticedBy: ["111": "the events are"]) {
        if case .connection = $0 { [] } else { [$0] }
      },
      .event("the event tells of another connection", noticedBy: ["111": "and the response"]) {
        guard case .connection(.acquired(var connection)) = $0 else { return [$0] }
        connection.isReused?.toggle()
        return [.connection(.acquired(connection))]
      },
      .event("the progress of a body is that of its last chunk", noticedBy: ["111": "its length is 5"]) {
        guard case .requestBodyProgress(_, let length) = $0 else { return [$0] }
        return [.requestBodyProgress(bytes: 1, of: length)]
      },
      .event("the progress of a body goes back", noticedBy: ["111": "the progress of the body is [5, 2"]) {
        guard case .requestBodyProgress(let bytes, let length) = $0, bytes == 2 else { return [$0] }
        return [.requestBodyProgress(bytes: 5, of: length), $0]
      },
      informational(
        "informational responses are not told",
        noticedBy: ["077c": "what was told is [200]"]
      ) { _ in [] },
      informational(
        "an informational response has no fields",
        noticedBy: ["077c": "the Link of 103 is missing"]
      ) { [.informationalResponse(HTTPResponse(status: $0.status))] },
    ]

    private static func event(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      _ change: @escaping @Sendable (Event.Kind) -> [Event.Kind]
    ) -> Fault {
      request(name, noticedBy: checks) { $0.changeEvents(change) }
    }

    private static func informational(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      _ change: @escaping @Sendable (HTTPResponse) -> [Event.Kind]
    ) -> Fault {
      var fault = event(name, noticedBy: checks) {
        if case .informationalResponse(let head) = $0 { change(head) } else { [$0] }
      }
      // Without a fault, too, they are not told in all cases.
      fault.declare = { $0.insert(.informationalResponses) }
      return fault
    }
  }

  extension Request {
    /// Has the events of the transport go through a closure on their way to those who observe the exchange.
    fileprivate mutating func changeEvents(_ change: @escaping @Sendable (Event.Kind) -> [Event.Kind]) {
      guard let real = exchange, real.isObserved else { return }
      let monitor = HandlerMonitor { event in
        if case .requestSent = event.kind { real.markRequestSent() }
        for kind in change(event.kind) {
          real.deliver(kind, hop: Int32(event.hop), attempt: Int32(event.attempt))
        }
      }
      exchange = Exchange(
        time: real.time,
        random: real.random,
        monitors: [monitor],
        background: real.background
      )
    }
  }
#endif
