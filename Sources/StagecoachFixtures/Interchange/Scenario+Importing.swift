public import StagecoachCore

extension Scenario {
  /// Reads a file of another tool, in the format that its content shows, and removes its secrets as a ``Recorder`` does:
  /// HAR, mappings of WireMock, a Pact file, what `curl -i` printed, or exchanges as in a file `.http`.
  ///
  /// ```swift
  /// import Stagecoach
  /// import StagecoachFixtures
  ///
  /// let har = Bytes(#"{"log": {"version": "1.2", "entries": []}}"#)
  /// let scenario = try await Scenario(importing: har)
  /// ```
  ///
  /// Contents without their codings get those again, in a replay, that the fields name. Content that the file does not have
  /// is an omission, a failed request an outcome; `stagecoach contract import` prints what else was not taken. Limits: 256
  /// MiB, 100,000 exchanges, 64 MiB for a body.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file. Other files that it names are not read.
  ///   - file: The name of the file in errors.
  ///   - redaction: What is secret besides what is found.
  /// - Throws: ``ScenarioError``, with the line where there is one, and ``RedactionError``.
  public init(
    importing bytes: Bytes,
    file: String = "import",
    redaction: RedactionOptions = RedactionOptions()
  ) async throws {
    let foreign = ForeignFile(name: file, bytes: bytes.array, folder: nil)
    self = try await InterchangeFormat.scenario(in: foreign, redaction: redaction).scenario
  }
}
