#if Tool && AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachConformance
  import StagecoachFixtures
  import TestSupport
  import Testing

  /// Requests in forms that a recorder must not pass on as they are.
  struct RecordRequestFormsTests {
    private func upstream() throws -> WireServer {
      try WireServer { wire in
        while true {
          _ = try wire.readRequest()
          try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
      }
    }

    @Test func fieldsOfTheConnectionEndAtTheRecorder() async throws {
      let server = try upstream()
      defer { server.stop() }
      let folder = try ScratchDirectory()
      let record = try ToolProcess(["record", "--upstream", server.url, "--to", "\(folder.path)/a"])
      defer { record.send(SIGKILL) }
      let text = try await RawExchange.send(
        "GET /a HTTP/1.1\nHost: HOST\nConnection: Upgrade, HTTP2-Settings\nUpgrade: h2c\n"
          + "HTTP2-Settings: AAMAAABkAAQAAP__\nX-A: 1\n\n",
        to: try await record.listening()
      )
      #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("ok"), "\(text)")
      record.interrupt()
      #expect(try await record.outcome().status == 0)
      #expect(server.requests[0].fields.map(\.name) == ["Host", "X-A"])
      let exchange = try Scenario(folder: "\(folder.path)/a").exchanges[0]
      #expect(exchange.request.fields == [HTTPField.Name("X-A")!: "1"])
    }

    @Test func connectionFieldsOfClientsAreNotRecorded() async throws {
      let server = try upstream()
      defer { server.stop() }
      let folder = try ScratchDirectory()
      let place = "\(folder.path)/a"
      let record = try ToolProcess(["record", "--upstream", server.url, "--to", place])
      defer { record.send(SIGKILL) }
      let url = try await record.listening()
      let end = "\nConnection: close\n\n"
      #expect(try await RawExchange.send("GET /%zz/../a HTTP/1.1\nHost: HOST\(end)", to: url).hasSuffix("ok"))
      let handshake =
        "GET /ws HTTP/1.1\nHost: HOST\nConnection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\n\n"
      let refused = try await RawExchange.send(handshake, to: url)
      #expect(refused.hasPrefix("HTTP/1.1 501 ") && refused.contains("WebSocket"), "\(refused)")
      record.interrupt()
      #expect(try await record.outcome().status == 0)
      #expect(try Scenario(folder: place).exchanges.map(\.request.target) == ["{api}/%zz/../a"])

      for fields in [
        "Connection: Keep-Alive, TE\nTE: trailers\nKeep-Alive: timeout=5", "Connection: X-A\nX-A: 1",
        "Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAMAAABkAAQAAP__",
      ] {
        let replay = try ToolProcess(["replay", place])
        defer { replay.send(SIGKILL) }
        let again = try await replay.listening()
        let text = try await RawExchange.send(
          "GET /%zz/../a HTTP/1.1\nHost: HOST\n\(fields)\(end)",
          to: again
        )
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("ok"), "\(text)")
        #expect(try await RawExchange.send(handshake, to: again).hasPrefix("HTTP/1.1 501 "))
        replay.interrupt()
        #expect(try await replay.outcome().status == 0)
      }
    }

    @Test func hostsAndPagesOfOthersAreRefused() async throws {
      let server = try upstream()
      defer { server.stop() }
      let folder = try ScratchDirectory()
      let place = "\(folder.path)/a"
      let own = "GET /a HTTP/1.1\nHost: HOST\nConnection: close\n"
      let requests = [
        (200, own + "\n"), (200, own + "Origin: http://localhost:3000\n\n"),
        (200, own + "Origin: http://HOST\n\n"),
        (200, own + "Origin: https://front.example\n\n"), (403, own + "Origin: https://evil.example\n\n"),
        (403, own + "Origin: null\n\n"), (403, own + "Origin: https://front.example.evil.example\n\n"),
        (200, "GET /a HTTP/1.1\nHost: \(server.authority)\nConnection: close\n\n"),
        (200, "GET /a HTTP/1.1\nHost: front.example:81\nConnection: close\n\n"),
        (421, "GET /a HTTP/1.1\nHost: evil.example\nConnection: close\n\n"),
      ]
      let control = [
        (
          403,
          "POST /__contract/reset HTTP/1.1\nHost: HOST\nConnection: close\nOrigin: https://evil.example\n\n"
        ),
        (421, "GET /__contract/journal HTTP/1.1\nHost: evil.example\nConnection: close\n\n"),
        (200, "GET /__contract/journal HTTP/1.1\nHost: HOST\nConnection: close\n\n"),
      ]
      for arguments in [["record", "--upstream", server.url, "--to", place], ["replay", place]] {
        let tool = try ToolProcess(arguments + ["--allow-host", "front.example"])
        defer { tool.send(SIGKILL) }
        let url = try await tool.listening()
        for (status, request) in requests + (arguments[0] == "replay" ? control : []) {
          let text = try await RawExchange.send(request, to: url)
          #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(arguments[0]), \(request): \(text)")
        }
        tool.interrupt()
        let outcome = try await tool.outcome()
        #expect(outcome.status == 0 && outcome.errors.contains("--allow-host"), "\(outcome)")
      }
      #expect(server.requests.count == 6)
      #expect(try Scenario(folder: place).exchanges.count == 6)
    }

    @Test func thePathDoesNotLeaveThePrefix() async throws {
      let server = try upstream()
      defer { server.stop() }
      let folder = try ScratchDirectory()
      let record = try ToolProcess(["record", "--upstream", server.url + "/base", "--to", "\(folder.path)/a"])
      defer { record.send(SIGKILL) }
      let url = try await record.listening()
      for path in ["/../secret", "/a/%2e%2E/../secret", "/..%2fsecret", "/..%5csecret"] {
        let text = try await RawExchange.send(
          "GET \(path) HTTP/1.1\nHost: HOST\nConnection: close\n\n",
          to: url
        )
        #expect(text.hasPrefix("HTTP/1.1 400 "), "\(path): \(text)")
      }
      record.interrupt()
      #expect(try await record.outcome().status == 0)
      #expect(server.requests.isEmpty)
    }

    @Test func requestsThatTheRecorderRefusesAreNotRecorded() async throws {
      let server = try WireServer { wire in
        while true {
          let large = try wire.readRequest().startLine.contains("/large")
          let field = large ? "X-A: \(String(repeating: "a", count: 2 << 20))\r\n" : ""
          try wire.send("HTTP/1.1 200 OK\r\n\(field)Content-Length: 2\r\n\r\nok")
        }
      }
      defer { server.stop() }
      let folder = try ScratchDirectory()
      let record = try ToolProcess(["record", "--upstream", server.url, "--to", "\(folder.path)/a"])
      defer { record.send(SIGKILL) }
      let url = try await record.listening()
      for (path, status) in [("/a", 200), ("/large", 500), ("/b", 200)] {
        let text = try await RawExchange.send(
          "GET \(path) HTTP/1.1\nHost: HOST\nConnection: close\n\n",
          to: url
        )
        #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(path): \(text)")
        if status == 500 { #expect(text.contains("head"), "\(text)") }
      }
      record.interrupt()
      let outcome = try await record.outcome()
      #expect(outcome.status == 0 && outcome.errors.contains("head"), "\(outcome)")
      #expect(
        try Scenario(folder: "\(folder.path)/a").exchanges.map(\.request.target) == ["{api}/a", "{api}/b"]
      )
    }

    @Test func theTargetOfAWholeServerIsRecordedAndReplayed() async throws {
      let server = try upstream()
      defer { server.stop() }
      let folder = try ScratchDirectory()
      let (options, absolute) = (
        "OPTIONS * HTTP/1.1\nHost: HOST\nConnection: close\n\n",
        "OPTIONS http://HOST HTTP/1.1\nHost: HOST\nConnection: close\n\n"
      )
      for base in ["", "/base"] {
        let place = "\(folder.path)/a\(base)"
        let record = try ToolProcess(["record", "--upstream", server.url + base, "--to", place])
        defer { record.send(SIGKILL) }
        let url = try await record.listening()
        for request in [options, absolute, "GET http://HOST?b HTTP/1.1\nHost: HOST\nConnection: close\n\n"] {
          #expect(try await RawExchange.send(request, to: url).hasSuffix("ok"))
        }
        record.interrupt()
        #expect(try await record.outcome().status == 0)
        #expect(
          server.requests.suffix(3).map(\.startLine) == [
            "OPTIONS * HTTP/1.1", "OPTIONS * HTTP/1.1", "GET \(base)/?b HTTP/1.1",
          ]
        )

        let replay = try ToolProcess(["replay", place])
        defer { replay.send(SIGKILL) }
        let again = try await replay.listening()
        for request in [options, absolute] {
          let text = try await RawExchange.send(request, to: again)
          #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("ok"), "\(text)")
        }
        replay.interrupt()
        #expect(try await replay.outcome().status == 0)
        let report = try await ToolProcess.run("verify", place, "--against", server.url)
        #expect(report.status == 0, "\(report)")
      }
      // The whole server has the same origin as the rest.
      #expect(try Scenario(folder: "\(folder.path)/a").origins.count == 1)
    }

    @Test func aRecorderThatIsItsOwnUpstreamSaysSo() async throws {
      let folder = try ScratchDirectory()
      let port = try freePort()
      let record = try ToolProcess([
        "record", "--upstream", "http://localhost:\(port)", "--listen", "127.0.0.1:\(port)", "--to",
        "\(folder.path)/a",
      ])
      defer { record.send(SIGKILL) }
      let text = try await RawExchange.send(
        "GET / HTTP/1.1\nHost: HOST\nConnection: close\n\n",
        to: try await record.listening()
      )
      #expect(text.hasPrefix("HTTP/1.1 508 Loop Detected\r\n"), "\(text)")
      record.interrupt()
      #expect(try await record.outcome().status == 0)
    }
  }
#endif
