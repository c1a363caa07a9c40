#if CURL
  import HTTPTypes
  public import StagecoachCore
  import StagecoachTransportKit

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The transport over libcurl: HTTP/1.1, HTTP/2 from libcurl 8.1 on, HTTP/3 and TLS as the library supports them.
  ///
  /// All of libcurl runs on one thread of the transport, which starts with the first request and sleeps while idle.
  /// Bodies stream in both directions with backpressure. Dropping a response body closes its connection.
  ///
  /// The policy features of libcurl are off: redirects, cookies, netrc, decoding, default fields, environment
  /// variables, and the repetition of a request whose connection died.
  ///
  /// The number of connections to an origin is limited by `ConnectionOptions.connectionsPerOrigin`. Further requests
  /// wait, first in first out, for at most the request's `poolTimeout`. Requests over HTTP/2 share connections.
  ///
  /// Before version 8.1, libcurl is used for HTTP/1.1 only: over HTTP/2 it reports a body that a connection error
  /// truncated as complete. From 8.1 on, one truncation remains undetected: the stream of a body without
  /// `Content-Length` is reset by RST_STREAM with the code NO_ERROR (RFC 9113 8.1).
  ///
  /// A body that ends with its connection and without close_notify is an error if the TLS of libcurl is OpenSSL and
  /// both are shared libraries, as on Linux. Elsewhere the truncation is not detected.
  ///
  /// Pins are compared with the leaf certificate of the server, and an evaluation gets a chain of one: libcurl shows
  /// the certificates that the server sent, and not the chain that was verified.
  /// ```swift
  /// var connections = ConnectionOptions()
  /// connections.proxy = .environment
  /// let transport = CURLTransport(connections: connections)
  /// let client = try Client(over: transport, base: "https://api.example.com/")
  /// ```
  ///
  /// The transport closes its connections when it is shut down, or when the last reference to it and to its transfers
  /// is released.
  public final class CURLTransport: Transport {
    private let engine: Engine
    /// The trust policy for requests that set none.
    public let trust: Trust
    /// The connection settings.
    public let connections: ConnectionOptions
    /// The error of every request, if the transport cannot send any.
    private let refusal: (any Error)?

    /// Creates a transport with a new connection pool.
    ///
    /// - Parameters:
    ///   - connections: The connection settings. Each request fails if libcurl does not support them.
    ///   - trust: The trust policy for TLS connections, unless a request overrides it.
    ///   - clock: The clock for the timeouts of waiting, connecting, a head, pauses and idle connections.
    public init(
      connections: ConnectionOptions = ConnectionOptions(),
      trust: Trust = Trust(),
      clock: any TimeSource = SystemTime()
    ) {
      self.trust = trust
      self.connections = connections
      var configuration = EngineConfiguration(connections: connections)
      do {
        guard Library.isUsable else { throw ExchangeError(.transport, "libcurl could not be set up") }
        try Library.capabilities.check(connections, transport: Self.name)
        if case .server(let proxy) = connections.proxy {
          try Library.capabilities.check(proxy, transport: Self.name)
        }
        if connections.proxy == .environment {
          configuration.environment = ProxyEnvironment(ProcessInfo.processInfo.environment)
        }
        refusal = nil
      } catch {
        refusal = error
      }
      engine = Engine(configuration, time: clock)
    }

    private static let name = "CURL"

    /// `CURL`
    public var name: String { Self.name }

    /// Nearly all capabilities; HTTP/2, HTTP/3, TLS and Unix sockets if the library supports them.
    public var capabilities: TransportCapabilities { Library.capabilities }

    /// The version of the library and its dependencies, such as `libcurl/7.88.1 OpenSSL/3.0.19`.
    public static var libraryVersion: String { Library.text }

    /// Sends a request and returns the response as soon as its head has arrived.
    ///
    /// - Throws: `ExchangeError`; `CancellationError`.
    public func send(_ request: Request) async throws -> Response {
      if let refusal { throw refusal }
      try Task.checkCancellation()
      try capabilities.check(request.options.networkUse, transport: name)
      let place = try Place(request.head)
      let transfer = try Transfer(request, to: place, trust: resolvedTrust(request, place), over: engine)
      let bytes = try await transfer.start()
      do {
        return try response(ResponseHead(bytes), of: transfer)
      } catch {
        transfer.fail(error)
        throw EngineFailure.finished(error, isSent: true)
      }
    }

    /// An executor that runs tasks on the thread of the transport (SE-0417), where requests need no change of thread.
    ///
    /// It suits a program that mainly sends requests: with one request at a time, a request takes about a quarter less
    /// processor time. Do not run long computations or blocking calls on it, because they delay all transfers. All
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
    /// After the transport is shut down, the tasks run as they would without this executor.
    public var taskExecutor: any TaskExecutor { engine }

    /// Closes all connections. Transfers in progress fail with kind `shutdown`.
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
      if let proxy = try engine.configuration.forwarder(for: transfer.place) {
        response.noteAnswer(through: proxy)
      }
      if !head.hasContent(to: transfer.request) || head.length == 0 {
        transfer.endEarly()
      } else {
        if let length = head.length { transfer.expect(length) }
        response.body = Response.Body(source: transfer, length: head.length)
      }
      return response
    }
  }

  extension CURLTransport: CustomReflectable {
    /// The name only: the settings may contain passwords and keys.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
  }
#endif
