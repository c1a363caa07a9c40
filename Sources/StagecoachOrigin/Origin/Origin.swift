#if Tool
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOSSL
  import StagecoachCore
  import Synchronization

  /// An HTTP/1.1 server in this process, for tests, examples and benchmarks of clients.
  ///
  /// ```swift
  /// let origin = try await Origin.start()
  /// // send requests to origin.url ...
  /// let request = try await origin.nextRequest(path: "/echo")
  /// try await origin.stop()
  /// ```
  ///
  /// Every route accepts every method that NIO's parser knows; HEAD gets only the header section. Numbers out of range
  /// and invalid values give 400, unknown paths 404, each with a reason in plain text. Times are in milliseconds.
  /// `Expect: 100-continue` is supported. Requests on a connection are answered in order.
  ///
  /// | route | answer |
  /// |---|---|
  /// | `/echo` | JSON: `method`, `target`, `path`, `query`, `version`, `fields` and `trailers` as arrays of `[name, value]`, `length`, `body`, `encoding` (`text`, or `base64` for a body that is not UTF-8) |
  /// | `/status/{code}` | the status, 200 to 999, with `{"status":code}`; 204 and 304 without a body |
  /// | `/headers?Name=value&...` | these fields in order, duplicates kept, and their list as JSON |
  /// | `/json` | an object: `title`, `count` 3, `tags`, `author` |
  /// | `/json/large?kb=10` | `{"items":[...]}` of about that many KiB (1 to 10240), always the same |
  /// | `/xml`, `/feed.xml` | a catalog with a namespace, entity and CDATA; an Atom feed of two entries |
  /// | `/plist`, `/png`, `/html`, `/empty` | an XML property list; one red pixel; a page; nothing |
  /// | `/text?charset=utf-8` | ``sampleText(charset:)`` in `gbk`, `big5`, `shift_jis`, `windows-1252`, `utf-8` or `utf-16` |
  /// | `/gzip`, `/deflate` `?kb=0` | `/json` with that content coding, or `/json/large` with `kb`; `/deflate?raw=1` lacks the zlib wrapper |
  /// | `/bytes/{n}` | n bytes (to 10 GiB), byte i is i modulo 251, with Content-Length, in constant memory |
  /// | `/chunked?chunks=5&size=100&delay=0&trailers=0` | the same bytes as chunks with a delay between them; `trailers=1` adds `X-Chunks` and `X-Checksum` (FNV-1a 64 of the body) |
  /// | `/drip?bytes=10&duration=1000&delay=0` | after the delay, bytes one by one over the duration, with Content-Length |
  /// | `/upload` | `length` and `fnv1a64` (16 hexadecimal digits) of the body, in constant memory |
  /// | `/slow-upload?rate=65536` | the same, read at that many bytes a second (64 to 1 GiB); then closes |
  /// | `/delay/{ms}` | 200 after that time |
  /// | `/early-hints` | 103 with a Link field, then 200 |
  /// | `/retry/{n}?key=K&after=0` | 503 with Retry-After for the first n requests of a key, then 200; `{"attempt":i}` |
  /// | `/redirect/{status}?to=/echo` | the status (300 to 399) with that Location |
  /// | `/redirect-chain/{n}`, `/redirect-loop` | n times 302, then 200; 302 to itself for ever |
  /// | `/basic-auth/{user}/{password}`, `/bearer/{token}` | 401 with a challenge, or 200 for the right credentials |
  /// | `/digest-auth/{user}/{password}?algorithm=SHA-256&qop=auth&uses=1000` | the same by Digest: `MD5`, `SHA-256` or `SHA-512-256`; `qop` may be `auth-int` or both; a nonce is stale after so many uses, and each has to be of a higher count than the one before |
  /// | `/proxy-auth/{user}/{password}` | as `/basic-auth`, by 407 and the fields of a proxy |
  /// | `/cookies` | the cookies of the request: `{"cookies":[[name, value],...]}` |
  /// | `/cookies/set?a=1`, `/cookies/delete?a` | a Set-Cookie field for each item, with `Path=/`; deleting with `Max-Age=0` |
  /// | `/etag/{tag}`, `/last-modified` | 200 with the validator; 304 when If-None-Match or If-Modified-Since hold it |
  /// | `/cache?max-age=60` | 200 with Cache-Control |
  /// | `/mismatch/type` | the body of `/json` labelled `text/html` |
  /// | `/problem` | 422 with `application/problem+json` (RFC 9457) |
  /// | `/hang` | nothing, until the idle timeout |
  /// | `/close` | the connection is closed without an answer |
  public final class Origin: Sendable {
    /// The base URL without a trailing slash: `http://127.0.0.1:PORT`, `https:` with TLS, or `http+unix://` with the
    /// percent-encoded path of a Unix domain socket.
    public let url: String
    /// The TCP port; 0 with a Unix domain socket.
    public let port: Int

    private let state: OriginState
    private let group: MultiThreadedEventLoopGroup
    private let listener: any Channel
    private let isStopped = Atomic<Bool>(false)

    private init(_ state: OriginState, _ group: MultiThreadedEventLoopGroup, _ listener: any Channel) {
      self.state = state
      self.group = group
      self.listener = listener
      let configuration = state.configuration
      let scheme = configuration.tls == nil ? "http" : "https"
      port = listener.localAddress?.port ?? 0
      if let path = configuration.unixSocketPath {
        url = "\(scheme)+unix://\(path.percentEncoded(.unreserved))"
      } else {
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        url = "\(scheme)://\(host):\(port)"
      }
    }

    deinit {
      guard !isStopped.load(ordering: .relaxed) else { return }
      state.log.close()
      group.shutdownGracefully { _ in }
    }

    /// Starts a server.
    ///
    /// - Parameter configuration: The address, what to record, and the limits.
    /// - Returns: The running server. It stops when it is released, but only ``stop()`` waits for the end.
    /// - Throws: ``OriginError`` if the configuration, certificate or address is invalid.
    public static func start(_ configuration: Configuration = Configuration()) async throws -> Origin {
      try configuration.validate()
      let tls = try configuration.tls.map { try $0.serverContext() }
      let state = OriginState(configuration)
      let group = MultiThreadedEventLoopGroup(numberOfThreads: configuration.threads)
      do {
        let listener = try await bind(configuration, group, state, tls)
        return Origin(state, group, listener)
      } catch {
        try? await group.shutdownGracefully()
        throw OriginError.cannotListen("\(error)")
      }
    }

    private static func bind(
      _ configuration: Configuration,
      _ group: MultiThreadedEventLoopGroup,
      _ state: OriginState,
      _ tls: NIOSSLContext?
    ) async throws -> any Channel {
      var bootstrap = ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 1024)
        .childChannelOption(.maxMessagesPerRead, value: 16)
        .childChannelOption(.writeBufferWaterMark, value: .init(low: 128 << 10, high: 512 << 10))
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
            try pipeline.addHandler(ByteCounter(state))
            var encoder = HTTPResponseEncoder.Configuration()
            encoder.automaticallySetFramingHeaders = false
            try pipeline.configureHTTPServerPipeline(
              withOutboundHeaderValidation: false,
              withEncoderConfiguration: encoder
            )
            try pipeline.addHandler(HTTPHandler(state))
          }
        }
      if let path = configuration.unixSocketPath {
        return try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
      }
      bootstrap =
        bootstrap
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      return try await bootstrap.bind(host: configuration.host, port: configuration.port).get()
    }

    /// Stops listening, closes all connections and ends the threads. Further calls return immediately.
    ///
    /// - Throws: Any error of closing the listener.
    public func stop() async throws {
      guard !isStopped.exchange(true, ordering: .sequentiallyConsistent) else { return }
      state.log.close()
      // Closes the listener and all connections, and waits for them.
      try await group.shutdownGracefully()
    }
  }

  // MARK: Observation

  extension Origin {
    /// The recorded requests, oldest first: complete and incomplete ones.
    public var requests: [RecordedRequest] { state.log.requests }

    /// Removes all recorded requests.
    public func clearRequests() { state.log.clear() }

    /// The number of connections accepted so far.
    public var acceptedConnections: Int { state.acceptedConnections.load(ordering: .relaxed) }

    /// The number of open connections.
    public var openConnections: Int { state.openConnections.load(ordering: .relaxed) }

    /// The number of response bytes passed to connections so far, including header sections, before encryption. At
    /// most about 1 MiB per connection is still in the origin's buffers.
    public var bytesSent: Int { state.bytesSent.load(ordering: .relaxed) }

    /// Returns the oldest recorded request for a path that this method has not returned before, or waits for the next
    /// one.
    ///
    /// - Parameters:
    ///   - path: The percent-encoded path without query; `nil` for any.
    ///   - timeout: The maximum time to wait; 10 seconds by default.
    /// - Throws: ``OriginError/timedOut(waitingFor:)``, ``OriginError/stopped``, or `CancellationError`.
    public func nextRequest(
      path: String? = nil,
      timeout: Duration = .seconds(10)
    ) async throws -> RecordedRequest {
      let purpose = path.map { "a request for \($0)" } ?? "a request"
      return try await state.log.next(within: timeout, waitingFor: purpose) { request in
        path == nil || request.path == path
      }
    }

    /// Returns the oldest recorded request that meets a condition and that this method has not returned before, or
    /// waits for the next one.
    ///
    /// - Parameters:
    ///   - timeout: The maximum time to wait; 10 seconds by default.
    ///   - condition: The condition. It runs under a lock and must be fast.
    /// - Throws: ``OriginError/timedOut(waitingFor:)``, ``OriginError/stopped``, or `CancellationError`.
    public func nextRequest(
      timeout: Duration = .seconds(10),
      where condition: @escaping @Sendable (RecordedRequest) -> Bool
    ) async throws -> RecordedRequest {
      try await state.log.next(within: timeout, waitingFor: "a matching request", where: condition)
    }

    /// Returns the text of `/text?charset=`, which the origin sends in that encoding; `nil` for an unknown charset.
    public static func sampleText(charset: String) -> String? {
      SampleText.byCharset[charset.lowercased()]?.text
    }
  }
#endif
