public import StagecoachCore

/// A requirement for transports, with the code that tests it.
public struct Check: Sendable, Identifiable, CustomStringConvertible {
  /// The level of a check, which determines the transports that it applies to.
  public enum Level: String, Sendable, Hashable {
    /// Applies to every transport; on a wire to those with the capability `TransportCapabilities.wire`.
    case mandatory
    /// Applies to transports with the required capability.
    case capability
    /// Requires that a failure is a typed error.
    case typedError
  }

  /// The three-digit number, with a letter for part of a check, and a name: `055-truncated-length`.
  public let id: String
  /// The requirement, in one sentence.
  public let title: String
  /// The level.
  public let level: Level
  /// The capabilities that a transport must have for the check to apply.
  public let needs: TransportCapabilities
  /// Whether the check can run without a wire.
  public let runsInProcess: Bool

  let body: @Sendable (Trial) async throws -> Void

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - id: The number and the name.
  ///   - title: The requirement.
  ///   - level: The level.
  ///   - needs: The capabilities that a transport must have for the check to apply.
  ///   - runsInProcess: Whether the check can run without a wire.
  ///   - body: Throws if the requirement is not met, preferably a ``CheckFailure``.
  public init(
    _ id: String,
    _ title: String,
    level: Level = .mandatory,
    needs: TransportCapabilities = [],
    runsInProcess: Bool = false,
    body: @escaping @Sendable (Trial) async throws -> Void
  ) {
    self.id = id
    self.title = title
    self.level = level
    self.needs = needs
    self.runsInProcess = runsInProcess
    self.body = body
  }

  /// The ID.
  public var description: String { id }

  /// The number, such as `055`.
  public var number: Substring { id.prefix { $0 != "-" } }
}

/// The failure of a check.
public struct CheckFailure: Error, CustomStringConvertible {
  /// The expected and the actual behaviour.
  public let description: String

  /// Creates a failure.
  public init(_ description: String) {
    self.description = description
  }
}

extension Check {
  /// The time within which something must happen, even on a busy machine; the engines' own limits are longer.
  static let patience: Duration = .seconds(20)
}

/// Throws if something does not hold.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw CheckFailure(message()) }
}

/// Refuses a failure that detected nothing: the transport waited until its time limit, or sent nothing.
func requireNoticed(_ error: ExchangeError) throws {
  switch error.kind {
  case .timeout, .unsupported: throw CheckFailure("it fails as \(error.kind): \(error.message)")
  default: break
  }
}
