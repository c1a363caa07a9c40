#if CURL
  import HTTPTypes
  public import StagecoachCore

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The transport over libcurl: HTTP/1.1, from libcurl 8.1 on HTTP/2, where the library has it HTTP/3, and the library's TLS.
  ///
  /// All of libcurl runs on one thread of the transport, which is started with the first request and sleeps while
  /// there is nothing to do. Bodies stream both ways at the pace of the slower side; a dropped response body
  /// closes its connection.
  ///
  /// What libcurl would do by itself is off: redirects, cookies, netrc, decoding, its own fields, its own reading
  /// of environment variables, and the repetition of a request that was written to a connection which then died.
  ///
  /// There are as many connections to an origin as `ConnectionOptions.connectionsPerOrigin` says, and requests
  /// beyond that wait in order, at most for the request's `poolTimeout`. With HTTP/2 they share connections.
  ///
  /// libcurl before 8.1 is asked for HTTP/1.1 alone: over HTTP/2 it reports a body that an error of the connection cut as
  /// complete. From 8.1 on, one cut is left that nothing tells from the end of a body without `Content-Length`:
  /// RST_STREAM with the code NO_ERROR (RFC 9113 8.1).
  ///
  /// A body that ends with its connection and without close_notify is an error where libcurl's TLS is OpenSSL and both are
  /// shared libraries, as on Linux; elsewhere nothing tells that it may be a part.
  ///
  /// Pins are compared with the certificate of the server itself, and an evaluation gets a chain of one: libcurl shows
  /// what the server sent, and not what was verified.
  ///
  /// ```swift
  /// var connections = ConnectionOptions()
  /// connections.proxy = .environment
  /// let transport = CURLTransport(connections: connections)
  /// let client = try Client(over: transport, base: "https://api.example.com/")
  /// ```
  ///
  /// The transport closes its connections when it is shut down, or when the last reference to it and to its
  /// transfers goes away.
  public final class CURLTransport: Transport {
    private let engine: Engine
    private let trust: Trust
    /// Why no request can be sent, if that is so.
    private let refusal: (any Error)?

    /// A transport with connections of its own.
    ///
    /// - Parameters:
    ///   - connections: How connections are made. What libcurl cannot do is refused with each request.
    ///   - trust: Whom TLS connections believe, unless a request says otherwise.
    ///   - time: The clock for the timeouts of waiting, connecting, a head, pauses, and idle connections.
    public init(
      connections: ConnectionOptions = ConnectionOptions(),
      trust: Trust = Trust(),
      time: any TimeSource = SystemTime()
    ) {
      self.trust = trust
      var configuration = EngineConfiguration(connections: connections)
      do {
        guard Library.isUsable else { throw ExchangeError(.transport, "libcurl could not be set up") }
        try Library.capabilities.check(connections, transport: Self.name)
        if case .server(let proxy) = connections.proxy {
          try Library.capabilities.check(proxy, transport: Self.name)
        }
        if connections.proxy == .environment {
          configuration.environment = try ProxyEnvironment(ProcessInfo.processInfo.environment)
        }
        refusal = nil
      } catch {
        refusal = error
      }
      engine = Engine(configuration, time: time)
    }

    private static let name = "CURL"

    /// `CURL`
    public var name: String { Self.name }

    /// Nearly all there is; HTTP/2, HTTP/3, TLS and Unix sockets where the library has them.
    public var capabilities: TransportCapabilities { Library.capabilities }

    /// The library and what it was built with, such as `libcurl/7.88.1 OpenSSL/3.0.19`.
    public static var libraryVersion: String { Library.text }

    /// Sends a request and returns the response as soon as its head is there.
    ///
    /// - Throws: `ExchangeError`; `CancellationError`.
    public func send(_ request: Request) async throws -> Response {
      if let refusal { throw refusal }
      try Task.checkCancellation()
      try capabilities.check(request.options.networkUse, transport: name)
      let place = try Place(request.head)
      let transfer = try Transfer(request, to: place, trust: resolvedTrust(request, place), over: engine)
      let bytes = try await withTaskCancellationHandler {
        try await transfer.start()
      } onCancel: {
        transfer.fail(CancellationError())
      }
      do {
        return try response(ResponseHead(bytes), of: transfer)
      } catch {
        transfer.fail(error)
        throw EngineFailure.finished(error, isSent: true)
      }
    }

    /// Runs tasks on the thread of the transport (SE-0417), where their requests need no change of thread.
    ///
    /// That suits a program that does little but send requests: with one at a time, a request takes about a quarter
    /// less processor time. What computes for long or blocks keeps all transfers waiting, and belongs elsewhere. All
    /// signals are blocked on that thread, and so in a process that is started from it.
    ///
    /// ```swift
    /// let transport = CURLTransport()
    /// let client = try Client(over: transport, base: "https://api.example.com/")
    /// let text = try await withTaskExecutorPreference(transport.taskExecutor) {
    ///   try await client.get("status", as: .text)
    /// }
    /// ```
    ///
    /// Once the transport was shut down, the tasks run where they would without it.
    public var taskExecutor: any TaskExecutor { engine }

    /// Closes all connections; transfers under way fail with kind `shutdown`.
    public func shutdown() async {
      await engine.shutdown()
    }

    private func resolvedTrust(_ request: Request, _ place: Place) throws -> Trust? {
      let trust = request.options.trust ?? trust
      guard place.isSecure else { return try engine.configuration.trustOfProxy(for: place, trust) }
      guard !trust.hosts.isEmpty else {
        try capabilities.check(trust, transport: name)
        return trust
      }
      let resolved = trust.resolved(for: HostAndPort(place.authority)?.host ?? place.authority)
      try capabilities.check(resolved, transport: name)
      return resolved
    }

    private func response(_ head: ResponseHead, of transfer: Transfer) throws -> Response {
      var response = Response(head: head.response)
      response.version = head.version
      if var connection = transfer.connection {
        if transfer.place.isSecure, head.version.major > 1 {
          connection.applicationProtocol = "h\(head.version.major)"
        }
        response.connection = connection
      }
      if let proxy = try engine.configuration.forwarder(for: transfer.place) { response.proxy = proxy.origin }
      let status = head.response.status.code
      // RFC 9112 6.3: whatever the fields say, these end with their head.
      let isEmpty = transfer.request.method == .head || status == 204 || status == 304 || head.length == 0
      if isEmpty {
        transfer.endEarly()
      } else {
        if let length = head.length { transfer.expect(length) }
        response.body = Response.Body(source: transfer, length: head.length)
      }
      return response
    }
  }

  extension CURLTransport: CustomReflectable {
    /// The name: what it is made with may hold passwords and keys.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
  }
#endif
