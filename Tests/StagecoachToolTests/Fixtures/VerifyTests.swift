#if Tool && AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures
  import StagecoachOrigin
  import Synchronization
  import TestSupport
  import Testing

  /// `verify` against servers.
  struct VerifyTests {
    private func scenario(
      _ answer: String = #"{"title":"from nginx","count":7}"#,
      in folder: ScratchDirectory
    ) throws
      -> String
    {
      var scenario = Scenario(title: "nginx")
      scenario.origins = [.init(name: "api", origin: "https://api.example.com")]
      let head = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json", .server: "old"])
      let body = Scenario.Body(Bytes(answer), type: "application/json")
      scenario.exchanges = [
        Scenario.Exchange(
          id: "01",
          request: Scenario.Request("GET", "{api}/a.json"),
          reply: Scenario.Reply(Scenario.Head(head), body: body)
        )
      ]
      try scenario.write(folder: folder.path + "/scenario")
      return folder.path + "/scenario"
    }

    @Test(.enabled(if: Nginx.executable != nil, "nginx is not installed: these tests are not run"))
    func theExitCodeIsTheVerdict() async throws {
      let nginx = try Nginx()
      defer { nginx.stop() }
      try await nginx.isListening()
      let folder = try ScratchDirectory()
      let place = try scenario(in: folder)
      let agreed = try await ToolProcess.run("verify", place, "--against", nginx.url)
      #expect(agreed.status == 0 && agreed.errors.isEmpty, "\(agreed)")
      #expect(agreed.text.contains("agreed      01  GET /a.json"))
      #expect(agreed.text.hasSuffix("1 exchange: 1 agreed\n") && !agreed.text.contains("\u{1b}"))

      let secure = try await ToolProcess.run("verify", place, "--against", nginx.secureURL, "--insecure")
      #expect(secure.status == 0, "\(secure)")

      let other = try ScratchDirectory()
      let changed = try scenario(#"{"title":7,"gone":1}"#, in: other)
      let broken = try await ToolProcess.run("verify", changed, "--against", nginx.url)
      #expect(broken.status == 1 && broken.errors.isEmpty, "\(broken)")
      #expect(broken.text.contains("Body had differences"))
      #expect(broken.text.contains("breaking  body $: Actual map is missing the following keys: gone"))

      // The report of the failure selects what is verified next.
      let report = "\(other.path)/report.json"
      let arguments = ["verify", other.path, "--against", nginx.url]
      let written = try await ToolProcess(arguments + ["--report", "json", "--to", report]).outcome()
      #expect(written.status == 1 && written.text == "1 exchange: 1 broken\n", "\(written)")
      let again = try await ToolProcess(arguments + ["--failed-in", report]).outcome()
      #expect(again.status == 1 && again.text.hasSuffix("1 exchange: 1 broken\n"), "\(again)")
      for format in ["junit", "sarif", "html"] {
        let other = try await ToolProcess(arguments + ["--report", format]).outcome()
        #expect(other.status == 1 && other.text.contains("is missing the following keys: gone"), "\(other)")
      }
    }

    /// What was recorded a moment ago agrees: redirects, parts, coded content, replies without content.
    @Test(.enabled(if: Nginx.executable != nil, "nginx is not installed: these tests are not run"))
    func aRecordedSessionAgrees() async throws {
      let users = "[\((1...200).map { #"{"id":\#($0),"name":"Grüße"}"# }.joined(separator: ","))]"
      let nginx = try Nginx(
        directives: "gzip on; gzip_types application/json;",
        files: ["www/users.json": users]
      )
      defer { nginx.stop() }
      try await nginx.isListening()
      let folder = try ScratchDirectory()
      let record = try ToolProcess(["record", "--upstream", nginx.url, "--to", folder.path + "/session"])
      defer { record.send(SIGKILL) }
      let client = try Client(base: try await record.listening() + "/") {
        Pipeline.standard(over: $0, validation: nil, retry: nil)
      }
      var part = Request.get("a.json")
      part.fields[.range] = "bytes=3-9"
      let requests = [
        Request.get("a.json"), .get("users.json"), .get("moved"), .get("none"), part, .head("users.json"),
        .get("close"),
      ]
      for request in requests { _ = try await client.send(request).body.collect(upTo: 1 << 20) }
      record.send(SIGTERM)
      #expect(try await record.outcome().status == 0)
      let outcome = try await ToolProcess.run("verify", folder.path, "--against", nginx.url)
      #expect(
        outcome.status == 0 && outcome.text.hasSuffix("8 exchanges: 7 agreed, 1 skipped\n"),
        "\(outcome)"
      )
    }

    @Test func aPactFileIsVerified() async throws {
      let server = try await HandlerServer.start { request in
        let isKnown = request.head.path == "/users/42?page=1"
        let body = isKnown ? #"{"id":42,"name":"Grace","new":true}"# : "{}"
        return Response(
          isKnown ? .ok : .notFound,
          fields: [.contentType: "application/json"],
          body: .bytes(Bytes(body))
        )
      }
      let folder = try ScratchDirectory()
      func pact(_ name: String) throws -> String {
        let text = #"""
          {"consumer": {"name": "c"}, "provider": {"name": "p"},
           "metadata": {"pactSpecification": {"version": "4.0"}},
           "interactions": [
             {"type": "Synchronous/HTTP", "description": "a user",
              "request": {"method": "GET", "path": "/users/42", "query": {"page": ["1"]}},
              "response": {"status": 200, "headers": {"Content-Type": ["application/json"]},
                "body": {"content": {"id": 42, "\#(name)": "Ada"}, "contentType": "application/json", "encoded": false},
                "matchingRules": {"body": {"$.name": {"matchers": [{"match": "type"}]}}}}},
             {"type": "Synchronous/HTTP", "description": "later", "pending": true,
              "request": {"method": "GET", "path": "/later"}, "response": {"status": 200}}]}
          """#
        return try folder.file("\(name).json", Array(text.utf8))
      }
      let agreed = try await ToolProcess.run("verify", try pact("name"), "--against", server.url)
      #expect(agreed.status == 0 && agreed.text.hasSuffix("2 exchanges: 1 agreed, 1 pending\n"), "\(agreed)")
      let broken = try await ToolProcess.run("verify", try pact("title"), "--against", server.url)
      #expect(broken.status == 1 && broken.text.contains("missing the following keys: title"), "\(broken)")
      let invalid = try folder.file("invalid.json", Array("{".utf8))
      #expect(try await ToolProcess.run("verify", invalid, "--against", server.url).status == 4)
      await server.stop(patience: .zero)
    }

    @Test func namesAServiceThatIsDownAndRefusesWrongUsage() async throws {
      let folder = try ScratchDirectory()
      let place = try scenario(in: folder)
      let port = try freePort()
      let refused = try await ToolProcess.run("verify", place, "--against", "http://127.0.0.1:\(port)")
      #expect(refused.status == 3 && refused.text.contains("unanswered  01"), "\(refused)")
      let arguments = ["verify", place, "--against", "http://127.0.0.1:\(port)"]
      let shown = try await ToolProcess(arguments, terminal: .output).outcome()
      #expect(shown.status == 3 && shown.text.contains("\u{1b}[31munanswered\u{1b}[0m"), "\(shown)")
      let usages = [
        [place], [place, "--against", "nowhere"], [place, "--against", "http://a/", "--report", "pdf"],
        [place, "--against", "http://a/", "--header", "nothing"],
        [place, "--against", "http://a/", "--only", "nothing"],
        [place, "--against", "http://a/", "--failed-in", place + "/scenario.json"],
      ]
      for usage in usages {
        let outcome = try await ToolProcess(["verify"] + usage).outcome()
        #expect(outcome.status == 2, "\(usage) \(outcome)")
      }
      let missing = try await ToolProcess.run("verify", "/nowhere", "--against", "http://a/")
      #expect(missing.status == 4 && missing.errors.contains("/nowhere"), "\(missing)")
    }

    @Test func statesFieldsAndSecretsReachTheService() async throws {
      let seen = Mutex<[String]>([])
      let server = try await HandlerServer.start { request in
        var body = ""
        let source = try request.body.makeSource()
        while let chunk = try await source.next() { body += String(decoding: chunk) }
        let token = request.fields[.authorization] ?? ""
        let entry = "\(request.method) \(request.head.path ?? "") \(token) \(body)"
        seen.withLock { $0.append(entry) }
        guard request.head.path != "/broken-states" else { return Response(.internalServerError) }
        guard request.head.path == "/a" else {
          return Response(.ok, fields: [.contentType: "application/json"], body: .bytes(#"{"id":42}"#))
        }
        return Response(.ok, fields: [.contentType: "text/plain"], body: .bytes("hello"))
      }
      let folder = try ScratchDirectory()
      var scenario = Scenario(title: "states")
      let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"])
      var exchange = Scenario.Exchange(
        id: "01",
        request: Scenario.Request(
          "GET",
          "http://old/a",
          fields: [.authorization: "Bearer SECRET-AUTHORIZATION-1"]
        ),
        reply: Scenario.Reply(Scenario.Head(head), body: Scenario.Body("hello"))
      )
      exchange.requires = [.init(name: "a user", value: "ada")]
      scenario.exchanges = [exchange]
      try scenario.write(folder: folder.path)

      let arguments = [
        "verify", folder.path, "--against", server.url, "--header", "Authorization: Bearer s3cr3t-now-1",
      ]
      let agreed = try await ToolProcess(
        arguments + ["--states-url", server.url + "/states", "--report", "json"]
      )
      .outcome()
      #expect(agreed.status == 0 && !agreed.text.contains("s3cr3t-now-1"), "\(agreed)")
      #expect(try JSONValue(parsing: [UInt8](agreed.output))["agreed"] == true)
      #expect(
        seen.withLock { $0 } == [
          #"POST /states  {"state":"a user","params":{"value":"ada"},"action":"setup"}"#,
          "GET /a Bearer s3cr3t-now-1 ",
          #"POST /states  {"state":"a user","params":{"value":"ada"},"action":"teardown"}"#,
        ]
      )
      let warned = try await ToolProcess(arguments).outcome()
      #expect(
        warned.status == 0 && warned.text.contains("there is no handler for the provider state \"a user\"")
      )
      let failed = try await ToolProcess(arguments + ["--states-url", server.url + "/broken-states"])
        .outcome()
      #expect(failed.status == 1 && failed.text.contains("State change request failed: set-up"), "\(failed)")
      await server.stop(patience: .zero)
    }
  }
#endif
