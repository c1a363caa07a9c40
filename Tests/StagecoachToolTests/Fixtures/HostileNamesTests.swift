#if Tool && AsyncHTTPClient
  import Foundation
  import StagecoachFixtures
  import TestSupport
  import Testing

  /// Names of others in everything that is printed: characters that control a terminal or reorder text are shown harmless.
  struct HostileNamesTests {
    /// An override of the direction, an isolate, a mark, a line separator, and escapes of a terminal.
    private static let hostile = "\u{202e}\u{2066}\u{200f}\u{2028}\u{1b}[31m\u{85}"

    private static func isHarmless(_ text: String) -> Bool {
      !text.unicodeScalars.contains { scalar in
        hostile.unicodeScalars.contains(scalar) && scalar.value > 0x7e || scalar.value == 0x1b
      }
    }

    private func manifest() -> String {
      let name = "n\(Self.hostile)n"
      let escaped = name.replacing("\u{1b}", with: "\\u001b")
      return """
        { "format": "stagecoach-scenario/1", "title": "\(escaped)", "origins": { "api": "http://127.0.0.1:9" },
          "exchanges": [
            { "id": "\(escaped)", "request": { "method": "GET", "target": "{api}/a" }, "sets": { "\(escaped)": "\(escaped)" },
              "reply": [{ "status": 200 }, { "body": { "json": { "\(escaped)": 1 } } }] },
            { "id": "02", "request": { "method": "GET", "target": "{api}/b" }, "requires": { "\(escaped)": "\(escaped)" },
              "expect": { "header.\(escaped)": "any-uuid" },
              "reply": [{ "status": 200 }, { "body": { "omitted": "\(escaped)", "bytes": 1 } }] }
          ] }
        """
    }

    @Test func everyVerbPrintsNamesHarmlessly() async throws {
      let scratch = try ScratchDirectory()
      let folder = "\(scratch.path)/f\(Self.hostile)f"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try manifest().write(toFile: "\(folder)/scenario.json", atomically: true, encoding: .utf8)
      try "{}".write(toFile: "\(folder)/01\(Self.hostile).response.json", atomically: true, encoding: .utf8)
      let broken = "\(scratch.path)/b\(Self.hostile)b"
      try FileManager.default.createDirectory(atPath: broken, withIntermediateDirectories: true)
      try "{\(Self.hostile)".write(toFile: "\(broken)/scenario.json", atomically: true, encoding: .utf8)
      let pact = "\(scratch.path)/pact.json"
      var commands = [
        ["contract", "lint", folder], ["contract", "status", folder], ["contract", "diff", folder, folder],
        ["contract", "lint", broken], ["contract", "status", broken],
        ["contract", "export", folder, "--as", "pact", "--to", pact],
        ["contract", "import", pact, "--to", "\(scratch.path)/o"], ["contract", "format", folder],
        ["replay", broken],
        ["contract", "import", "\(broken)/scenario.json", "--to", "\(scratch.path)/o"],
        ["replay", folder, "--origin", "http://\(Self.hostile)"],
      ]
      let port = try freePort()
      for format in ["text", "json", "html", "junit", "sarif"] {
        commands += [folder, pact].map {
          ["verify", $0, "--against", "http://127.0.0.1:\(port)", "--report", format]
        }
      }
      for command in commands {
        let outcome = try await ToolProcess(command).outcome()
        #expect(outcome.status != nil, "\(command)")
        #expect(
          Self.isHarmless(outcome.text) && Self.isHarmless(outcome.errors),
          "\(command[0...1]): \(outcome)"
        )
      }
      let lint = try await ToolProcess.run("contract", "lint", folder)
      #expect(
        lint.text.contains("note: ") && lint.text.contains("not recorded: the content of the reply: n"),
        "\(lint)"
      )
    }
  }
#endif
