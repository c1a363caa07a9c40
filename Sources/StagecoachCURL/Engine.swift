#if CURL
  import CCurl
  import StagecoachCore
  import StagecoachTransportKit

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The connection settings of the engine, fixed when the transport is created.
  struct EngineConfiguration: Sendable {
    var connections: ConnectionOptions
    /// The proxies of the environment, if the setting asks for them.
    var environment: ProxyEnvironment?

    /// Returns the proxy for requests to a place; `nil` for a direct connection.
    ///
    /// - Throws: `ExchangeError` if the environment variable for them is not a valid proxy URL.
    func proxy(for place: Place, _ parts: Place.Parts) throws -> Proxy? {
      switch connections.proxy {
      case .none: nil
      case .server(let proxy): proxy
      case .environment:
        try environment?.proxy(scheme: place.scheme, host: parts.hostAndPort.host, port: parts.port)
      @unknown default: nil
      }
    }

    /// Returns the proxy that forwards requests to a place (RFC 9112 3.2.2); `nil` for a direct connection and for a
    /// tunnel.
    func forwarder(for place: Place) throws -> Proxy? {
      guard connections.proxy != .none, let proxy = try proxy(for: place, place.parts()),
        proxy.forwards(to: place)
      else { return nil }
      return proxy
    }

    /// Returns the trust policy for the TLS connection to the proxy itself, if the destination is plaintext.
    ///
    /// - Parameter trust: The trust policy of the request. Its pins and its evaluation apply only to servers.
    func trustOfProxy(for place: Place, _ trust: Trust) throws -> Trust? {
      guard connections.proxy != .none, let proxy = try proxy(for: place, place.parts()), proxy.kind == .https
      else { return nil }
      var trust = trust.resolved(for: proxy.host)
      trust.pins = nil
      trust.evaluation = nil
      return trust
    }
  }

  extension Proxy {
    /// Whether the proxy forwards requests to a place, instead of tunnelling them.
    func forwards(to place: Place) -> Bool {
      !place.isSecure && origin != nil && authentication == .basic
    }
  }

  /// The interface of the engine to tasks: a mailbox, and a thread that starts with the first command.
  final class Engine: TaskExecutor {
    let watchdog: Watchdog
    let configuration: EngineConfiguration
    private let time: any TimeSource
    private let mailbox = Mailbox()

    init(_ configuration: EngineConfiguration, time: any TimeSource) {
      self.configuration = configuration
      self.time = time
      watchdog = Watchdog(clock: time)
    }

    deinit {
      mailbox.shut()
    }

    /// Posts a command. A transfer to be started fails if the engine was shut down.
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
      let error = ExchangeError(.transport, "no thread could be created for libcurl")
      Self.refuse(mailbox.markEnded(isStarted: false), error)
    }

    /// Fails the commands that the thread did not process.
    static func refuse(_ commands: [Command], _ error: ExchangeError) {
      for command in commands {
        switch command {
        case .start(let transfer): transfer.fail(error)
        case .run(let job): globalConcurrentExecutor.enqueue(job)
        case .receive, .send, .abandon, .sweep: break
        }
      }
    }

    /// Runs a job on the engine's thread; on another thread once that has ended.
    func enqueue(_ job: consuming ExecutorJob) {
      post(.run(UnownedJob(job)))
    }

    /// Ends all transfers and the thread, and waits for the end.
    func shutdown() async {
      mailbox.shut()
      await mailbox.end()
    }

    static let wasShutDown = ExchangeError(.shutdown, "the transport was shut down")
  }
#endif
