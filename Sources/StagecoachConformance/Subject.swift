import HTTPTypes
public import StagecoachCore

/// A transport under test: how it is made, and what is known of it.
///
/// ```swift
/// let subject = Subject("Mine") { setup in
///   MyTransport(connections: setup.connections, trust: setup.trust, time: setup.time)
/// }
/// for check in try Check.all() {
///   let result = await subject.run(check)
///   print(check.id, result.outcome)
/// }
/// ```
public struct Subject: Sendable {
  /// What a check asks a transport to be made with.
  public struct Setup: Sendable {
    /// How to connect.
    public var connections = ConnectionOptions()
    /// Whom to believe.
    public var trust = Trust()
    /// The clock.
    public var time: any TimeSource = SystemTime()

    /// The defaults.
    public init() {}
  }

  /// A check that is known to fail, how, and why.
  public struct Deviation: Sendable, Hashable {
    /// The number of the check, such as `055` or `039c`.
    public let check: String
    /// What the text of the failure holds: a check that fails in another way has failed. Nil where it ends the process,
    /// so that the check is not run; a test in a process of its own shows that it does.
    public let failure: String?
    /// Why it fails, and which way round it was tried.
    public let reason: String
    /// The line of the engine's source or the thread of its tracker.
    public let reference: String

    /// A deviation.
    ///
    /// - Parameters:
    ///   - check: The number of the check.
    ///   - failure: What the text of its failure holds; nil where it ends the process.
    ///   - reason: Why it fails.
    ///   - reference: The line of the engine's source or the thread of its tracker.
    public init(_ check: String, failure: String?, _ reason: String, reference: String) {
      self.check = check
      self.failure = failure
      self.reason = reason
      self.reference = reference
    }
  }

  /// Its name in reports.
  public let name: String
  /// The names of fields that it adds to requests; see `TransportCapabilities.addsFields`.
  public var addedFields: Set<String>
  /// The checks that are known to fail.
  public var deviations: [Deviation]

  enum Kind: Sendable {
    case wire(@Sendable (Setup) throws -> any Transport)
    case inProcess(@Sendable (@escaping @Sendable (Request) async throws -> Response) -> any Transport)
  }

  let kind: Kind

  /// A transport that speaks on a wire.
  ///
  /// - Parameters:
  ///   - name: Its name in reports.
  ///   - addedFields: The names of fields that it adds to requests.
  ///   - deviations: The checks that are known to fail.
  ///   - make: Makes one. Each check shuts down what it asked for.
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

  /// A transport without a wire, over a closure that stands for the server.
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

  /// What the transport declares.
  ///
  /// - Throws: What making one throws.
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
