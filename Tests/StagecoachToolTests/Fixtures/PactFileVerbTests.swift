#if Tool && AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures
  import TestSupport
  import Testing

  /// `contract import` and `contract export` with Pact files, as processes.
  @Suite struct PactFileVerbTests {
    private static let pact = #"""
      {"consumer": {"name": "web"}, "provider": {"name": "users"},
       "interactions": [
        {"description": "a user", "request": {"method": "GET", "path": "/users/42", "headers": {"Accept": "application/json"},
         "matchingRules": {"$.path": {"match": "regex", "regex": "/users/\\d+"}}},
         "response": {"status": 200, "headers": {"Content-Type": "application/json"}, "body": {"id": 42},
          "matchingRules": {"$.body.id": {"match": "type"}}}}],
       "metadata": {"pactSpecification": {"version": "2.0.0"}}}
      """#

    @Test func aPactFileIsReplayedVerifiedAndExported() async throws {
      let folder = try ScratchFolder()
      let file = try folder.write("pact.json", Data(Self.pact.utf8))
      let place = folder.path("users").path
      let imported = try await ToolProcess.run("contract", "import", file, "--to", place, "--strict")
      #expect(imported.status == 0 && imported.text == "\(place): 1 exchanges\n", "\(imported)")
      #expect(try await ToolProcess.run("contract", "lint", place).status == 0)

      for contract in [place, file] {
        let replay = try ToolProcess(["replay", contract])
        defer { replay.send(SIGKILL) }
        let url = try await replay.listening()
        let verified = try await ToolProcess.run("verify", file, "--against", url)
        #expect(verified.status == 0, "\(verified)")
        replay.interrupt()
        #expect(try await replay.outcome().status == 0)
      }

      let written = folder.path("written.json").path
      let names = ["--consumer", "web", "--provider", "users"]
      let exported = try await ToolProcess(
        ["contract", "export", place, "--as", "pact", "--to", written, "--strict"] + names
      ).outcome()
      #expect(exported.status == 0 && exported.text.isEmpty, "\(exported)")
      let (old, new) = (try PactFile(path: file), try PactFile(path: written))
      #expect(new.consumer.name == "web" && new.provider.name == "users" && new.version == .v4)
      #expect(new.requests.map(\.description) == ["a user"])
      #expect(new.requests.first?.request.message == old.requests.first?.request.message)
      #expect(new.requests.first?.response.message == old.requests.first?.response.message)
    }

    @Test func interactionsAreAddedToAFile() async throws {
      let folder = try ScratchFolder()
      let place = folder.path("s").path
      var scenario = Scenario(title: "first")
      let reply = Scenario.Reply(Scenario.Head(HTTPResponse(status: .ok)))
      scenario.exchanges = [
        Scenario.Exchange(id: "01", request: .init("GET", "https://api.test/a"), reply: reply)
      ]
      try scenario.write(folder: place)
      let file = folder.path("pact.json").path
      func export(_ more: String...) async throws -> ToolProcess.Outcome {
        try await ToolProcess(["contract", "export", place, "--as", "pact", "--to", file] + more).outcome()
      }
      #expect(try await export().status == 0)
      #expect(try PactFile(path: file).provider.name == "api.test")
      scenario.title = "second"
      scenario.exchanges[0].reply.trailers = [.eTag: "a"]
      try scenario.write(folder: place)
      let strict = try await export("--strict")
      #expect(strict.status == 1 && strict.text == "1 exchange lost trailers\n", "\(strict)")
      #expect(try PactFile(path: file).requests.count == 1)
      #expect(try await export().status == 0)
      #expect(try PactFile(path: file).requests.map(\.description) == ["first: GET /a", "second: GET /a"])

      scenario.exchanges[0].reply.head?.response.status = .notFound
      try scenario.write(folder: place)
      let conflict = try await export()
      #expect(conflict.status == 4, "\(conflict)")
      #expect(
        conflict.errors.contains(
          "\"second: GET /a\" has other content: response.status (200 in the file, 404 now)"
        ),
        "\(conflict)"
      )
    }

    @Test func aFolderOfScenariosIsExported() async throws {
      let folder = try ScratchFolder()
      let reply = Scenario.Reply(Scenario.Head(HTTPResponse(status: .ok)))
      for name in ["a", "b/c"] {
        var scenario = Scenario(title: nil)
        scenario.exchanges = [
          Scenario.Exchange(id: "01", request: .init("GET", "https://api.test/\(name)"), reply: reply)
        ]
        if name == "a" { scenario.exchanges[0].reply.trailers = [.eTag: "a"] }
        try scenario.write(folder: folder.path("all/\(name)").path)
      }
      func export(_ format: String, _ file: String) async throws -> ToolProcess.Outcome {
        let arguments = [folder.path("all").path, "--as", format, "--to", folder.path(file).path]
        return try await ToolProcess(["contract", "export"] + arguments).outcome()
      }
      let pact = try await export("pact", "pact.json")
      #expect(pact.status == 0 && pact.text == "a: 1 exchange lost trailers\n", "\(pact)")
      let written = try PactFile(path: folder.path("pact.json").path)
      #expect(written.provider.name == "api.test")
      #expect(written.requests.map(\.description) == ["a: GET /a", "b/c: GET /b/c"])
      for (format, ending) in [("har", "har"), ("wiremock", "json")] {
        let outcome = try await export(format, format)
        #expect(outcome.status == 0, "\(outcome)")
        for name in ["a", "b/c"] {
          let bytes = try [UInt8](Data(contentsOf: folder.path("\(format)/\(name).\(ending)")))
          let read = try await InterchangeFormat.scenario(in: bytes, of: "\(name).\(ending)").scenario
          #expect(read.exchanges.count == 1, "\(format) \(name)")
        }
      }
    }
  }
#endif
