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

  /// The engines of a transport, and which one a request goes to.
  ///
  /// An engine has one proxy and one trust, so that no connection made under one is used under another. The
  /// main one serves what asks for nothing special; others are made when they are first needed.
  final class Engines: Sendable {
    private struct Key: Hashable {
      /// Nil for that of the transport, and for what goes without TLS.
      var trust: Trust?
      /// The host, where the trust looks at certificates: a connection does not tell whom it was made to.
      var host: String?
      var proxy: Proxy?
      /// Zero unless it is an engine for one request, whose connection is to be new.
      var number: UInt64 = 0

      // Not the certificates: the few engines that there are differ in less, and comparing a value with
      // its copy is cheap.
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

    /// How many engines there may be besides the main one before the least recently used one without transfers
    /// is shut down.
    static let capacity = 32

    private let connections: ConnectionOptions
    private let trust: Trust
    /// The trust without exceptions for hosts.
    private let ownTrust: Trust
    private let configuration: EngineConfiguration
    private let group: any EventLoopGroup
    private let environment: ProxyEnvironment?
    private let mainKey: Key
    private let main: Engine
    private let isPlain: Bool
    private let state = Mutex(State())

    /// - Throws: ``ExchangeError`` if the connections cannot be made as the options and the trust say.
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
        let named = try ProxyEnvironment(ProcessInfo.processInfo.environment)
        // Beside a socket that all connections go to, they do not count.
        environment = named.isEmpty || connections.unixSocket != nil ? nil : named
      default: environment = nil
      }
      mainKey = Key(proxy: fixed)
      main = Engine(try configuration.engine(trust: nil, host: nil, proxy: fixed), through: fixed, on: group)
      // Addresses, sockets and proxies change whose certificate is checked.
      isPlain =
        fixed == nil && environment == nil && connections.unixSocket == nil && connections.addresses.isEmpty
        && trust.hosts.isEmpty && !trust.looksAtChain
    }

    /// The engine for a request.
    ///
    /// - Parameter isNew: Whether it is to have no connections yet.
    /// - Throws: ``ExchangeError`` if there can be none.
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
      let host = place.host.lowercased()
      let proxy =
        mainKey.proxy
        ?? environment?.proxy(scheme: scheme, host: host, port: place.port ?? (scheme == "https" ? 443 : 80))
      guard scheme == "https" else { return Key(proxy: proxy) }
      let wanted = (request.options.trust ?? trust).resolved(for: host)
      if wanted.verification == .full { try refuseUnverifiable(host, through: proxy) }
      return Key(
        trust: wanted == ownTrust ? nil : wanted,
        host: wanted.looksAtChain ? host : nil,
        proxy: proxy
      )
    }

    /// NIOSSL compares the certificate of a server without a name with the address that the connection goes
    /// to (`NIOSSLHandler.validateHostname`): the wrong one if that is a proxy or an override, and none behind a
    /// Unix socket.
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
      // Let go of after the lock: that shuts them down.
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

    /// Takes out engines that nobody else refers to, so that they have no transfers: all that were for one request,
    /// and as many of those used least lately as there are too many.
    private static func removeIdle(_ state: inout State) -> [Engine] {
      // Without the engines: a copy would refer to them.
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

    /// Who will not begin any more; afterwards no engine is made.
    func close() -> [Transfer] {
      let others = state.withLock { state in
        state.isShutDown = true
        return state.engines.values.map(\.engine)
      }
      return ([main] + others).flatMap { $0.origins.removeWaiting() }
    }

    /// Closes all connections.
    ///
    /// An engine is done when its attempts to connect are, which cannot be called off and last up to a minute where a
    /// peer does not answer. They end by themselves: nobody waits for them.
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
