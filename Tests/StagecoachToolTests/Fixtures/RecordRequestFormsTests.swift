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
