#if Tool && AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures
  import StagecoachOrigin
  import TestSupport
  import Testing

  /// `--secret`, `--redact`, `--keep` and `redaction.json` in the verbs that read and write recordings.
  @Suite struct RedactionVerbsTests {
    private let folder: ScratchDirectory

    init() throws { folder = try ScratchDirectory() }

    /// A service with a login, whose token depends on the password.
    private func withService(_ password: String, _ test: (String) async throws -> Void) async throws {
      let token = "tk-\(password)-9f8e7d6c5b4a"
      let server = try await HandlerServer.start { request in
        let json: HTTPFields = [.contentType: "application/json"]
        switch request.head.path {
        case "/login":
          let body = String(decoding: try await request.content(upTo: 1000))
          guard body.contains("password=\(password)") else { return Response(.unauthorized) }
          let text =
            #"{"access_token":"\#(token)","birthday":"1815-12-10","note":"ask \#(password) now","door":7}"#
          return Response(.ok, fields: json, body: .bytes(Bytes(text)))
        case "/me?code=DE":
          guard request.fields[.authorization] == "Bearer \(token)" else { return Response(.unauthorized) }
          return Response(.ok, fields: json, body: .bytes(#"{"name":"Ada","session":"s-1f2e3d4c5b6a"}"#))
        default: return Response(.notFound)
        }
      }
      do { try await test(server.url) } catch {
        await server.stop(patience: .zero)
        throw error
      }
      await server.stop(patience: .zero)
    }

    /// Logs in and reads a page.
    private func session(at url: String, _ password: String) async throws {
      let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
      let client = try Client(base: url + "/")
      let body = "user=ada&password=\(password)"
      let reply = try await client.send(Request(.post, "login", fields: form, body: .bytes(Bytes(body))))
      let json = try JSONValue(parsing: try await reply.body.collect(upTo: 1000).array)
      let token = try #require(json["access_token"]?.stringValue)
      let page = try await client.send(
        Request(.get, "me?code=DE", fields: [.authorization: "Bearer \(token)"])
      )
      #expect(try await String(decoding: page.body.collect(upTo: 1000)).contains("Ada"))
    }

    private func recorded(
      _ arguments: String...,
      environment: [String: String] = [:]
    ) async throws -> (place: String, outcome: ToolProcess.Outcome) {
      let place = "\(folder.path)/login"
      var outcome: ToolProcess.Outcome?
      try await withService("right-Horse-1") { url in
        let all = ["record", "--upstream", url, "--to", place] + arguments
        let record = try ToolProcess(all, environment: environment)
        defer { record.send(SIGKILL) }
        try await session(at: record.listening(), "right-Horse-1")
        record.send(SIGTERM)
        outcome = try await record.outcome()
      }
      return (place, try #require(outcome))
    }

    private func manifest(_ place: String) throws -> String {
      try String(contentsOfFile: place + "/scenario.json", encoding: .utf8)
    }

    @Test func aRecordingObeysAndSaysSo() async throws {
      try #"{"redact": ["$.birthday"], "keep": ["$.session"]}"#
        .write(toFile: folder.path + "/redaction.json", atomically: true, encoding: .utf8)
      let (place, outcome) = try await recorded(
        "--secret",
        "HORSE",
        "--secret=NAME=Ada",
        "--keep",
        "query.code",
        "--redact",
        "door",
        environment: ["HORSE": "right-Horse-1"]
      )
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      let lines = outcome.text.split(separator: "\n").dropFirst().map(String.init)
      for line in [
        "replaced HORSE-1: request.body password, reply.body $.note", "kept: reply.body $.session",
        "replaced DOOR-1 (number): reply.body $.door", "replaced NAME-1: reply.body $.name",
      ] {
        #expect(lines.contains(line), "\(line) is not in \(lines)")
      }
      #expect(
        lines.contains { $0.hasPrefix("replaced BIRTHDAY-1 (date): reply.body $.birthday") },
        "\(lines)"
      )
      #expect(!outcome.text.contains("Horse-1") && !outcome.text.contains("1f2e3d4c5b6a"), "\(outcome)")
      let manifest = try manifest(place)
      #expect(
        !manifest.contains("right-Horse") && !manifest.contains("1815-12-10") && !manifest.contains("Ada")
      )
      #expect(manifest.contains("s-1f2e3d4c5b6a") && manifest.contains("ask SECRET-HORSE-1 now"))

      // Another user's values are as good in a replay, and those of the service today in a verification.
      let replay = try ToolProcess(["replay", place])
      defer { replay.send(SIGKILL) }
      let url = try await replay.listening()
      let form = try await ToolProcess.run(
        "fetch",
        url + "/login",
        "--form",
        "user=ada",
        "--form",
        "password=another"
      )
      #expect(form.text.contains("SECRET-ACCESS_TOKEN-1"), "\(form)")
      replay.interrupt()
      _ = try await replay.outcome()
    }

    @Test func aVerificationSendsTheValuesOfToday() async throws {
      let (place, _) = try await recorded()
      try await withService("left-Mule-2") { url in
        let without = try await ToolProcess.run("verify", place, "--against", url)
        #expect(
          without.status == 1 && without.text.contains("give it with --secret PASSWORD=VALUE"),
          "\(without)"
        )
        #expect(!without.text.contains("redaction.secrets"))
        for (option, environment) in [
          ("PASSWORD=left-Mule-2", [:]), ("PASSWORD", ["PASSWORD": "left-Mule-2"]),
          ("PASSWORD-1=left-Mule-2", [:]),
        ] {
          let verified = try await ToolProcess.run(
            "verify",
            place,
            "--against",
            url,
            "--secret",
            option,
            environment: environment
          )
          #expect(verified.status == 0 && verified.text.hasSuffix("2 exchanges: 2 agreed\n"), "\(verified)")
        }
        let html = try await ToolProcess.run(
          "verify",
          place,
          "--against",
          url,
          "--secret",
          "PASSWORD=left-Mule-2",
          "--report",
          "html",
          "--redact",
          "name"
        )
        #expect(
          html.status == 0 && !html.text.contains("left-Mule-2") && !html.text.contains("Ada"),
          "\(html)"
        )
      }
    }

    @Test func lintFindsAndFixes() async throws {
      let place = "\(folder.path)/s"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      let text = #"""
        {"format":"stagecoach-scenario/1",   "exchanges": [{"id": "1",
          "request": {"method": "GET", "target": "https://api.example.com/?api_key=k3y-5e6f7a8b"},
          "reply": [{"status": 200}, {"body": {"text": "Mr. Horse", "type": "text/plain"}}]}]}
        """#
      try text.write(toFile: place + "/scenario.json", atomically: true, encoding: .utf8)
      let line = "\(place)/scenario.json:1: exchange 1: "

      let found = try await ToolProcess.run("contract", "lint", folder.path, "--secret", "MAN=Mr. Horse")
      #expect(found.status == 1 && found.text.contains(line + "reply.body"), "\(found)")
      #expect(found.text.contains("the secret MAN-1\n") && !found.text.contains("Horse"), "\(found)")
      #expect(found.text.contains(line + "request.target query.api_key: "), "\(found)")
      let kept = try await ToolProcess.run("contract", "lint", folder.path, "--keep", "query.api_key")
      #expect(kept.status == 0, "\(kept)")

      let fixed = try await ToolProcess.run(
        "contract",
        "lint",
        folder.path,
        "--fix",
        "--secret",
        "MAN=Mr. Horse"
      )
      #expect(fixed.status == 0 && fixed.text.hasSuffix("\n1 scenarios, 0 findings\n"), "\(fixed)")
      #expect(fixed.text.contains("\(place): replaced API_KEY-1: request.target query.api_key\n"), "\(fixed)")
      #expect(fixed.text.contains("the history of the repository still has what was replaced"), "\(fixed)")
      let expected = text.replacing("k3y-5e6f7a8b", with: "SECRET-API_KEY-1")
        .replacing("Mr. Horse", with: "SECRET-MAN-1")
      #expect(try manifest(place) == expected)
      let again = try await ToolProcess.run("contract", "lint", folder.path, "--fix")
      #expect(again.status == 0 && again.text == "1 scenarios, 0 findings\n", "\(again)")
    }

    @Test func anImportObeysAndSaysSo() async throws {
      let har = #"""
        {"log": {"version": "1.2", "creator": {"name": "b", "version": "1"}, "entries": [
         {"startedDateTime": "2026-03-01T10:00:00.123Z", "time": 1,
          "request": {"method": "GET", "url": "https://api.test/u?code=abc&session_token=xk39dk20dk", "httpVersion": "HTTP/1.1",
           "headers": [], "cookies": [], "queryString": [], "headersSize": -1, "bodySize": 0},
          "response": {"status": 200, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
           "content": {"size": 9, "mimeType": "text/plain", "text": "Mr. Horse"}, "redirectURL": "",
           "headersSize": -1, "bodySize": -1}, "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0}}]}}
        """#
      let file = try folder.file("a.har", Array(har.utf8))
      try #"{"redact": ["query.code"]}"#
        .write(toFile: folder.path + "/redaction.json", atomically: true, encoding: .utf8)
      let place = "\(folder.path)/fixtures/u"
      let imported = try await ToolProcess.run(
        "contract",
        "import",
        file,
        "--to",
        place,
        "--secret",
        "MAN",
        "--keep",
        "session_token",
        environment: ["MAN": "Mr. Horse"]
      )
      #expect(
        imported.status == 0 && imported.text.contains("kept: request.target query.session_token\n"),
        "\(imported)"
      )
      #expect(
        imported.text.contains("replaced MAN-1: reply.body") && !imported.text.contains("Horse"),
        "\(imported)"
      )
      let manifest = try manifest(place)
      #expect(
        manifest.contains("code=SECRET-CODE-1&session_token=xk39dk20dk") && manifest.contains("SECRET-MAN-1")
      )
    }

    @Test func refusesWrongUsage() async throws {
      let place = "\(folder.path)/login"
      let commands = [
        ["record", "--upstream", "http://127.0.0.1:1", "--to", place],
        ["contract", "import", "a.har", "--to", place],
        ["verify", place, "--against", "http://127.0.0.1:1"], ["contract", "lint", place],
      ]
      let wrong = [
        ["--secret", "NO_SUCH_VARIABLE"], ["--secret", "EMPTY="], ["--secret", "=hunter2"],
        ["--redact", "pin=hunter2"],
        ["--keep", ""], ["--redact", "q7Hw2LzX9bRt4KpV0sDmE8yU"],
      ]
      for command in commands {
        for option in wrong {
          let outcome = try await ToolProcess(command + option).outcome()
          #expect(outcome.status == 2, "\(command) \(option) \(outcome)")
          #expect(!outcome.errors.contains("hunter2") && !outcome.errors.contains("q7Hw"), "\(outcome)")
        }
      }
      // A project's file with a value ends each of them before anything is sent or written.
      try #"{"redact": ["pin=hunter2"]}"#
        .write(toFile: folder.path + "/redaction.json", atomically: true, encoding: .utf8)
      _ = try folder.file("a.har", Array(#"{"log": {"version": "1.2", "entries": []}}"#.utf8))
      let scenario = #"""
        {"format": "stagecoach-scenario/1", "exchanges": [{"id": "1", "reply": [{"status": 200}],
          "request": {"method": "GET", "target": "https://api.example.com/"}}]}
        """#
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try scenario.write(toFile: place + "/scenario.json", atomically: true, encoding: .utf8)
      for var command in commands {
        if command[1] == "import" { command[2] = "\(folder.path)/a.har" }
        let outcome = try await ToolProcess(command).outcome()
        let texts = outcome.text + outcome.errors
        #expect(
          outcome.status != 0 && texts.contains("\(folder.path)/redaction.json: "),
          "\(command) \(outcome)"
        )
        #expect(!texts.contains("hunter2"))
      }
    }
  }
#endif
