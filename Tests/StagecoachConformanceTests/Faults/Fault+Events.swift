#if AsyncHTTPClient
  import HTTPTypes
  @testable import StagecoachCore

  extension Fault {
    /// Events.
    static let events: [Fault] = [
      .event("requestSent is not emitted", noticedBy: ["111": "the events are"]) {
        if case .requestSent = $0 { [] } else { [$0] }
      },
      .event("requestHeadSent is not emitted", noticedBy: ["111": "the events are"]) {
        if case .requestHeadSent = $0 { [] } else { [$0] }
      },
      .event("requestSent is emitted twice", noticedBy: ["111": "the events are"]) {
        if case .requestSent = $0 { [$0, $0] } else { [$0] }
      },
      .event("requestSent is emitted before requestHeadSent", noticedBy: ["111": "the events are"]) {
        switch $0 {
        case .requestHeadSent: [.requestSent, $0]
        case .requestSent: []
        default: [$0]
        }
      },
      .event("requestFailed is emitted for a request that was sent", noticedBy: ["111": "request failed"]) {
        if case .requestSent = $0 { [.requestFailed] } else { [$0] }
      },
      .event("events of connections are not emitted", noticedBy: ["111": "the events are"]) {
        if case .connection = $0 { [] } else { [$0] }
      },
      .event("the event of a connection differs from the response", noticedBy: ["111": "and the response"]) {
        guard case .connection(.acquired(var connection)) = $0 else { return [$0] }
        connection.isReused?.toggle()
        return [.connection(.acquired(connection))]
      },
      .event("the progress of a body does not reach its length", noticedBy: ["111": "its length is 5"]) {
        guard case .requestBodyProgress(_, let length) = $0 else { return [$0] }
        return [.requestBodyProgress(bytes: 1, of: length)]
      },
      .event("the progress of a body goes back", noticedBy: ["111": "the progress of the body is [5, 2"]) {
        guard case .requestBodyProgress(let bytes, let length) = $0, bytes == 2 else { return [$0] }
        return [.requestBodyProgress(bytes: 5, of: length), $0]
      },
      informational(
        "informational responses are not emitted",
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
      // The transport without a fault does not declare them.
      fault.declare = { $0.insert(.informationalResponses) }
      return fault
    }
  }

  extension Request {
    /// Passes the events of the transport through a closure before the monitors of the exchange receive them.
    fileprivate mutating func changeEvents(_ change: @escaping @Sendable (Event.Kind) -> [Event.Kind]) {
      guard let real = exchange, real.isObserved else { return }
      let monitor = HandlerMonitor { event in
        if case .requestSent = event.kind { real.markRequestSent() }
        for kind in change(event.kind) {
          real.deliver(kind, hop: Int32(event.hop), attempt: Int32(event.attempt))
        }
      }
      exchange = Exchange(
        clock: real.clock,
        randomNumberGenerator: real.randomNumberGenerator,
        monitors: [monitor],
        background: real.background
      )
    }
  }
#endif
