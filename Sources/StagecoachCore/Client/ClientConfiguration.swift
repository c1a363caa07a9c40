extension Client {
  /// The configuration of a client, except for its stages and its base URL.
  ///
  /// ```swift
  /// var configuration = Client.Configuration()
  /// configuration.connections.proxy = .environment
  /// configuration.trust = Trust(roots: .systemAnd(try Certificate.fromPEM(ourCA)))
  /// configuration.defaults.options.totalTimeout = .seconds(30)
  /// ```
  public struct Configuration: Sendable {
    /// The defaults that requests inherit at first; ``Client/updateDefaults(_:)`` changes them later.
    public var defaults: Defaults

    /// Observers of all exchanges; none by default.
    public var monitors: [any EventMonitor]

    /// The options of connections, if the client creates the transport: proxy, versions of HTTP, number of
    /// connections.
    public var connections: ConnectionOptions

    /// The TLS trust, if the client creates the transport: roots, pins, an identity.
    public var trust: Trust

    /// The clock for deadlines, delays and timings; the system's by default.
    public var clock: any TimeSource

    /// The source of randomness for nonces, boundaries and jitter; the system's by default.
    public var randomNumberGenerator: any RandomSource

    /// Creates a configuration; without arguments, the default one.
    public init(
      defaults: Defaults = Defaults(),
      monitors: [any EventMonitor] = [],
      connections: ConnectionOptions = ConnectionOptions(),
      trust: Trust = Trust(),
      clock: any TimeSource = SystemTime(),
      randomNumberGenerator: any RandomSource = SystemRandom()
    ) {
      self.defaults = defaults
      self.monitors = monitors
      self.connections = connections
      self.trust = trust
      self.clock = clock
      self.randomNumberGenerator = randomNumberGenerator
    }
  }
}

extension Client.Configuration {
  /// Refuses pins for a host that is contacted without TLS, because they would protect nothing.
  func checkPins(for base: TargetURI?) throws {
    guard let base, !base.isSecure else { return }
    let pinned = [trust, defaults.options.trust].contains { $0?.resolved(for: base.host).pins != nil }
    guard pinned else { return }
    throw ExchangeError(
      .invalidRequest,
      "the base URL is http, but the configuration has pins for \(base.host), which only https can check",
      advice: "use an https base URL, or remove the pins for this host"
    )
  }
}
