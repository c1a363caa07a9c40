#if Tool
  import NIOHTTP1

  /// The handling of requests to one path.
  struct Route: Sendable {
    /// The handling of the request body.
    enum Intake: Sendable {
      case discard
      /// Keep it, up to a limit.
      case collect
      case checksum
      /// Like `checksum`, and read at the rate that the query gives.
      case slow
    }

    /// The number of path segments after the name.
    let parameterCount: Int
    let intake: Intake
    let answer: @Sendable (IncomingRequest, OriginState) throws(Refusal) -> Outcome

    init(
      parameters: Int = 0,
      intake: Intake = .discard,
      _ answer: @escaping @Sendable (IncomingRequest, OriginState) throws(Refusal) -> Outcome
    ) {
      parameterCount = parameters
      self.intake = intake
      self.answer = answer
    }
  }

  /// Finds the route for a path.
  enum Router {
    private static let routes: [String: Route] = {
      let tables = [
        EchoRoutes.table, SampleRoutes.table, TextRoutes.table, CompressionRoutes.table, StreamRoutes.table,
        UploadRoutes.table, TimingRoutes.table, RedirectRoutes.table, AuthenticationRoutes.table,
        DigestRoutes.table, CookieRoutes.table, CachingRoutes.table, FailureRoutes.table,
      ]
      return tables.reduce(into: [:]) { all, table in all.merge(table) { first, _ in first } }
    }()

    private static let mostParameters = 2

    private static let notFound = Route { request, _ throws(Refusal) in
      throw Refusal(.notFound, "no route for \(request.target.path)")
    }

    /// The route whose name is the path without its last segments, as many as the route takes.
    static func route(for path: String) -> (Route, parameters: [String]) {
      if let route = routes[path], route.parameterCount == 0 { return (route, []) }
      var name = path[...]
      var parameters: [String] = []
      while parameters.count < mostParameters, let slash = name.lastIndex(of: "/") {
        parameters.insert(RequestTarget.decode(name[name.index(after: slash)...]), at: 0)
        name = name[..<slash]
        if let route = routes[String(name)], route.parameterCount == parameters.count {
          return (route, parameters)
        }
      }
      return (notFound, [])
    }
  }
#endif
