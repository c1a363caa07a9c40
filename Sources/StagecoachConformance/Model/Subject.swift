import HTTPTypes
public import StagecoachCore

/// A transport under test, with its known deviations.
///
/// ```swift
/// let subject = Subject("Mine") { setup in
///   MyTransport(connections: setup.connections, trust: setup.trust, clock: setup.clock)
/// }
/// for check in try Check.all() {
///   let result = await subject.run(check)
///   print(check.id, result.outcome)
/// }
/// ```
public struct Subject: Sendable {
  /// The configuration that a check requires of a transport.
  public struct Setup: Sendable {
    /// The options of connections.
    public var connections = ConnectionOptions()
    /// The TLS trust.
    public var trust = Trust()
    /// The clock.
    public var clock: any TimeSource = SystemTime()

    /// Creates the default configuration.
    public init() {}
  }

  /// A check that is known to fail, with the failure and the reason.
  public struct Deviation: Sendable, Hashable {
    /// The number of the check, such as `055` or `039c`.
    public let check: String
    /// A part of the text of the failure: a check that fails differently has failed. `nil` if the check would end the
    /// process, so that it is not run; a test in a separate process verifies that.
    public let failure: String?
    /// The reason of the failure, and the attempts to avoid it.
    public let reason: String
    /// The line of the engine's source, or the thread of its issue tracker.
    public let reference: String

    /// Creates a deviation.
    ///
    /// - Parameters:
    ///   - check: The number of the check.
    ///   - failure: A part of the text of the failure; `nil` if the check would end the process.
    ///   - reason: The reason of the failure.
    ///   - reference: The line of the engine's source, or the thread of its issue tracker.
    public init(_ check: String, failure: String?, _ reason: String, reference: String) {
      self.check = check
      self.failure = failure
      self.reason = reason
      self.reference = reference
    }
  }

  /// The name in reports.
  public let name: String
  /// The names of fields that the transport adds to requests; see `TransportCapabilities.addsFields`.
  public var addedFields: Set<String>
  /// The checks that are known to fail.
  public var deviations: [Deviation]

  package enum Kind: Sendable {
    case wire(@Sendable (Setup) throws -> any Transport)
    case inProcess(@Sendable (@escaping @Sendable (Request) async throws -> Response) -> any Transport)
  }

  package let kind: Kind

  /// Creates a subject from a transport with a wire.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - addedFields: The names of fields that the transport adds to requests.
  ///   - deviations: The checks that are known to fail.
  ///   - make: Creates a transport. Each check shuts down the transports it requested.
  public init(
    _ name: String,
    addedFields: Set<String> = [],
    deviations: [Deviation] = [],
    make: @escaping @Sendable (Setup) throws -> any Transport
  ) {
    self.name = name
    self.addedFields = addedFields
    self.deviations = deviations
    kind = .wire(make)
  }

  /// Creates a subject from a transport without a wire, over a closure in place of the server.
  public init(
    inProcess name: String,
    deviations: [Deviation] = [],
    make: @escaping @Sendable (@escaping @Sendable (Request) async throws -> Response) -> any Transport
  ) {
    self.name = name
    addedFields = []
    self.deviations = deviations
    kind = .inProcess(make)
  }

  /// Returns the capabilities that the transport declares.
  ///
  /// - Throws: Any error of creating a transport.
  public func capabilities() async throws -> TransportCapabilities {
    let transport: any Transport
    switch kind {
    case .wire(let make): transport = try make(Setup())
    case .inProcess(let make): transport = make { _ in Response(.ok) }
    }
    let capabilities = transport.capabilities
    _ = await Finding.of(within: .seconds(10)) { await transport.shutdown() }
    return capabilities
  }
}

extension Subject: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}
