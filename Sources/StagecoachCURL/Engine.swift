#if CURL
  import CCurl
  import StagecoachCore

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// How the engine makes connections, settled when the transport is made.
  struct EngineConfiguration: Sendable {
    var connections: ConnectionOptions
    /// The proxies of the environment, if they are asked for.
    var environment: ProxyEnvironment?

    /// The proxy for requests to a place; nil for none.
    func proxy(for place: Place, _ parts: Place.Parts) -> Proxy? {
      switch connections.proxy {
      case .none: nil
      case .server(let proxy): proxy
      case .environment:
        environment?.proxy(scheme: place.scheme, host: parts.hostAndPort.host, port: parts.port)
      @unknown default: nil
      }
    }

    /// The proxy that answers requests to a place in place of its origin (RFC 9112 3.2.2); nil for none and for a tunnel.
    func forwarder(for place: Place) throws -> Proxy? {
      guard connections.proxy != .none, let proxy = proxy(for: place, try place.parts()),
        proxy.forwards(to: place)
      else { return nil }
      return proxy
    }

    /// What counts for the TLS of the proxy itself, where the place beyond is plain.
    ///
    /// - Parameter trust: Of the request; its pins and its evaluation are about servers.
    func trustOfProxy(for place: Place, _ trust: Trust) throws -> Trust? {
      guard connections.proxy != .none, let proxy = proxy(for: place, try place.parts()), proxy.kind == .https
      else { return nil }
      var trust = trust.resolved(for: proxy.host)
      trust.pins = nil
      trust.evaluation = nil
      return trust
    }
  }

  extension Proxy {
    /// Whether requests to a place are handed to it, and not sent through a tunnel.
    func forwards(to place: Place) -> Bool {
      !place.isSecure && origin != nil && authentication == .basic
    }
  }

  /// The engine as tasks see it: a mailbox, and a thread that is started with the first command.
  final class Engine: TaskExecutor {
    let watchdog: Watchdog
    let configuration: EngineConfiguration
    private let time: any TimeSource
    private let mailbox = Mailbox()

    init(_ configuration: EngineConfiguration, time: any TimeSource) {
      self.configuration = configuration
      self.time = time
      watchdog = Watchdog(time: time)
    }

    deinit {
      mailbox.shut()
    }

    /// Hands over a command; a transfer that is to be started fails if the engine was shut down.
    func post(_ command: Command) {
      switch mailbox.post(command) {
      case .taken: break
      case .refused:
        Self.refuse([command], Self.wasShutDown)
      case .startThread: startThread()
      }
    }

    private func startThread() {
      let executor = asUnownedTaskExecutor()
      let isStarted = EngineThread.start { [mailbox, configuration, time, watchdog] in
        let loop = EngineLoop(mailbox, configuration, time: time, watchdog: watchdog, executor: executor)
        let failure = loop.run()
        Self.refuse(mailbox.markEnded(isStarted: failure == nil), failure ?? Self.wasShutDown)
      }
      guard !isStarted else { return }
      let error = ExchangeError(.transport, "the system gives no thread for libcurl")
      Self.refuse(mailbox.markEnded(isStarted: false), error)
    }

    /// Ends what the thread did not get to.
    static func refuse(_ commands: [Command], _ error: ExchangeError) {
      for command in commands {
        switch command {
        case .start(let transfer): transfer.fail(error)
        case .run(let job): globalConcurrentExecutor.enqueue(job)
        case .receive, .send, .abandon, .sweep: break
        }
      }
    }

    /// Runs a part of a task on the engine's thread; elsewhere once that has ended.
    func enqueue(_ job: consuming ExecutorJob) {
      post(.run(UnownedJob(job)))
    }

    /// Ends all transfers and the thread, and waits for that.
    func shutdown() async {
      mailbox.shut()
      await mailbox.end()
    }

    static let wasShutDown = ExchangeError(.shutdown, "the transport was shut down")
  }
#endif
