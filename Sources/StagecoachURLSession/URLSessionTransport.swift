import Foundation
import HTTPTypes
public import StagecoachCore
import Synchronization

/// The transport over URLSession.
///
/// - Warning: On Linux a server can end the process: FoundationNetworking traps on **any trailer field** of a response,
///   on a connection that breaks **inside a head**, and on a redirect to an IPv6 address without a scheme. No code
///   above it can prevent that. Use it only with servers that you know, or use the transport over AsyncHTTPClient.
///
/// On all systems:
/// - A request body is complete before it is sent, beyond 1 MiB in a temporary file. The pause between two of its
///   chunks is limited by `idleTimeout`.
/// - Content with a content coding is delivered decoded, without the fields that describe the coding.
/// - Fields of the same name are joined with commas, so Set-Cookie is ambiguous.
/// - Connecting counts towards `headTimeout`.
/// - Requests fail with kind `unsupported` if the engine does not support their connection options or trust policy. So
///   do trailer fields, and content with GET or HEAD.
///
/// On Linux:
/// - At most 64 MiB of a response body are buffered for the reader; beyond that, reading fails with kind
///   `limit(.body)`.
/// - No content coding is requested unless the request does so.
/// - Field values that are not UTF-8 are refused with kind `unsupported`, and a response with one fails with kind
///   `protocolViolation`.
/// - If the environment names a proxy that is not configured, requests fail with kind `unsupported`.
///
/// On Apple's systems:
/// - Trust is evaluated by this transport, responses are read with backpressure, and timings are reported when a
///   transfer ends.
/// - The engine itself queues requests beyond the capacity of its connections, without reporting it. Waiting counts
///   towards `headTimeout`, or `connectTimeout` if there is content; `poolTimeout` is not used. The engine decides how
///   long idle connections are kept.
/// - The engine repeats a request with an idempotent method if a reused connection breaks, and adds fields for content
///   codings and languages.
/// - HTTP/3 cannot be disabled: the engine uses it if a server has announced it. With `.http3` the engine tries it
///   before that.
/// - App Transport Security refuses `http` with kind `unsupported`, unless the Info.plist of the app allows it.
///
/// The article of this module lists all limitations.
///
/// The engine's redirects, challenges, cookies, caches and credentials are off, because stages handle them.
/// ```swift
/// let client = try Client(over: URLSessionTransport(), base: "https://api.example.com/")
/// ```
///
/// The transport closes its connections when it is shut down, or when the last reference to it and to its transfers is
/// released.
public final class URLSessionTransport: Transport {
  let lanes: LanePool
  let watchdog: Watchdog
  /// The connection settings.
  public let connections: ConnectionOptions
  /// The trust policy for requests that set none.
  public let trust: Trust
  private let shutDown = Atomic(false)
  #if canImport(FoundationNetworking)
    let proxies: ProxyGuard
  #endif

  /// Creates a transport with new sessions.
  ///
  /// - Parameters:
  ///   - connections: The connection settings. Each request fails with kind `unsupported` if the engine does not
  ///     support them. The environment is read when the transport is created.
  ///   - trust: The trust policy for TLS connections, unless a request overrides it.
  ///   - clock: The clock for all timeouts.
  public init(
    connections: ConnectionOptions = ConnectionOptions(),
    trust: Trust = Trust(),
    clock: any TimeSource = SystemTime()
  ) {
    self.connections = connections
    self.trust = trust
    watchdog = Watchdog(clock: clock)
    lanes = LanePool(connections, watchdog: watchdog)
    #if canImport(FoundationNetworking)
      proxies = ProxyGuard(connections.proxy, environment: ProcessInfo.processInfo.environment)
    #endif
  }

  /// `URLSession`
  public var name: String { "URLSession" }

  /// Sends a request and returns the response as soon as its head has arrived.
  ///
  /// - Throws: `ExchangeError`; `CancellationError`.
  public func send(_ request: Request) async throws -> Response {
    guard !shutDown.load(ordering: .sequentiallyConsistent) else { throw Self.wasShutDown }
    try Task.checkCancellation()
    let origin = try origin(of: request)
    let engineRequest = try EngineRequest(request, over: connections.versions)
    let content = try await RequestContent(of: request, watchdog)
    // The body source may have ended early because of the cancellation.
    try Task.checkCancellation()
    let transfer = Transfer(request, engineRequest, content, to: origin, over: self)
    let head = try await transfer.start()
    var response = transfer.response(head)
    #if canImport(FoundationNetworking)
      if let proxy = proxies.forwarder(for: request.head) { response.noteAnswer(through: proxy) }
    #endif
    return response
  }

  /// Closes all connections. Transfers in progress fail with kind `shutdown`.
  public func shutdown() async {
    shutDown.store(true, ordering: .sequentiallyConsistent)
    for transfer in lanes.shutDown() { transfer.fail(Self.wasShutDown) }
  }

  static var wasShutDown: ExchangeError { ExchangeError(.shutdown, "the transport was shut down") }

  /// Checks that the engine supports a request.
  ///
  /// - Returns: The trust policy for the request.
  /// - Throws: `ExchangeError` of kind `unsupported`.
  func check(_ request: Request) throws -> Trust {
    try capabilities.check(request.options.networkUse, transport: name)
    try capabilities.check(connections, transport: name)
    guard request.head.scheme == "https" else { return Trust() }
    let authority = request.head.authority ?? ""
    let trust = (request.options.trust ?? trust).resolved(for: HostAndPort(authority)?.host ?? authority)
    try capabilities.check(trust, transport: name)
    guard connections.versions.contains(.http2) else {
      throw ExchangeError(
        .unsupported,
        "\(name) cannot keep TLS connections from HTTP/2",
        advice: "leave connections.versions at its default, or use another transport"
      )
    }
    return trust
  }
}

extension URLSessionTransport: CustomReflectable {
  /// The name only: the settings may contain passwords and keys.
  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

#if canImport(FoundationNetworking)
  extension URLSessionTransport {
    /// HTTP/2, and response bodies in chunks that are already decoded.
    public var capabilities: TransportCapabilities {
      [.wire, .http2, .decodesContent, .injectedClock, .newConnections]
    }

    private func origin(of request: Request) throws -> LanePool.Origin {
      _ = try check(request)
      try proxies.check(request.head)
      return TargetURI.Origin(request.head)
    }
  }
#endif
