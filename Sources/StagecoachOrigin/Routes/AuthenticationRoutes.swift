#if Tool
  import NIOHTTP1

  /// Challenges: `/basic-auth/{user}/{password}` (RFC 7617), `/bearer/{token}` (RFC 6750).
  enum AuthenticationRoutes {
    static let table: [String: Route] = [
      "/basic-auth": Route(parameters: 2) { request, state in
        let user = request.parameter(0)
        let wanted = Base64.encode("\(user):\(request.parameter(1))".utf8)
        guard credentials(of: request, scheme: "basic") == wanted, state.fault != .rejectsCredentials else {
          return challenge(#"Basic realm="origin", charset="UTF-8""#)
        }
        return .reply(Reply(json: ["authenticated": true, "user": .string(user)]))
      },
      "/bearer": Route(parameters: 1) { request, state in
        guard let token = credentials(of: request, scheme: "bearer") else {
          return challenge(#"Bearer realm="origin""#)
        }
        guard token == request.parameter(0), state.fault != .rejectsCredentials else {
          return challenge(#"Bearer realm="origin", error="invalid_token""#)
        }
        return .reply(Reply(json: ["authenticated": true]))
      },
    ]

    /// What follows the scheme in the Authorization field (RFC 9110 11.4), if the scheme is this one.
    private static func credentials(of request: IncomingRequest, scheme: String) -> String? {
      guard let field = request.head.headers.first(name: "Authorization") else { return nil }
      let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
      return String(parts[1])
    }

    private static func challenge(_ value: String) -> Outcome {
      var reply = Reply(.unauthorized, text: "credentials needed\n")
      reply.fields.add(name: "WWW-Authenticate", value: value)
      return .reply(reply)
    }
  }
#endif
