#if Tool && AsyncHTTPClient
  import Foundation
  import Stagecoach
  import StagecoachFixtures
  import TestSupport
  import Testing

  /// `contract import` and `contract export` as processes.
  @Suite struct InterchangeTests {
    private static let har = #"""
      {"log": {"version": "1.2", "creator": {"name": "browser", "version": "1"}, "entries": [
       {"startedDateTime": "2026-03-01T10:00:00.123Z", "time": 5.5,
        "request": {"method": "GET", "url": "https://api.test/users?api_key=k0123456789abcdef", "httpVersion": "h3",
         "headers": [{"name": ":path", "value": "/users"}, {"name": "Authorization", "value": "Bearer t0123456789abcdef"}],
         "cookies": [], "queryString": [], "headersSize": -1, "bodySize": 0},
        "response": {"status": 200, "statusText": "", "httpVersion": "h3", "cookies": [],
         "headers": [{"name": "content-type", "value": "application/json"}, {"name": "content-encoding", "value": "gzip"}],
         "content": {"size": 10, "mimeType": "application/json", "text": "[\"Ada\", 1]"}, "redirectURL": "",
         "headersSize": -1, "bodySize": -1}, "cache": {}, "timings": {"send": 0, "wait": 5, "receive": 0.5}}%
      ]}}
      """#

    /// A file with more entries.
    private func har(_ more: String = "") -> Data { Data(Self.har.replacing("%", with: more).utf8) }

    @Test func anImportedFileIsReplayed() async throws {
      let folder = try ScratchFolder()
      let file = try folder.write("a.har", har())
      let place = folder.path("users").path
      let result = try await ToolProcess.run("contract", "import", file, "--to", place, "--strict")
      #expect(result.status == 0 && result.text.hasSuffix("\n\(place): 1 exchanges\n"), "\(result)")
      #expect(result.text.hasPrefix("replaced API_KEY-1: request.target query.api_key"), "\(result)")
      let manifest = try String(contentsOfFile: place + "/scenario.json", encoding: .utf8)
      #expect(!manifest.contains("0123456789abcdef") && manifest.contains("SECRET-API_KEY-1"))
      #expect(try await ToolProcess.run("contract", "lint", place).status == 0)

      let replay = try ToolProcess(["replay", place])
      defer { replay.send(SIGKILL) }
      let url = try await replay.listening()
      // The secrets of whoever asks stand for those of the recording.
      let fetched = try await ToolProcess.run(
        "fetch",
        "-H",
        "Authorization: Bearer another0token9",
        url + "/users?api_key=another0secret9"
      )
      #expect(fetched.status == 0 && fetched.text.contains("Ada"), "\(fetched)")
      replay.interrupt()
      #expect(try await replay.outcome().status == 0)
    }

    @Test func aProjectOfWireMockIsImported() async throws {
      let folder = try ScratchFolder()
      let stub = #"{"request": {"urlPath": "/u", "clientIp": {}}, "response": {"bodyFileName": "a.txt"}}"#
      for (name, text) in [
        ("__files/a.txt", "Ada"), ("mappings/users/get.json", stub), ("mappings/any.json", "{}"),
      ] {
        try FileManager.default.createDirectory(
          at: folder.path("project/" + name).deletingLastPathComponent(),
          withIntermediateDirectories: true
        )
        _ = try folder.write("project/" + name, Data(text.utf8))
      }
      let place = folder.path("users").path
      let result = try await ToolProcess.run("contract", "import", folder.path("project").path, "--to", place)
      let note = "1 exchange lost the pattern clientIp, for which there is no rule\n"
      #expect(result.status == 0 && result.text == "\(note)\(place): 2 exchanges\n", "\(result)")
      let replay = try ToolProcess(["replay", place])
      defer { replay.send(SIGKILL) }
      let fetched = try await ToolProcess.run("fetch", try await replay.listening() + "/u?a=1")
      #expect(fetched.status == 0 && fetched.text.contains("Ada"), "\(fetched)")
    }

    @Test func anExportIsImportedAsTheSameScenario() async throws {
      let folder = try ScratchFolder()
      let file = try folder.write("a.har", har())
      let (first, second) = (folder.path("first").path, folder.path("second").path)
      #expect(try await ToolProcess.run("contract", "import", file, "--to", first).status == 0)
      let export = folder.path("b.har").path
      let exported = try await ToolProcess.run(
        "contract",
        "export",
        first,
        "--as",
        "har",
        "--to",
        export,
        "--strict"
      )
      #expect(exported.status == 0 && exported.text.isEmpty, "\(exported)")
      #expect(try await ToolProcess.run("contract", "import", export, "--to", second).status == 0)
      let names = try FileManager.default.contentsOfDirectory(atPath: first).sorted()
      #expect(try FileManager.default.contentsOfDirectory(atPath: second).sorted() == names)
      for name in names {
        let written = try Data(contentsOf: URL(filePath: "\(second)/\(name)"))
        #expect(try written == Data(contentsOf: URL(filePath: "\(first)/\(name)")), "\(name)")
      }
    }

    @Test func strictMakesALossAnError() async throws {
      let folder = try ScratchFolder()
      let more =
        #", {"request": {"method": "GET", "url": "data:,a"}}, {"request": {"method": "GET", "url": "http://a.test/"}}"#
      let file = try folder.write("a.har", har(more))
      let place = folder.path("a").path
      let strict = try await ToolProcess.run("contract", "import", file, "--to", place, "--strict")
      #expect(
        strict.status == 1
          && strict.text.hasPrefix("1 exchange had no URL of HTTP, and was left out: data:\n"),
        "\(strict)"
      )
      #expect(!FileManager.default.fileExists(atPath: place))
      #expect(try await ToolProcess.run("contract", "import", file, "--to", place).status == 0)

      for format in ["har", "wiremock"] {
        let target = folder.path("b.\(format)").path
        let strict = try await ToolProcess.run(
          "contract",
          "export",
          place,
          "--as",
          format,
          "--to",
          target,
          "--strict"
        )
        #expect(strict.status == 1 && strict.text.contains("unreachable"), "\(strict)")
        #expect(!FileManager.default.fileExists(atPath: target))
        let export = try await ToolProcess.run("contract", "export", place, "--as", format, "--to", target)
        #expect(export.status == 0 && export.text == strict.text, "\(export)")
        #expect(try await ToolProcess.run("contract", "import", target, "--to", place + format).status == 0)
      }
    }

    @Test(.enabled(if: Self.curl != nil, "curl is not installed: this test is not run"))
    func whatCurlPrintsIsImported() async throws {
      let folder = try ScratchFolder()
      let exchange = try folder.write(
        "a.http",
        Data("GET http://a.test/x\n\n###\nHTTP/1.1 200 OK\nContent-Type: text/plain\nX-A: 1\n\nhello".utf8)
      )
      // A file that was written by hand is replayed as it is.
      let replay = try ToolProcess(["replay", exchange])
      defer { replay.send(SIGKILL) }
      let url = try await replay.listening()
      let dump = try folder.create("dump")
      let process = Process()
      process.executableURL = URL(filePath: try #require(Self.curl))
      process.arguments = ["-is", "--noproxy", "*", url + "/x"]
      process.standardOutput = dump
      let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
      process.terminationHandler = { _ in continuation.finish() }
      try process.run()
      for await _ in ended {}
      let place = folder.path("scenario").path
      let result = try await ToolProcess.run("contract", "import", folder.path("dump").path, "--to", place)
      #expect(result.status == 0 && result.text.hasPrefix("the file names no requests"), "\(result)")
      let reply = try #require(try Scenario(folder: place).exchanges.first?.reply)
      #expect(reply.body?.bytes == "hello" && reply.head?.response.headerFields[.init("X-A")!] == "1")
    }

    private static let curl = ["/usr/bin/curl", "/opt/homebrew/bin/curl"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test func filesWrittenByHandAreChecked() async throws {
      let folder = try ScratchFolder()
      _ = try folder.write("a.http", Data("GET http://a.test/\n\n###\nHTTP/1.1 204 No Content\n".utf8))
      let place = folder.path("").path
      let right = try await ToolProcess.run("contract", "lint", place)
      #expect(right.status == 0 && right.text == "1 scenarios, 0 findings\n", "\(right)")
      _ = try folder.write("b.http", Data("GET http://a.test/\n".utf8))
      _ = try folder.write(
        "c.http",
        Data(
          "GET http://a.test/\nAuthorization: Bearer t0123456789abcdef\n\n###\nHTTP/1.1 204 No Content\n".utf8
        )
      )
      let wrong = try await ToolProcess.run("contract", "lint", place)
      #expect(wrong.status == 1 && wrong.text.contains("b.http:1: the request has no response"), "\(wrong)")
      #expect(wrong.text.contains("c.http") && wrong.text.contains("3 scenarios"), "\(wrong)")
    }

    @Test func refusesWrongUsage() async throws {
      let folder = try ScratchFolder()
      let file = try folder.write("a.har", Data("{\n\"log\": 1".utf8))
      let place = folder.path("a").path
      let syntax = try await ToolProcess.run("contract", "import", file, "--to", place)
      #expect(syntax.status == 4 && syntax.errors.contains("a.har:2: "), "\(syntax)")
      #expect(try await ToolProcess.run("contract", "import", "/nowhere", "--to", place).status == 4)
      #expect(try await ToolProcess.run("contract", "import", file).status == 2)
      #expect(try await ToolProcess.run("contract", "export", place, "--as", "har", "--to", file).status == 4)
      for format in ["curl", "http", "x"] {
        #expect(
          try await ToolProcess.run("contract", "export", place, "--as", format, "--to", file).status == 2
        )
      }
    }
  }
#endif
