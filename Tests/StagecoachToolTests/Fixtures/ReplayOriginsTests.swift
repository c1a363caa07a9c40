#if Tool && AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures
  import StagecoachOrigin
  import TestSupport
  import Testing

  /// A replay of a scenario with several services.
  struct ReplayOriginsTests {
    private func scenario() -> Scenario {
      var scenario = Scenario(title: "three")
      scenario.origins = [
        .init(name: "api", origin: "https://api.test/v1"), .init(name: "auth", origin: "https://auth.test"),
      ]
      let targets = ["{api}/a", "{auth}/a", "http://cdn.test:8080/a"]
      scenario.exchanges = targets.enumerated().map { index, target in
        var exchange = Scenario.Exchange(
          id: "0\(index + 1)",
          request: .init("GET", target),
          reply: .init(.init(HTTPResponse(status: .ok)), body: .init(Bytes("reply \(index + 1)")))
        )
        exchange.times = .any
        return exchange
      }
      return scenario
    }

    private func get(_ path: String, _ host: String, at url: String) async throws -> String {
      try await RawExchange.send("GET \(path) HTTP/1.1\nHost: \(host)\nConnection: close\n\n", to: url)
    }

    @Test func theHostOfARequestChoosesTheService() async throws {
      let folder = try ScratchDirectory()
      try scenario().write(folder: "\(folder.path)/a")
      let replay = try ToolProcess(["replay", "\(folder.path)/a"])
      defer { replay.send(SIGKILL) }
      let url = try await replay.listening()
      for (host, path, reply) in [
        ("HOST", "/a", "reply 1"), ("localhost", "/a", "reply 1"), ("api.test", "/v1/a", "reply 1"),
        ("auth.test:9", "/a", "reply 2"), ("cdn.test:8080", "/a", "reply 3"),
      ] {
        let text = try await get(path, host, at: url)
        #expect(text.hasSuffix("\r\n\r\n\(reply)"), "\(host): \(text)")
        let complete = try await get("http://\(host)\(path)", host, at: url)
        #expect(complete.hasSuffix("\r\n\r\n\(reply)"), "\(host): \(complete)")
      }
      #expect(try await get("/a", "other.test", at: url).hasPrefix("HTTP/1.1 421 "))
      replay.interrupt()
      let outcome = try await replay.outcome()
      let lines = outcome.text.split(separator: "\n").dropFirst()
      #expect(
        lines == [
          "serving https://api.test/v1: 1 exchange",
          "serving https://auth.test: 1 exchange, for requests with Host: auth.test",
          "serving http://cdn.test:8080: 1 exchange, for requests with Host: cdn.test:8080",
        ]
      )
    }

    @Test func oneServiceIsChosen() async throws {
      let folder = try ScratchDirectory()
      try scenario().write(folder: "\(folder.path)/a")
      let replay = try ToolProcess(["replay", "\(folder.path)/a", "--origin", "https://auth.test/"])
      defer { replay.send(SIGKILL) }
      let url = try await replay.listening()
      #expect(try await get("/a", "HOST", at: url).hasSuffix("\r\n\r\nreply 2"))
      #expect(try await get("/a", "api.test", at: url).hasPrefix("HTTP/1.1 421 "))
      replay.interrupt()
      #expect(try await replay.outcome().text.hasSuffix("serving https://auth.test: 1 exchange\n"))
      let unknown = try await ToolProcess.run("replay", "\(folder.path)/a", "--origin", "https://x.test")
      #expect(unknown.status != 0 && unknown.errors.contains("https://cdn.test") == false, "\(unknown)")
      #expect(
        unknown.errors.contains(
          "https://x.test; it has exchanges with https://api.test/v1, https://auth.test"
        )
      )
    }

    @Test func aHARFileOfTwoServicesIsServed() async throws {
      let folder = try ScratchDirectory()
      let entries = ["https://a.test/x", "https://b.test/x"].map { url in
        """
        { "startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1, "cache": {}, "timings": { "send": 0, "wait": 1, "receive": 0 },
          "request": { "method": "GET", "url": "\(url)", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
            "queryString": [], "headersSize": -1, "bodySize": 0 },
          "response": { "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
            "content": { "size": 3, "mimeType": "text/plain", "text": "of \(url)" }, "redirectURL": "", "headersSize": -1,
            "bodySize": 3 } }
        """
      }
      let har =
        #"{ "log": { "version": "1.2", "creator": { "name": "x", "version": "1" }, "entries": [\#(entries.joined(separator: ","))] } }"#
      _ = try folder.file("session.har", Array(har.utf8))
      let replay = try ToolProcess(["replay", "\(folder.path)/session.har"])
      defer { replay.send(SIGKILL) }
      let url = try await replay.listening()
      #expect(try await get("/x", "b.test", at: url).hasSuffix("of https://b.test/x"))
      #expect(try await get("/x", "HOST", at: url).hasSuffix("of https://a.test/x"))
      replay.interrupt()
      #expect(try await replay.outcome().status == 0)
    }

    @Test func serversForTwoServicesShareAReplay() async throws {
      let replay = try ReplayTransport(scenario())
      let api = try await ReplayServer.start(replay)
      let auth = try await ReplayServer.start(
        replay,
        standingFor: "https://auth.test",
        allowedHosts: ["front.test"]
      )
      #expect(try await get("/a", "HOST", at: api.url).hasSuffix("reply 1"))
      #expect(try await get("/a", "front.test:1", at: auth.url).hasSuffix("reply 2"))
      #expect(replay.answered == ["01", "02"])
      try auth.finish()
      // A refused client may not have told.
      let refused = try await get("/a", "evil.test", at: auth.url)
      #expect(
        refused.hasPrefix("HTTP/1.1 421 ") && refused.contains(#"allowedHosts: ["evil.test"]"#),
        "\(refused)"
      )
      let page = try await RawExchange.send(
        "POST /a HTTP/1.1\nHost: HOST\nOrigin: https://evil.test\nConnection: close\nContent-Length: 0\n\n",
        to: auth.url
      )
      #expect(page.hasPrefix("HTTP/1.1 403 "), "\(page)")
      let error = try #require(throws: ExchangeError.self) { try auth.finish() }
      #expect(
        error.message.contains("evil.test") && error.kind == .stageFailure(ReplayFailure.unmatched),
        "\(error)"
      )
      #expect(auth.requests.count == 1)
      await api.stop()
      await auth.stop()
      await #expect(throws: OriginError.self) { try await ReplayServer.start(replay, allowedHosts: ["a b"]) }
      await #expect(throws: ScenarioError.self) {
        try await ReplayServer.start(replay, standingFor: "https://x.test")
      }
    }

    @Test func aBaseWithAPathKeepsRedirectsAndCookiesAtTheServer() async throws {
      var scenario = scenario()
      var head = HTTPResponse(
        status: .found,
        headerFields: [.location: "/v1/b", .setCookie: "a=1; Path=/v1"]
      )
      head.headerFields.append(HTTPField(name: .contentLocation, value: "https://auth.test/x"))
      scenario.exchanges[0].reply = .init(.init(head))
      let server = try await ReplayServer.start(try ReplayTransport(scenario))
      let local = try await get("/a", "HOST", at: server.url)
      #expect(
        local.contains("\r\nLocation: /b\r\n") && local.contains("\r\nSet-Cookie: a=1; Path=/\r\n"),
        "\(local)"
      )
      let named = try await get("/v1/a", "api.test", at: server.url)
      #expect(
        named.contains("\r\nLocation: /v1/b\r\n") && named.contains("\r\nSet-Cookie: a=1; Path=/v1\r\n"),
        "\(named)"
      )
      await server.stop()
    }
  }
#endif
