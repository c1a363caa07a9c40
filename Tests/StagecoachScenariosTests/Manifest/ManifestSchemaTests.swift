import Foundation
import StagecoachFormats
import StagecoachScenarios
import TestSupport
import Testing

/// The published schema accepts what is written and refuses what is not read, by the judgement of another program.
struct ManifestSchemaTests {
  private static let schema = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Fixtures/Schema/scenario-1.schema.json").path

  /// The first error of each manifest, or "valid".
  private func verdicts(of manifests: [String]) async throws -> [Substring] {
    let output = try await Python.run(
      """
      import json, sys, jsonschema
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft202012Validator.check_schema(schema)
      validator = jsonschema.Draft202012Validator(schema)
      for text in sys.stdin.read().split("\\0"):
        error = next(validator.iter_errors(json.loads(text)), None)
        print("valid" if error is None else error.json_path)
      """,
      arguments: [Self.schema],
      input: Array(manifests.joined(separator: "\0").utf8)
    )
    return String(decoding: output, as: UTF8.self).split(separator: "\n")
  }

  @Test(Python.needsPackages) func whatIsWrittenIsValid() async throws {
    let folder = try ScratchDirectory()
    try ManifestTests.full().write(folder: folder.path)
    let manifest = try String(contentsOfFile: "\(folder.path)/scenario.json", encoding: .utf8)
    #expect(try await verdicts(of: [manifest]) == ["valid"])
  }

  @Test(Python.needsPackages) func theSchemaRefusesWhatIsNotRead() async throws {
    let exchange =
      #"{"id":"1","request":{"method":"GET","target":"http://a/"},"reply":[{"status":200},{"body":{"text":""}}]}"#
    let whole = #"{"format":"stagecoach-scenario/1","exchanges":[\#(exchange)]}"#
    let changes = [
      ("scenario/1", "scenario/2"), (#""exchanges""#, #""exchange""#), (#""id":"1""#, #""id":"""#),
      (#""method":"GET","#, ""), ("200", "99"), (#"{"text":""}"#, #"{"text":"","json":1}"#),
      (#"{"text":""}"#, #"{"json":1,"spacing":["x"]}"#), (#"{"text":""}"#, #"{"json":1,"spacing":", "}"#),
      (#"{"text":""}"#, #"{"file":"../a"}"#), (#"{"text":""}"#, #"{"file":"/a"}"#), (#"{"text":""}"#, "{}"),
      (#"{"status":200}"#, #"{"state":200}"#), (#""id":"1""#, #""id":"1","times":"often""#),
      (#""id":"1""#, #""id":"1","because":{"accident":"0"}"#), (#""id":"1""#, #""id":"1","color":"red""#),
      (#"{"status":200}"#, #"{"status":200,"fields":[["a"]]}"#),
      (#"{"status":200}"#, #"{"status":200,"fields":[["a",{"latin1":"\u20ac"}]]}"#),
      (#"{"status":200}"#, #"{"status":200,"fields":[["a",{"latin1":"a","b":"c"}]]}"#),
    ]
    let broken = changes.map { whole.replacing($0.0, with: $0.1) }
    for text in broken {
      #expect(throws: ScenarioError.self, "\(text)") {
        try Scenario(manifest: Array(text.utf8)) { _ in "" }
      }
    }
    let verdicts = try await verdicts(of: [whole] + broken)
    #expect(verdicts.first == "valid" && verdicts.count == broken.count + 1)
    for (text, verdict) in zip(broken, verdicts.dropFirst()) { #expect(verdict != "valid", "\(text)") }
  }
}
