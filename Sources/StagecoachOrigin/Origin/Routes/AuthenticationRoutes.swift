#if Tool
  import NIOHTTP1
  import StagecoachCore

  /// Challenges: `/basic-auth/{user}/{password}` (RFC 7617), `/proxy-auth/{user}/{password}` (RFC 9110 11.7),
  /// `/bearer/{token}` (RFC 6750).
  enum AuthenticationRoutes {
    static let table: [String: Route] = [
      "/basic-auth": Route(parameters: 2) { request, _ in basic(request, asks: .origin) },
      "/proxy-auth": Route(parameters: 2) { request, _ in basic(request, asks: .proxy) },
      "/bearer": Route(parameters: 1) { request, _ in
        guard let token = credentials(of: request, scheme: "bearer", for: .origin) else {
          return challenge(by: .origin, #"Bearer realm="origin""#)
        }
        guard token == request.parameter(0) else {
          return challenge(by: .origin, #"Bearer realm="origin", error="invalid_token""#)
        }
        return .reply(Reply(json: ["authenticated": true]))
      },
    ]

    /// The peer that asks for credentials: the origin, or the origin acting as a proxy.
    enum Asker {
      case origin, proxy

      var status: HTTPResponseStatus { self == .origin ? .unauthorized : .proxyAuthenticationRequired }
      var challenge: String { self == .origin ? "WWW-Authenticate" : "Proxy-Authenticate" }
      var credentials: String { self == .origin ? "Authorization" : "Proxy-Authorization" }
    }

    private static func basic(_ request: IncomingRequest, asks asker: Asker) -> Outcome {
      let user = request.parameter(0)
      let wanted = String(decoding: Base64.encode("\(user):\(request.parameter(1))".utf8), as: UTF8.self)
      guard credentials(of: request, scheme: "basic", for: asker) == wanted else {
        return challenge(by: asker, #"Basic realm="origin", charset="UTF-8""#)
      }
      return .reply(Reply(json: ["authenticated": true, "user": .string(user)]))
    }

    /// Returns the text after the scheme in the field for credentials, if the scheme matches (RFC 9110 11.4).
    private static func credentials(of request: IncomingRequest, scheme: String, for asker: Asker) -> String?
    {
      guard let field = request.head.headers.first(name: asker.credentials) else { return nil }
      let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
      return String(parts[1])
    }

    static func challenge(by asker: Asker, _ value: String) -> Outcome {
      var reply = Reply(asker.status, text: "credentials needed\n")
      reply.fields.add(name: asker.challenge, value: value)
      return .reply(reply)
    }
  }
#endif
