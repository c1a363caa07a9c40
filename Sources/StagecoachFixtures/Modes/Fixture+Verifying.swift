public import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Fixture {
  /// Sends a recorded request to a service and compares the reply, as ``Verification`` does for all of a contract.
  ///
  /// The plug-in `FixtureContractTests` generates a test for each exchange that calls this function. Placeholders of
  /// secrets are sent as they are: credentials are what a stage of the service's pipeline adds.
  ///
  /// - Parameters:
  ///   - id: The identifier of the exchange.
  ///   - service: What answers: a client's stack, a pipeline that adds credentials, or a handler in the process. It is
  ///     not shut down.
  ///   - states: The handlers of the states that the exchange requires, by their names. The exchanges before it are not
  ///     sent, so what they set needs a handler too. A state without a handler is a warning on standard error.
  ///   - redaction: The values of secrets, and what else is secret besides what `redaction.json` names.
  ///   - filePath: The file of the test, by which the package is found.
  /// - Throws: ``FixtureError`` of kind `changed` if the reply differs, `missing` if there is no such exchange, `stale` if
  ///   the fixture is not the one of the build, and `configuration` if a recording such as that of a broken connection
  ///   cannot be verified; `ScenarioError` if the fixture is malformed; `CancellationError`.
  public func verify(
    exchange id: String,
    against service: any Transport,
    states: [String: ProviderStateHandler] = [:],
    redaction: RedactionOptions = RedactionOptions(),
    filePath: String = #filePath
  ) async throws {
    let folder = try FixtureRoot(root, filePath: filePath).folder(of: name)
    let stored = StoredFixture(folder: folder)
    guard let report = try await stored.report() else {
      throw FixtureError(.missing, fixture: name, "there is no scenario in \(folder)")
    }
    // Other tests of a run that records may have written it since.
    let mode = try await FixtureMode.resolved(call: nil, environment: ProcessInfo.processInfo.environment) {
      report.scenario.policy.mode
    }
    if !mode.isRecording { try await stored.check(FixtureIndex(of: self)) }
    guard let exchange = report.scenario.exchanges.first(where: { $0.id == id }) else {
      throw FixtureError(
        .missing,
        fixture: name,
        file: report.manifest,
        "there is no exchange \"\(id)\"; build again, so that the tests are those of the fixture"
      )
    }
    let contract = try report.contract(of: exchange)
    var verification = Verification([contract], against: service)
    verification.states = states
    verification.caller = .test
    verification.redaction = try RedactionOptions(redaction, for: folder)
    for result in try await verification.run().exchanges {
      for warning in result.warnings where result.outcome != .skipped {
        writeWarning("\(report.place(of: id)): \(warning)")
      }
      switch result.outcome {
      case .agreed, .pending: break
      case .skipped:
        let reasons = result.warnings.joined(separator: "; ")
        throw report.error(.configuration, exchange, fixture: name, "cannot be verified: \(reasons)")
      default:
        let differences = result.differences.filter(\.isMismatch).map { "\n  \($0.place): \($0.message)" }
        throw report.error(
          .changed,
          exchange,
          fixture: name,
          "the reply is not as recorded:\(differences.joined())"
        )
      }
    }
  }
}
