public import StagecoachCore

/// One thing that a transport has to do, and how to find out whether it does.
public struct Check: Sendable, Identifiable, CustomStringConvertible {
  /// How binding a check is.
  public enum Level: String, Sendable, Hashable {
    /// Holds for every transport; on a wire for those that have the capability `TransportCapabilities.wire`.
    case mandatory
    /// Holds for those that declare the capability.
    case capability
    /// A failure is to be a typed error.
    case typedError
  }

  /// The number of three digits, with a letter for a part of a check, and a name: `055-truncated-length`.
  public let id: String
  /// What has to hold, in one sentence.
  public let title: String
  /// How binding it is.
  public let level: Level
  /// What a transport has to declare for it to apply.
  public let needs: TransportCapabilities
  /// Whether it can be run without a wire.
  public let runsInProcess: Bool

  let body: @Sendable (Trial) async throws -> Void

  /// A check.
  ///
  /// - Parameters:
  ///   - id: A number and a name.
  ///   - title: What has to hold.
  ///   - level: How binding it is.
  ///   - needs: What a transport has to declare for it to apply.
  ///   - runsInProcess: Whether it can be run without a wire.
  ///   - body: Throws if it does not hold, best a ``CheckFailure``.
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

  /// The id.
  public var description: String { id }

  /// The number, such as `055`.
  public var number: Substring { id.prefix { $0 != "-" } }

  /// All checks, in the order of their ids.
  ///
  /// - Throws: ``ScriptError`` if a wire script cannot be read.
  public static func all() throws -> [Check] {
    let coded =
      messageChecks + bodyChecks + connectionChecks + proxyChecks + reuseChecks + timeChecks
      + timeoutChecks + errorChecks + eventChecks + tlsChecks + pinChecks + http2Checks + http2CutChecks
    return (coded + (try ScriptedCheck.all())).sorted { $0.id < $1.id }
  }
}

/// Why a check did not hold.
public struct CheckFailure: Error, CustomStringConvertible {
  /// What was wanted and what happened.
  public let description: String

  /// A failure.
  public init(_ description: String) {
    self.description = description
  }
}

extension Check {
  /// What takes longer than this did not happen at once, on however busy a machine; engines' own limits are longer.
  static let patience: Duration = .seconds(20)
}

/// Throws if something does not hold.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw CheckFailure(message()) }
}

/// Refuses a failure that is nobody's finding: the transport waited until its patience was over, or never asked.
func requireNoticed(_ error: ExchangeError) throws {
  switch error.kind {
  case .timeout, .unsupported: throw CheckFailure("it fails as \(error.kind): \(error.message)")
  default: break
  }
}
