#if Tool
  import ArgumentParser
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures
  import StagecoachOrigin

  /// The service that `proxy` and `record` pass requests on to.
  struct Upstream: Sendable {
    /// Content of a request up to this length is read before the request is passed on, in bytes.
    private static let heldContent = 64 << 10

    let url: TargetURI
    private let service: ServedService
    /// The path of the URL, which precedes that of each request; empty for the root.
    let prefix: String
    private let limits: UpstreamLimits
    private let command: any ParsableCommand.Type

    /// - Parameter command: The command, whose options errors advise.
    /// - Throws: `ValidationError` if the text is not a URL without query and fragment.
    init(_ text: String, _ limits: UpstreamLimits, of command: any ParsableCommand.Type) throws {
      do {
        url = try TargetURI(parsing: text)
      } catch {
        throw ValidationError("--upstream is not a URL: \(error)")
      }
      guard !url.requestTarget.contains("?"), url.fragment == nil else {
        throw ValidationError("--upstream takes a URL without query and fragment")
      }
      let path = url.requestTarget
      prefix = path.hasSuffix("/") ? String(path.dropLast()) : path
      service = ServedService("\(url.scheme)://\(url.authority)\(prefix)")
      self.limits = limits
      self.command = command
    }

    /// Directs a request to the service.
    ///
    /// Short content is read first: so the request can be sent again, and a slow client does not use a connection to the
    /// service meanwhile. A client that expects 100 is answered by the service instead.
    ///
    /// - Throws: `ExchangeError` of kind `requestBody` if the content cannot be read.
    func direct(_ request: Request) async throws -> Request {
      let path = service.path(of: request)
      var request = request
      request.head.scheme = url.scheme
      request.head.authority = url.authority
      request.head.path = path
      limits.apply(to: &request.options)
      if let length = request.body.length, 1...Int64(Self.heldContent) ~= length,
        request.fields[.expect] == nil
      {
        request.body = .bytes(try await request.content(upTo: Self.heldContent))
      }
      return request
    }

    /// Returns the fields of a response as a client sees them that takes the server for the service.
    func local(_ fields: HTTPFields, for request: Request) -> HTTPFields {
      service.local(fields, for: request)
    }

    /// A stage that sends a request again if only its connection failed.
    static var resending: Retry {
      var policy = RetryPolicy()
      policy.failures = [.connectionReset]
      policy.statuses = []
      policy.decide = { failure in
        // The peer closed a connection that it had kept, or has not processed the request: any other failure may be
        // caused by the request.
        let isOfConnection = failure.error?.connectionWasReused == true || !failure.mayHaveBeenSent
        return isOfConnection ? failure.proposal : .stop
      }
      return Retry(policy)
    }

    /// Writes a failure to standard error, with the options of the command as advice.
    func log(_ error: ExchangeError) {
      StandardError.write("stagecoach: \(Failures.explained(error, by: command))\n")
    }
  }
#endif
