#if Tool
  public import StagecoachCore
  import StagecoachOrigin
  import Synchronization

  /// A server on a socket that answers from a scenario, for tests of code over other clients.
  ///
  /// ```swift
  /// import Stagecoach
  /// import StagecoachFixtures
  ///
  /// let replay = try ReplayTransport(folder: "Fixtures/users/get-user")
  /// let server = try await ReplayServer.start(replay)
  /// // ... let the other client send its requests to server.url ...
  /// for request in server.requests { print(request.method, request.head.path ?? "") }
  /// await server.stop()
  /// try server.finish()
  /// ```
  ///
  /// A request that no exchange answers gets 500, with what ``ReplayTransport`` says of it as text. Recorded failures end
  /// the connection. Redirects to the recorded service lead to the server, and cookies lose its domain.
  ///
  /// A request whose Host is that of a recorded service is for this one; others are for the first one of the scenario. A
  /// request for another host than this machine and the services gets 421. One of a page of another site gets 403 if its
  /// Origin or Sec-Fetch-Site, which browsers send, tells so; a user may still follow a link of such a page.
  public final class ReplayServer: Sendable {
    /// The URL without a trailing slash: `http://127.0.0.1:PORT`.
    public var url: String { server.url }

    private let server: HandlerServer
    private let replay: ReplayTransport
    private let journal: Journal

    private final class Journal: Sendable {
      let requests = Mutex<[Request]>([])
      /// Why requests were refused.
      let refusals = Mutex<[String]>([])
    }

    private init(_ server: HandlerServer, _ replay: ReplayTransport, _ journal: Journal) {
      self.server = server
      self.replay = replay
      self.journal = journal
    }

    /// Starts a server, which stops when it is released.
    ///
    /// - Parameters:
    ///   - replay: What answers.
    ///   - host: The address to listen at.
    ///   - port: The port; 0 lets the system choose one.
    ///   - origin: The only service that is served, such as `https://api.example.com`; by default all of the scenario.
    ///     Several servers can share a replay.
    ///   - allowedHosts: Further hosts whose requests and pages are answered, with a port or at any.
    /// - Throws: `OriginError` if the address cannot be listened at, or an allowed host is malformed; ``ScenarioError``
    ///   if the scenario has no exchanges with the origin.
    public static func start(
      _ replay: ReplayTransport,
      host: String = "127.0.0.1",
      port: Int = 0,
      standingFor origin: String? = nil,
      allowedHosts: [String] = []
    ) async throws -> ReplayServer {
      let (answers, journal) = (try ReplayAnswers(replay, origin: origin), Journal())
      let rules = ServedAuthorities.Rules(
        services: answers.services.compactMap { try? TargetURI(parsing: $0.url) },
        allowed: try allowedHosts.map { host in
          guard let place = HostAndPort(host) else {
            throw OriginError.invalidConfiguration("allowedHosts: \"\(host)\" is not a host")
          }
          return place
        },
        option: { #"allowedHosts: ["\#($0)"]"# },
        report: { line in journal.refusals.withLock { if $0.count < 100 { $0.append(line) } } }
      )
      let server = try await HandlerServer.start(host: host, port: port, answeringFor: rules) { served in
        { request in
          if let refusal = served.crossSiteRefusal(of: request, allowingNavigation: true) { return refusal }
          var request = request
          do {
            request.body = .bytes(try await request.content(upTo: replay.requestBodyLimit))
          } catch {
            return try ReplayAnswers.answer(for: error)
          }
          journal.requests.withLock { $0.append(request) }
          return try await answers.answer(request)
        }
      }
      return ReplayServer(server, replay, journal)
    }

    /// The requests that came, in their order, with their contents. Refused ones are left out.
    public var requests: [Request] { journal.requests.withLock(\.self) }

    /// Checks at the end of a test that every request was answered, for another client may not have told, and that every
    /// exchange was used as often as it says.
    ///
    /// - Throws: `ExchangeError` of kind `stageFailure` with ``ReplayFailure/unmatched`` and the first hundred requests that
    ///   no exchange answers, without their secrets; otherwise what ``ReplayTransport/finish()`` throws.
    public func finish() throws {
      let unmatched = replay.unmatched + journal.refusals.withLock(\.self)
      guard unmatched.isEmpty else {
        throw ExchangeError(
          .stageFailure(ReplayFailure.unmatched),
          (["requests that no exchange answers: \(unmatched.count)"] + unmatched).joined(separator: "\n"),
          advice: "change the client or the scenario, or record again"
        )
      }
      try replay.finish()
    }

    /// Stops the server, and ends its connections.
    public func stop() async { await server.stop() }
  }
#endif
