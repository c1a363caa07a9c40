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
  /// the connection. Redirects to the recorded service lead to the server, and cookies lose its domain. Its URL stands for
  /// the first origin of the scenario.
  public final class ReplayServer: Sendable {
    /// The URL without a trailing slash: `http://127.0.0.1:PORT`.
    public var url: String { server.url }

    private let server: HandlerServer
    private let replay: ReplayTransport
    private let journal: Journal

    private final class Journal: Sendable {
      let requests = Mutex<[Request]>([])
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
    /// - Throws: `OriginError` if the address cannot be listened at.
    public static func start(
      _ replay: ReplayTransport,
      host: String = "127.0.0.1",
      port: Int = 0
    ) async throws -> ReplayServer {
      let (answers, journal) = (ReplayAnswers(replay), Journal())
      let server = try await HandlerServer.start(host: host, port: port) { request in
        var request = request
        do {
          request.body = .bytes(try await request.content(upTo: replay.requestBodyLimit))
        } catch {
          return try ReplayAnswers.answer(for: error)
        }
        journal.requests.withLock { $0.append(request) }
        return try await answers.answer(request)
      }
      return ReplayServer(server, replay, journal)
    }

    /// The requests that came, in their order, with their contents.
    public var requests: [Request] { journal.requests.withLock(\.self) }

    /// Checks at the end of a test that every request was answered, for another client may not have told, and that every
    /// exchange was used as often as it says.
    ///
    /// - Throws: `ExchangeError` of kind `stageFailure` with ``ReplayFailure/unmatched`` and the first hundred requests that
    ///   no exchange answers, without their secrets; otherwise what ``ReplayTransport/finish()`` throws.
    public func finish() throws {
      let unmatched = replay.unmatched
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
