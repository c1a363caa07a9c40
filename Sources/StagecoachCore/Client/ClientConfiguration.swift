extension Client {
  /// What a client is made with, beside its stages and its base URL.
  ///
  /// ```swift
  /// var configuration = Client.Configuration()
  /// configuration.connections.proxy = .environment
  /// configuration.trust = Trust(pins: [pin])
  /// configuration.defaults.options.totalTimeout = .seconds(30)
  /// ```
  public struct Configuration: Sendable {
    /// What requests inherit at first; ``Client/updateDefaults(_:)`` changes it later.
    public var defaults: Defaults

    /// Observers of all exchanges; none by default.
    public var monitors: [any EventMonitor]

    /// How the transport makes its connections, if the client makes the transport: a proxy, versions of HTTP, how many.
    public var connections: ConnectionOptions

    /// Whom the transport believes on TLS connections, if the client makes the transport: roots, pins, an identity.
    public var trust: Trust

    /// The clock for deadlines, delays and timings; the system's by default.
    public var clock: any TimeSource

    /// Where stages take chance from: nonces, boundaries, jitter; the system by default.
    public var randomNumberGenerator: any RandomSource

    /// A configuration; without arguments, the defaults.
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
