public import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verification {
  /// Creates a verification of the scenarios in a folder and below it, or of a Pact file. What the files `redaction.json`
  /// of their folders redact is in ``redaction``, and what all of them keep.
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
    let places = Set(isFolder ? interactions.map(\.source) : [contract])
    let options = try places.map { try RedactionOptions(for: $0) }
    for other in options { redaction.merge(other) }
    // The reports show the exchanges of all: what one scenario keeps may be a secret of another.
    for other in options {
      redaction.allowedNames.formIntersection(other.allowedNames)
      redaction.allowedPaths.formIntersection(other.allowedPaths)
    }
  }
}
