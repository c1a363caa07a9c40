#if Tool
  import NIOCore
  import NIOHTTP1
  import StagecoachCore

  /// Late answers and interim ones: `/delay/{ms}`, `/early-hints`, `/retry/{n}`.
  enum TimingRoutes {
    static let table: [String: Route] = [
      "/delay": Route(parameters: 1) { request, _ throws(Refusal) in
        let time = try request.number(0, called: "ms", in: 0...600_000)
        var reply = Reply(json: ["delay": .number(time)])
        reply.delay = .milliseconds(Int64(time))
        return .reply(reply)
      },
      "/early-hints": Route { request, _ in
        var reply = Reply(json: ["hinted": true])
        // HTTP/1.0 has no interim responses (RFC 9110 15.2).
        if request.head.version != .http1_0 {
          let links: HTTPHeaders = ["Link": "</style.css>; rel=preload; as=style"]
          let status = HTTPResponseStatus.custom(code: 103, reasonPhrase: "Early Hints")
          reply.interim = [HTTPResponseHead(version: .http1_1, status: status, headers: links)]
        }
        return .reply(reply)
      },
      "/retry": Route(parameters: 1) { request, state throws(Refusal) in
        let failures = try request.number(0, called: "n", in: 0...1000)
        let after = try request.number("after", default: 0, in: 0...86_400)
        guard let attempt = state.countAttempt(request.query("key") ?? "") else {
          throw Refusal(.insufficientStorage, "more than \(OriginState.retryKeyLimit) keys")
        }
        let count: JSONValue = ["attempt": .number(attempt)]
        guard attempt <= failures else { return .reply(Reply(json: count)) }
        var reply = Reply(.serviceUnavailable, json: count)
        reply.fields.add(name: "Retry-After", value: "\(after)")
        return .reply(reply)
      },
    ]
  }
#endif
