import Stagecoach
import StagecoachTransportKit

/// A minimal custom transport: HTTP/1.1 without TLS, to an IPv4 address, a connection per request.
///
/// All of its state, its timeouts and its ending are those of `EngineTransfer`. Unlike AsyncHTTPClient it shows
/// informational responses and trailer fields.
struct SocketTransport: Transport {
  let capabilities: TransportCapabilities = [
    .streamsRequestBodies, .streamsResponseBodies, .responseTrailers, .exactFields, .exactChunks,
    .reasonPhrases, .informationalResponses, .asteriskForm, .injectedClock, .newConnections,
  ]

  private let proxy: Proxy?
  private let watchdog: Watchdog

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - proxy: Where requests go in place of their origin (RFC 9112 3.2.2).
  ///   - clock: For the timeouts.
  init(proxy: Proxy? = nil, clock: any TimeSource = SystemTime()) {
    self.proxy = proxy
    watchdog = Watchdog(clock: clock)
  }

  func send(_ request: Request) async throws -> Response {
    try capabilities.check(request.options.networkUse, transport: name)
    let authority = request.head.authority ?? ""
    guard request.head.scheme == "http", let origin = HostAndPort(authority) else {
      throw ExchangeError(
        .unsupported,
        "\(name) cannot connect to \(request.head.scheme ?? "")://\(authority)"
      )
    }
    let socket = try Socket(proxy?.host ?? origin.host, port: proxy?.port ?? origin.port ?? 80)
    let content = try request.body.isEmpty ? nil : request.body.makeSource()
    let transfer = SocketTransfer(request, content, over: socket, watchdog: watchdog)
    let target = proxy == nil ? "" : "http://\(authority)"
    let host = origin.hostField(scheme: "http")
    var response = try await transfer.start {
      Task { await transfer.run(target: target + (request.head.path ?? "/"), host: host) }
    }
    response.proxy = proxy?.origin
    return response
  }
}
