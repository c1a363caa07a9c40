public import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verification {
  /// Creates a verification of the scenarios in a folder and below it, or of a Pact file. What the files `redaction.json`
  /// of their folders name is in ``redaction``.
  ///
  /// - Parameters:
  ///   - contract: The folder of a scenario, or one with such folders; or a Pact file.
  ///   - transport: What answers.
  ///   - base: The URL that stands in for the origin of the recording; by default the recorded origin, and
  ///     `http://localhost` for a Pact file.
  /// - Throws: ``ScenarioError`` if there is no contract, or if it or a `redaction.json` is malformed.
  public init(contract: String, against transport: any Transport, base: String? = nil) throws {
    let isFolder = (try? FileManager.default.contentsOfDirectory(atPath: contract)) != nil
    let interactions =
      !isFolder && FileManager.default.fileExists(atPath: contract)
      ? try PactFile(path: contract).interactions
      : try ScenarioContract.interactions(inAndBelow: contract)
    self.init(interactions, against: transport, base: base)
    for place in Set(isFolder ? interactions.map(\.source) : [contract]) {
      redaction = try RedactionOptions(redaction, for: place)
    }
  }
}
