#if Tool && AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures
  import TestSupport
  import Testing

  /// `record` in front of a real server, and `replay` of what it wrote.
  @Suite(.enabled(if: Nginx.executable != nil, "nginx is not installed: these tests are not run"))
  struct RecordReplayTests {
    private static let binary = (0..<50_000).map { String(UnicodeScalar(UInt8($0 % 95 + 32))) }.joined()

    /// What a client sees of a session: statuses, chosen fields and digests of contents.
    private func session(at url: String) async throws -> [String] {
      let client = try Client(base: url + "/") { Pipeline.standard(over: $0, validation: nil, retry: nil) }
      var range = Request.get("binary.txt")
      range.fields[.range] = "bytes=10-19"
      var conditional = Request.get("a.json")
      var seen: [String] = []
      for request in [
        Request.get("a.json"), .get("users.json"), .get("moved"), .get("binary.txt"), range, .get("none"),
      ] {
        let response = try await client.send(request)
        let body = try await response.body.collect(upTo: 1 << 20)
        let type = response.fields[.contentType] ?? ""
        seen.append(
          "\(response.status.code) \(type) \(response.history.count) \(String(decoding: body).hashValue)"
        )
        conditional.fields[.ifNoneMatch] = conditional.fields[.ifNoneMatch] ?? response.fields[.eTag]
      }
      seen.append("\(try await client.send(conditional).status.code)")
      seen.append("\(try await client.send(.head("a.json")).fields[.contentLength] ?? "")")
      return seen
    }

    @Test func aSessionIsReplayed() async throws {
      let users = "[\((1...200).map { #"{"id":\#($0),"name":"Grüße"}"# }.joined(separator: ","))]"
      let nginx = try Nginx(
        directives: "gzip on; gzip_types application/json;",
        files: ["www/users.json": users, "www/binary.txt": Self.binary]
      )
      defer { nginx.stop() }
      try await nginx.isListening()
      let folder = try ScratchDirectory()
      let place = "\(folder.path)/session"

      let record = try ToolProcess(["record", "--upstream", nginx.url, "--to", place])
      defer { record.send(SIGKILL) }
      let recorded = try await session(at: record.listening())
      record.send(SIGTERM)
      let recording = try await record.outcome()
      #expect(recording.status == 0 && recording.errors.isEmpty, "\(recording)")
      #expect(
        recorded[0].hasPrefix("200 application/json 0") && recorded[2].hasPrefix("200 application/json 1")
      )
      #expect(recorded[4].hasPrefix("206") && recorded[5].hasPrefix("404") && recorded[6] == "304")

      let scenario = try Scenario(folder: place)
      #expect(scenario.exchanges.count == 9)
      #expect(scenario.exchanges[1].reply.head?.response.headerFields[.contentEncoding] == "gzip")

      let replay = try ToolProcess(["replay", place, "--listen", "127.0.0.1:0"])
      defer { replay.send(SIGKILL) }
      let url = try await replay.listening()
      #expect(try await session(at: url) == recorded)
      let client = try Client(base: url + "/")
      #expect(try await client.get("__contract/unused", as: .text).isEmpty)
      let error = try await #require(throws: ExchangeError.self) {
        try await client.get("a.json?page=2", as: .text)
      }
      #expect(error.response?.status.code == 500)
      #expect(String(decoding: error.bodyPrefix).contains("Unexpected query parameter 'page' received"))
      replay.interrupt()
      let replaying = try await replay.outcome()
      #expect(replaying.status == 0, "\(replaying)")
    }

    @Test func anUpstreamThatRefusesIsRecordedAndReplayed() async throws {
      let folder = try ScratchDirectory()
      let place = "\(folder.path)/session"
      let port = try freePort()
      let record = try ToolProcess(["record", "--upstream", "http://127.0.0.1:\(port)/v1", "--to", place])
      defer { record.send(SIGKILL) }
      let plain = try Client { Pipeline.standard(over: $0, validation: nil, retry: nil) }
      let response = try await plain.send(.get(record.listening() + "/users"))
      #expect(response.status == .badGateway)
      record.interrupt()
      #expect(try await record.outcome().status == 0)
      let exchange = try #require(try Scenario(folder: place).exchanges.first)
      #expect(exchange.request.target == "{api}/users" && exchange.reply.outcome.kind == .refused)

      let replay = try ToolProcess(["replay", place])
      defer { replay.send(SIGKILL) }
      let url = try await replay.listening()
      let client = try Client { Pipeline.standard(over: $0, retry: nil) }
      let error = try await #require(throws: ExchangeError.self) {
        try await client.send(.get(url + "/users"))
      }
      #expect("\(error.kind)" == "connectionReset")
      replay.send(SIGTERM)
      #expect(try await replay.outcome().status == 0)
    }

    @Test func twoRecordingsAreCompared() async throws {
      let nginx = try Nginx()
      defer { nginx.stop() }
      try await nginx.isListening()
      let folder = try ScratchDirectory()
      for (place, paths) in [
        ("a", ["a.json", "a.txt"]), ("b", ["a.json", "none"]), ("c", ["a.json", "a.txt"]),
      ] {
        let record = try ToolProcess([
          "record", "--upstream", nginx.url, "--to", "\(folder.path)/\(place)",
        ])
        defer { record.send(SIGKILL) }
        let client = try await Client(base: record.listening() + "/") {
          Pipeline.standard(over: $0, validation: nil, retry: nil)
        }
        for path in paths { await (try await client.send(.get(path))).body.discard() }
        record.interrupt()
        #expect(try await record.outcome().status == 0)
      }
      let same = try await ToolProcess.run("contract", "diff", "\(folder.path)/a", "\(folder.path)/c")
      #expect(same.status == 0 && same.text.isEmpty, "\(same)")
      let other = try await ToolProcess.run("contract", "diff", "\(folder.path)/a", "\(folder.path)/b")
      #expect(
        other.status == 1 && other.text == "- 02  GET {api}/a.txt\n+ 02  GET {api}/none\n",
        "\(other)"
      )
    }

    @Test func refusesWrongUsage() async throws {
      let folder = try ScratchDirectory()
      _ = try folder.file("scenario.json", Array("{".utf8))
      let unreadable = try await ToolProcess.run(
        "record",
        "--upstream",
        "http://127.0.0.1:1",
        "--to",
        folder.path
      )
      #expect(unreadable.status == 4 && unreadable.errors.contains("scenario.json:1: "), "\(unreadable)")

      let missing = try await ToolProcess.run("replay", "/nowhere")
      #expect(missing.status == 4 && missing.errors.contains("/nowhere/scenario.json: there is no such file"))
      #expect(try await ToolProcess.run("record", "--upstream", "nowhere", "--to", "/tmp/x").status == 2)
      #expect(try await ToolProcess.run("replay", "/nowhere", "--listen", "x").status == 2)
    }
  }
#endif
