#if Tool
  import Foundation
  import HTTPTypes
  import StagecoachFixtures
  import TestSupport
  import Testing

  /// The verbs of `contract` for scenarios that are written by hand.
  struct ScenarioVerbsTests {
    private let folder: ScratchDirectory

    init() throws { folder = try ScratchDirectory() }

    @Test func aNewScenarioIsValidAndNotOverwritten() async throws {
      let place = "\(folder.path)/users/get-user"
      let new = try await ToolProcess.run("contract", "new", place, "--url", "https://api.test/users/42?x=1")
      #expect(new.status == 0, "\(new)")
      let scenario = try Scenario(folder: place)
      #expect(scenario.title == "get-user" && scenario.exchanges[0].request.target == "{api}/users/42?x=1")
      let lint = try await ToolProcess.run("contract", "lint", folder.path)
      #expect(lint.status == 0, "\(lint)")
      let again = try await ToolProcess.run("contract", "new", place, "--url", "https://api.test/")
      #expect(again.status == 4 && again.errors.contains("there is a scenario already"), "\(again)")
      let wrong = try await ToolProcess.run("contract", "new", "\(folder.path)/b", "--url", "nowhere")
      #expect(wrong.status == 2, "\(wrong)")
    }

    @Test func formatWritesOneForm() async throws {
      let place = "\(folder.path)/a"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      let text = #"{"exchanges":[],"title":"t","format":"stagecoach-scenario/1","$schema":"s.json"}"#
      try text.write(toFile: "\(place)/scenario.json", atomically: true, encoding: .utf8)
      let first = try await ToolProcess.run("contract", "format", folder.path)
      #expect(first.status == 0 && first.text == "\(place)\n", "\(first)")
      let written = try String(contentsOfFile: "\(place)/scenario.json", encoding: .utf8)
      #expect(
        written == """
          {
            "$schema": "s.json",
            "format": "stagecoach-scenario/1",
            "title": "t",
            "exchanges": []
          }

          """
      )
      let second = try await ToolProcess.run("contract", "format", folder.path)
      #expect(second.status == 0 && second.text.isEmpty, "\(second)")
    }

    @Test func statusTellsTheAge() async throws {
      var scenario = Scenario(title: "t")
      try scenario.write(folder: "\(folder.path)/hand")
      let fine = try await ToolProcess.run("contract", "status", folder.path)
      #expect(
        fine.status == 0 && fine.text == "\(folder.path)/hand: 0 exchanges, written by hand\n",
        "\(fine)"
      )
      scenario.recording = .init(date: Date(timeIntervalSinceNow: -3 * 86_400 - 60))
      scenario.expires = Date(timeIntervalSince1970: 0)
      try scenario.write(folder: "\(folder.path)/old")
      let old = try await ToolProcess.run("contract", "status", folder.path)
      #expect(old.status == 1 && old.text.contains(", 3 days ago, expired on 1970-01-01\n"), "\(old)")
      let none = try await ToolProcess.run("contract", "status", "\(folder.path)/none")
      #expect(none.status == 4, "\(none)")
    }
  }
#endif
