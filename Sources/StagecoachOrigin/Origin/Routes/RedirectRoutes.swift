#if Tool
  import NIOHTTP1
  import StagecoachCore

  /// Redirections (RFC 9110 15.4): `/redirect/{status}`, `/redirect-chain/{n}`, `/redirect-loop`.
  enum RedirectRoutes {
    static let table: [String: Route] = [
      "/redirect": Route(parameters: 1) { request, _ throws(Refusal) in
        let code = try request.number(0, called: "status", in: 300...399)
        let location = try EchoRoutes.fieldValue(request.query("to") ?? "/echo")
        return redirect(HTTPResponseStatus(statusCode: code), to: location)
      },
      "/redirect-chain": Route(parameters: 1) { request, _ throws(Refusal) in
        let hops = try request.number(0, called: "n", in: 0...1000)
        guard hops > 0 else { return .reply(Reply(json: ["arrived": true])) }
        return redirect(.found, to: "/redirect-chain/\(hops - 1)")
      },
      "/redirect-loop": Route { _, _ in redirect(.found, to: "/redirect-loop") },
    ]

    private static func redirect(_ status: HTTPResponseStatus, to location: String) -> Outcome {
      var reply = Reply(status, text: "see \(location)\n")
      reply.fields.add(name: "Location", value: location)
      return .reply(reply)
    }
  }
#endif
