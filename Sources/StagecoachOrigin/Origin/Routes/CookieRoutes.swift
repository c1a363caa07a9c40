#if Tool
  import NIOHTTP1
  import StagecoachCore

  /// Cookies (RFC 6265): `/cookies`, `/cookies/set`, `/cookies/delete`.
  enum CookieRoutes {
    static let table: [String: Route] = [
      "/cookies": Route { request, _ in
        .reply(Reply(json: ["cookies": .pairs(cookies(of: request))]))
      },
      "/cookies/set": Route { request, _ throws(Refusal) in
        try reply(to: request) { name, value in "\(name)=\(value); Path=/" }
      },
      "/cookies/delete": Route { request, _ throws(Refusal) in
        try reply(to: request) { name, _ in "\(name)=; Path=/; Max-Age=0" }
      },
    ]

    private static func cookies(of request: IncomingRequest) -> [(name: String, value: String)] {
      request.head.headers["Cookie"].flatMap { $0.split(separator: ";") }.map { pair in
        let trimmed = pair.drop { $0 == " " }
        let parts = trimmed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
      }
    }

    private static func reply(
      to request: IncomingRequest,
      _ line: (String, String) -> String
    ) throws(Refusal) -> Outcome {
      let items = request.target.queryItems
      var reply = Reply(json: ["set": .pairs(items)])
      for (name, value) in items {
        guard !name.isEmpty, !(name + value).contains(";") else {
          throw Refusal("'\(name)' is not a valid cookie")
        }
        reply.fields.add(name: "Set-Cookie", value: try EchoRoutes.fieldValue(line(name, value)))
      }
      return .reply(reply)
    }
  }
#endif
