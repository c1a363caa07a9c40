import Foundation
import HTTPTypes
public import StagecoachCore
import Synchronization

/// The transport over URLSession.
///
/// - Warning: On Linux a server can end the process: FoundationNetworking traps on **any trailer field** of a response,
///   on a connection that breaks **inside a head**, and on a redirect to an IPv6 address without a scheme. Nothing
///   that stands above it can prevent that. Use it with servers that you know, or use the transport over
///   AsyncHTTPClient.
///
/// On all systems:
/// - A request body is complete before it is sent, beyond 1 MiB in a temporary file; the pause between two of its
///   chunks is limited by `idleTimeout`.
/// - Content is delivered decoded if the server coded it, without the fields that said so.
/// - Fields of a name are joined with commas, so that Set-Cookie is ambiguous.
/// - Connecting counts to `headTimeout`.
/// - What connection options and trusts ask for and the engine does not have makes requests fail with kind
///   `unsupported`. So do trailer fields, and content with GET or HEAD.
///
/// On Linux furthermore:
/// - 64 MiB of a response body may wait for their reader; then reading fails with kind `limit(.body)`.
/// - Nothing asks for content codings unless the request does.
/// - A proxy that the environment names, and nobody asked for, makes requests fail with kind `unsupported`.
///
/// On Apple's systems furthermore:
/// - Trust is evaluated here, readers set the pace of responses, and timings are told when a transfer is over.
/// - The engine itself queues what is more than its connections can take, and tells nothing of it: waiting counts to
///   `headTimeout`, or to `connectTimeout` if there is content, and `poolTimeout` does not count. Connections without
///   a request are kept for as long as the engine likes.
/// - The engine sends a request whose method is idempotent again if a kept connection breaks, and asks for content
///   codings and languages of its own.
/// - HTTP/3 cannot be kept off: the engine takes it where a server has announced it. Asking for it makes the engine
///   try it before that.
/// - App Transport Security refuses `http` unless the Info.plist of the app allows it, with kind `unsupported`.
///
/// The article of this module lists all of it.
///
/// Redirects, challenges, cookies, caches and credentials of the engine are off, because those are stages.
///
/// ```swift
/// let client = try Client(over: URLSessionTransport(), base: "https://api.example.com/")
/// ```
///
/// The transport closes its connections when it is shut down or when the last reference to it and to its transfers
/// goes away.
public final class URLSessionTransport: Transport {
  let lanes: LanePool
  let watchdog: Watchdog
  let connections: ConnectionOptions
  private let trust: Trust
  private let shutDown = Atomic(false)
  #if canImport(FoundationNetworking)
    private let proxies: ProxyGuard
  #endif

  /// A transport with sessions of its own.
  ///
  /// - Parameters:
  ///   - connections: How connections are made. What the engine cannot do makes each request fail with kind
  ///     `unsupported`. The environment is read now.
  ///   - trust: Whom to believe on TLS connections, unless a request has a trust of its own.
  ///   - time: The clock for all timeouts.
  public init(
    connections: ConnectionOptions = ConnectionOptions(),
    trust: Trust = Trust(),
    time: any TimeSource = SystemTime()
  ) {
    self.connections = connections
    self.trust = trust
    watchdog = Watchdog(time: time)
    lanes = LanePool(connections, watchdog: watchdog)
    #if canImport(FoundationNetworking)
      proxies = ProxyGuard(connections.proxy, environment: ProcessInfo.processInfo.environment)
    #endif
  }

  /// `URLSession`
  public var name: String { "URLSession" }

  /// Sends a request and returns the response as soon as its head is there.
  ///
  /// - Throws: `ExchangeError`; `CancellationError`.
  public func send(_ request: Request) async throws -> Response {
    guard !shutDown.load(ordering: .sequentiallyConsistent) else { throw Self.wasShutDown }
    try Task.checkCancellation()
    let origin = try origin(of: request)
    let engineRequest = try EngineRequest(request, over: connections.versions)
    let content = try await RequestContent(of: request, watchdog)
    // A body may end early because of it.
    try Task.checkCancellation()
    let transfer = Transfer(request, engineRequest, content, to: origin, over: self)
    let head = try await withTaskCancellationHandler {
      try await transfer.start()
    } onCancel: {
      transfer.fail(CancellationError())
    }
    var response = transfer.response(head)
    #if canImport(FoundationNetworking)
      if let proxy = proxies.forwarder(for: request.head) { response.proxy = proxy.origin }
    #endif
    return response
  }

  /// Closes all connections; transfers under way fail with kind `shutdown`.
  public func shutdown() async {
    shutDown.store(true, ordering: .sequentiallyConsistent)
    for transfer in lanes.shutDown() { transfer.fail(Self.wasShutDown) }
  }

  static var wasShutDown: ExchangeError { ExchangeError(.shutdown, "the transport was shut down") }

  /// Refuses what the engine cannot do.
  ///
  /// - Returns: The trust that counts for the request.
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
  /// The name: what it is made with may hold passwords and keys.
  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

#if canImport(FoundationNetworking)
  extension URLSessionTransport {
    /// HTTP/2, and response bodies in chunks that are decoded already.
    public var capabilities: TransportCapabilities {
      [.wire, .http2, .decodesContent, .injectedClock, .newConnections]
    }

    private func origin(of request: Request) throws -> LanePool.Origin {
      _ = try check(request)
      try proxies.check(request.head)
      return LanePool.Origin(
        isSecure: request.head.scheme == "https",
        authority: request.head.authority ?? ""
      )
    }
  }
#endif
