#if AsyncHTTPClient
  import HTTPTypes
  import NIOCore
  import StagecoachCore
  import Synchronization

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The engines of a transport, selected by request.
  ///
  /// An engine has one proxy and one trust policy, so that no connection is reused under another. The main engine
  /// serves requests without special options; the others are created on first use.
  final class Engines: Sendable {
    private struct Key: Hashable {
      /// `nil` for the trust policy of the transport, and for plaintext.
      var trust: Trust?
      /// The host, if the trust policy examines certificates: a connection does not report its host.
      var host: String?
      var proxy: Proxy?
      /// Zero, unless the engine is for a single request on a new connection.
      var number: UInt64 = 0

      // Without the certificates: the few engines differ in other properties, and comparing a value with its copy is
      // cheap.
      func hash(into hasher: inout Hasher) {
        hasher.combine(trust?.pins?.count)
        hasher.combine(host)
        hasher.combine(proxy?.port)
        hasher.combine(number)
      }
    }

    private struct Entry {
      var engine: Engine
      var lastUse: UInt64
    }

    private struct State {
      var engines: [Key: Entry] = [:]
      var uses: UInt64 = 0
      var isShutDown = false
    }

    /// The maximum number of engines besides the main one. Beyond it, the least recently used one without transfers is
    /// shut down.
    static let capacity = 32

    private let connections: ConnectionOptions
    private let trust: Trust
    /// The trust policy without overrides for hosts.
    private let ownTrust: Trust
    private let configuration: EngineConfiguration
    private let group: any EventLoopGroup
    private let environment: ProxyEnvironment?
    private let mainKey: Key
    private let main: Engine
    private let isPlain: Bool
    private let state = Mutex(State())

    /// - Throws: ``ExchangeError`` if the engine does not support the options or the trust policy.
    init(
      connections: ConnectionOptions,
      trust: Trust,
      configuration: EngineConfiguration,
      group: any EventLoopGroup
    ) throws {
      self.connections = connections
      self.trust = trust
      var own = trust
      own.hosts = [:]
      ownTrust = own
      self.configuration = configuration
      self.group = group
      var fixed: Proxy?
      switch connections.proxy {
      case .server(let proxy):
        fixed = proxy
        environment = nil
      case .environment:
        let named = ProxyEnvironment(ProcessInfo.processInfo.environment)
        // Ignored if all connections go to a Unix socket.
        environment = named.isEmpty || connections.unixSocket != nil ? nil : named
      default: environment = nil
      }
      mainKey = Key(proxy: fixed)
      main = Engine(try configuration.engine(trust: nil, host: nil, proxy: fixed), through: fixed, on: group)
      // Address overrides, sockets and proxies change which name or address the certificate is checked against.
      isPlain =
        fixed == nil && environment == nil && connections.unixSocket == nil && connections.addresses.isEmpty
        && trust.hosts.isEmpty && !trust.examinesChain
    }

    /// Returns the engine for a request.
    ///
    /// - Parameter isNew: Whether the engine must have no connections yet.
    /// - Throws: ``ExchangeError`` if no engine can serve the request.
    func engine(for request: StagecoachCore.Request, isNew: Bool) throws -> Engine {
      if isPlain, !isNew, case nil = request.options.trust { return main }
      var key = try key(for: request)
      if isNew {
        key.number = state.withLock { state in
          state.uses += 1
          return state.uses
        }
      }
      return try engine(key)
    }

    private func key(for request: StagecoachCore.Request) throws -> Key {
      let scheme = request.head.scheme ?? "http"
      guard let place = HostAndPort(request.head.authority ?? "") else {
        throw ExchangeError(.invalidRequest, "the request has no valid host")
      }
      let host = place.host
      let proxy =
        try mainKey.proxy
        ?? environment?.proxy(scheme: scheme, host: host, port: place.port ?? (scheme == "https" ? 443 : 80))
      guard scheme == "https" else { return Key(proxy: proxy) }
      let wanted = (request.options.trust ?? trust).resolved(for: host)
      if wanted.verification == .full { try refuseUnverifiable(host, through: proxy) }
      return Key(
        trust: wanted == ownTrust ? nil : wanted,
        host: wanted.examinesChain ? host : nil,
        proxy: proxy
      )
    }

    /// NIOSSL compares the certificate of a server without a host name with the address of the connection
    /// (`NIOSSLHandler.validateHostname`). That is the wrong address for a proxy or an override, and a Unix socket has
    /// none.
    private func refuseUnverifiable(_ host: String, through proxy: Proxy?) throws {
      if connections.unixSocket != nil {
        throw ExchangeError(
          .unsupported,
          "AsyncHTTPClient cannot check who serves https behind a Unix socket: it knows no name for it",
          advice: "use http, or a transport that can"
        )
      }
      guard IPAddress(host) != nil, proxy != nil || connections.addresses[host] != nil else { return }
      throw ExchangeError(
        .unsupported,
        "AsyncHTTPClient cannot check the certificate of the address \(host) where it connects to another",
        advice: "use the name of the host, or go there without a proxy"
      )
    }

    private func engine(_ key: Key) throws -> Engine {
      guard key != mainKey else { return main }
      // Released after the lock, because that shuts them down.
      let (engine, surplus) = try state.withLock { state -> (Engine, [Engine]) in
        guard !state.isShutDown else { throw AsyncHTTPClientTransport.wasShutDown }
        state.uses += 1
        if let engine = state.engines[key]?.engine {
          state.engines[key]?.lastUse = state.uses
          return (engine, [])
        }
        let surplus = Self.removeIdle(&state)
        let settings = try configuration.engine(trust: key.trust, host: key.host, proxy: key.proxy)
        let engine = Engine(settings, through: key.proxy, on: group)
        state.engines[key] = Entry(engine: engine, lastUse: state.uses)
        return (engine, surplus)
      }
      withExtendedLifetime(surplus) {}
      return engine
    }

    /// Removes engines without other references, and so without transfers: all that were for a single request, and the
    /// least recently used ones beyond the capacity.
    private static func removeIdle(_ state: inout State) -> [Engine] {
      // Without the engines, because a copy would hold references to them.
      let uses = state.engines.map { (key: $0.key, kept: $0.key.number == 0 ? 1 : 0, last: $0.value.lastUse) }
      var removed: [Engine] = []
      for (key, _, _) in uses.sorted(by: { ($0.kept, $0.last) < ($1.kept, $1.last) }) {
        guard key.number > 0 || state.engines.count >= capacity else { break }
        guard var entry = state.engines.removeValue(forKey: key) else { continue }
        if isKnownUniquelyReferenced(&entry.engine) {
          removed.append(entry.engine)
        } else {
          state.engines[key] = entry
        }
      }
      return removed
    }

    /// Prevents new engines and returns the transfers that were still waiting.
    func close() -> [Transfer] {
      let others = state.withLock { state in
        state.isShutDown = true
        return state.engines.values.map(\.engine)
      }
      return ([main] + others).flatMap { $0.origins.removeWaiting() }
    }

    /// Closes all connections.
    ///
    /// An engine is done when its connection attempts end, which cannot be cancelled and take up to a minute if a peer
    /// does not answer. They end by themselves and are not waited for.
    func shutdown() async {
      let others = state.withLock { $0.engines.values.map(\.engine) }
      let loop = group.next()
      let done = loop.makePromise(of: Void.self)
      EventLoopFuture.andAllComplete(([main] + others).compactMap { $0.shutdown() }, on: loop).cascade(
        to: done
      )
      let patience = loop.scheduleTask(in: .milliseconds(500)) { done.succeed() }
      try? await done.futureResult.get()
      patience.cancel()
    }
  }
#endif
