import StagecoachCore

/// The formats of other tools.
package enum InterchangeFormat: String, Sendable, Hashable, CaseIterable {
  /// HTTP Archive 1.2, of browsers and proxies.
  case har
  /// Mappings of WireMock.
  case wiremock
  /// Pact files, of versions 1 to 4.
  case pact
  /// What `curl -i` prints.
  case curl
  /// Exchanges that were written by hand, in a file `.http`.
  case http

  /// The formats that scenarios are written in.
  package static let written: [InterchangeFormat] = [.har, .pact, .wiremock]

  /// Reads a file as a scenario, in the format that its content shows, and removes secrets as a recorder does.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - file: Its path: files that it names are read from the same folder.
  ///   - redaction: What is secret besides what is found.
  /// - Throws: ``ScenarioError``, with the line where there is one, and ``RedactionError``.
  package static func scenario(
    in bytes: [UInt8],
    of file: String,
    redaction: RedactionOptions = RedactionOptions()
  ) async throws -> ImportedScenario {
    try await scenario(in: ForeignFile(path: file, bytes: bytes), redaction: redaction)
  }

  static func scenario(in file: ForeignFile, redaction: RedactionOptions) async throws -> ImportedScenario {
    try await read(file).redacted(redaction)
  }

  private static func read(_ file: ForeignFile) async throws -> ImportedScenario {
    guard let first = file.bytes.first(where: { !" \t\r\n".utf8.contains($0) }) else {
      throw ScenarioError(.format, file: file.name, "the file is empty")
    }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let root = try file.json()
      switch try file.reading({ try format(of: root) }) {
      case .wiremock: return try await WireMockReader.scenario(in: [(root, file)])
      case .pact:
        let (scenario, notes) = try PactFile(contents: file.bytes, path: file.name).scenario()
        return ImportedScenario(scenario: scenario, notes: notes)
      default: return try await HARReader.scenario(in: root, of: file)
      }
    case _ where file.bytes.starts(with: "HTTP/".utf8): return try await CurlDump.scenario(in: file)
    case _ where file.bytes.starts(with: "PK\u{3}\u{4}".utf8):
      throw ScenarioError(
        .format,
        file: file.name,
        "a ZIP archive: unpack it, and import the file .har from it; the bodies beside it are read"
      )
    default:
      return ImportedScenario(scenario: try Scenario(http: file.bytes, file: file.name), notes: [])
    }
  }

  private static func format(of root: ManifestNode) throws -> InterchangeFormat {
    if root.member("log") != nil { return .har }
    if root.member("consumer") != nil, root.member("provider") != nil { return .pact }
    if isWireMock(root) { return .wiremock }
    throw root.failure(
      "not a format that is known: neither \"log\" (HAR) nor \"mappings\" (WireMock) nor \"consumer\" (Pact)"
    )
  }

  /// Whether a file has mappings of WireMock, in which a request or a response may be missing.
  static func isWireMock(_ root: ManifestNode) -> Bool {
    root.value.arrayValue != nil || ["mappings", "request", "response"].contains { root.member($0) != nil }
  }

  /// Reads all mappings of WireMock below a folder as a scenario, as ``scenario(in:of:redaction:)`` reads a file. The
  /// contents lie in `__files`.
  ///
  /// - Throws: ``ScenarioError``, with the line where there is one, and ``RedactionError``.
  package static func scenario(
    inFolder folder: String,
    redaction: RedactionOptions = RedactionOptions()
  ) async throws -> ImportedScenario {
    try await WireMockProject.scenario(in: folder).redacted(redaction)
  }

  /// Writes a scenario in this format, except Pact: interactions are added to a file, with `PactFile`.
  ///
  /// - Throws: ``ScenarioError`` if the scenario is invalid, or the format is only read.
  package func export(_ scenario: Scenario) throws -> ScenarioExport {
    switch self {
    case .har: try HARWriter.export(scenario)
    case .wiremock: try WireMockWriter.export(scenario)
    case .pact, .curl, .http:
      throw ScenarioError(.format, file: rawValue, "scenarios are not written in this format")
    }
  }
}
