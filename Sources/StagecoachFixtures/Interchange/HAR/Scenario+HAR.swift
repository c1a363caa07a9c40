public import StagecoachCore

extension Scenario {
  /// Reads a HAR file, as browsers, proxies and `har()` write it, and removes its secrets as a ``Recorder`` does.
  ///
  /// ```swift
  /// import Stagecoach
  /// import StagecoachFixtures
  ///
  /// let har = Bytes(#"{"log": {"version": "1.2", "entries": []}}"#)
  /// let scenario = try Scenario(har: har)
  /// ```
  ///
  /// HAR holds contents without their codings; a replay applies the codings again that the fields name. Content that
  /// the file does not have is an omission, a failed request an outcome. Limits: 256 MiB, 100,000 entries, 64 MiB for a body.
  ///
  /// - Parameters:
  ///   - har: The content of the file.
  ///   - file: The name of the file in errors.
  ///   - redaction: What is secret besides what is found.
  /// - Throws: ``ScenarioError``, with the line where there is one, and ``RedactionError``.
  public init(
    har: Bytes,
    file: String = "HAR",
    redaction: RedactionOptions = RedactionOptions()
  ) throws {
    let foreign = ForeignFile(name: file, bytes: har.array, folder: nil)
    let root = try foreign.json()
    self = try foreign.reading { try HARReader.scenario(in: root, of: foreign) }.redacted(redaction).scenario
  }

  /// Returns the scenario as a HAR 1.2 file. What HAR has no place for stands in members `_stagecoach`, which other
  /// tools ignore, so that `init(har:file:redaction:)` gives the same scenario again; the losses say what the others
  /// do not see.
  ///
  /// - Throws: ``ScenarioError`` if the scenario is invalid.
  public func har() throws -> ScenarioExport {
    try HARWriter.export(self)
  }
}
