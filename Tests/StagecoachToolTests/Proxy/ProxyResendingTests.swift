#if Tool && AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachConformance
  import StagecoachFixtures
  import TestSupport
  import Testing

  /// Requests that `proxy` and `record` send again, because only their connection failed.
  struct ProxyResendingTests {
    /// Runs a test with a proxy and with a recorder, and reads what the latter recorded.
    private func withBoth(
      to upstream: String,
      _ arguments: [String] = [],
      _ test: (_ url: String, _ isRecorder: Bool) async throws -> Void,
      recorded: (Scenario) throws -> Void
    ) async throws {
      let folder = try ScratchDirectory()
      for command in [["proxy"], ["record", "--to", "\(folder.path)/a"]] {
        let process = try ToolProcess(command + ["--upstream", upstream] + arguments)
        defer { process.send(SIGKILL) }
        try await test(process.listening(), command[0] == "record")
        process.send(SIGTERM)
        let outcome = try await process.outcome()
        #expect(outcome.status == 0, "\(outcome)")
      }
      try recorded(Scenario(folder: "\(folder.path)/a"))
    }

    /// Answers the first request of a connection, and closes it when the second comes.
    private func forgetful() throws -> WireServer {
      try WireServer { wire in
        _ = try wire.readRequest()
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        _ = try wire.readRequest()
      }
    }

    @Test func aConnectionThatTheUpstreamClosesIsReplaced() async throws {
      let server = try forgetful()
      defer { server.stop() }
      try await withBoth(to: server.url) { url, _ in
        for request in ["GET / HTTP/1.1\nHost: HOST\n", "PUT / HTTP/1.1\nHost: HOST\nContent-Length: 3\n"] {
          for _ in 1...4 {
            let content = request.hasPrefix("PUT") ? "abc" : ""
            let text = try await RawExchange.send("\(request)Connection: close\n\n\(content)", to: url)
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("ok"), "\(text)")
          }
        }
      } recorded: { scenario in
        #expect(scenario.exchanges.count == 8)
        #expect(scenario.exchanges.allSatisfy { $0.reply.head?.response.status == .ok && $0.cause == nil })
        #expect(scenario.exchanges.suffix(4).allSatisfy { $0.request.body?.bytes == "abc" })
      }
      #expect(server.requests.count > 16)
      #expect(server.requests.allSatisfy { $0.method == "GET" || $0.body == Array("abc".utf8) })
    }

    @Test func whatMayHaveHadAnEffectIsNotSentAgain() async throws {
      let server = try forgetful()
      defer { server.stop() }
      try await ProxyProcess.run(to: server.url) { proxy in
        _ = try await proxy.send("GET / HTTP/1.1")
        let text = try await proxy.send("POST / HTTP/1.1", "Content-Length: 3\n\nabc")
        #expect(
          text.hasPrefix("HTTP/1.1 502 ") && text.hasSuffix("ended the connection before it answered\n")
        )
      }
      #expect(server.requests.count { $0.method == "POST" } == 1)
    }

    @Test func aFailureOfANewConnectionIsNotRepeated() async throws {
      let server = try WireServer { _ = try $0.readRequest() }
      defer { server.stop() }
      try await ProxyProcess.run(to: server.url) { proxy in
        let text = try await proxy.send("GET / HTTP/1.1")
        #expect(text.hasPrefix("HTTP/1.1 502 "), "\(text)")
      }
      #expect(server.requests.count == 1)
    }

    @Test(
      .enabled(if: Nginx.executable != nil, "nginx is not installed: this test is not run"),
      arguments: [true, false]
    )
    func nginxMayEndEachConnectionAfterFiveRequests(_ isSecure: Bool) async throws {
      let nginx = try Nginx(
        directives: "keepalive_requests 5; location = /echo { return 200 $request_method$content_length; }"
      )
      defer { nginx.stop() }
      try await nginx.isListening()
      let (upstream, arguments) = isSecure ? (nginx.secureURL, ["--insecure"]) : (nginx.url, [])
      try await withBoth(to: upstream, arguments) { url, _ in
        let client = try Client(base: url + "/") { Pipeline.standard(over: $0, validation: nil, retry: nil) }
        let texts = try await withThrowingTaskGroup { group in
          for index in 0..<100 {
            group.addTask {
              let request = index % 2 == 0 ? Request.get("echo") : .post("echo", body: .bytes("abc"))
              let response = try await client.send(request)
              return String(decoding: try await response.body.collect(upTo: 100))
            }
          }
          return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        await client.shutdown()
        #expect(texts == ["GET": 50, "POST3": 50])
      } recorded: { scenario in
        #expect(scenario.exchanges.count == 100)
        #expect(scenario.exchanges.allSatisfy { $0.reply.head?.response.status == .ok })
      }
    }
  }
#endif
