public import StagecoachCore

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
  ///   - filePath: The file of the test, by which the package is found.
  /// - Throws: ``FixtureError`` of kind `changed` if the reply differs, `missing` if there is no such exchange, and
  ///   `configuration` if a recording such as that of a broken connection cannot be verified; `ScenarioError` if the
  ///   fixture is malformed; `CancellationError`.
  public func verify(
    exchange id: String,
    against service: any Transport,
    filePath: String = #filePath
  ) async throws {
    let folder = try FixtureRoot(root, filePath: filePath).folder(of: name)
    guard let report = try await StoredFixture(folder: folder).report() else {
      throw FixtureError(.missing, fixture: name, "there is no scenario in \(folder)")
    }
    guard let exchange = report.scenario.exchanges.first(where: { $0.id == id }) else {
      throw FixtureError(
        .missing,
        fixture: name,
        file: report.manifest,
        "there is no exchange \"\(id)\"; build again, so that the tests are those of the fixture"
      )
    }
    let contract = try report.contract(of: exchange)
    let found = try await Verification([contract], against: service).run().exchanges
    for result in found {
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
