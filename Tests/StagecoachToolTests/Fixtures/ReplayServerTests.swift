#if Tool && AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures
  import TestSupport
  import Testing

  /// A replay behind a socket, asked by a client that is not ours.
  struct ReplayServerTests {
    private func scenario() -> Scenario {
      var scenario = Scenario(title: "users")
      scenario.origins = [.init(name: "api", origin: "https://api.test/v1")]
      let moved = HTTPResponse(status: .found, headerFields: [.location: "https://api.test/v1/users/1"])
      let found = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])
      var post = Scenario.Exchange(
        id: "03",
        request: .init(
          "POST",
          "{api}/users",
          body: .init("name=Ada", type: "application/x-www-form-urlencoded")
        ),
        reply: .init(.init(HTTPResponse(status: .created)))
      )
      post.isOptional = true
      scenario.exchanges = [
        .init(id: "01", request: .init("GET", "{api}/me"), reply: .init(.init(moved))),
        .init(
          id: "02",
          request: .init("GET", "{api}/users/1"),
          reply: .init(.init(found), body: .init(#"{"name":"Ada"}"#))
        ),
        post,
      ]
      return scenario
    }

    @Test func answersUnknownRequestsAndReplaysFailures() async throws {
      var scenario = scenario()
      scenario.exchanges.append(
        .init(id: "04", request: .init("GET", "{api}/reset"), reply: .init(Scenario.Outcome(.reset)))
      )
      let server = try await ReplayServer.start(try ReplayTransport(scenario, requestBodyLimit: 3))
      let end = "Host: HOST\nConnection: close\n"
      let long = try await RawExchange.send(
        "POST /users HTTP/1.1\n\(end)Content-Length: 6\n\nabcdef",
        to: server.url
      )
      #expect(
        long.hasPrefix("HTTP/1.1 500 ") && long.contains("larger than what a replay compares"),
        "\(long)"
      )
      let reset = try? await RawExchange.send("GET /reset HTTP/1.1\n\(end)\n", to: server.url)
      #expect(reset?.isEmpty != false, "\(reset ?? "")")
      await server.stop()
    }

    /// A page of another site cannot ask for a script or an image, but may have a link.
    @Test func aPageOfAnotherSiteGetsNothing() async throws {
      let server = try await ReplayServer.start(try ReplayTransport(scenario()))
      for (status, fields) in [
        ("403", "Sec-Fetch-Site: cross-site\n"),
        ("403", "Sec-Fetch-Site: cross-site\nSec-Fetch-Mode: no-cors\nSec-Fetch-Dest: script\n"),
        ("403", "Sec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate\nSec-Fetch-Dest: iframe\n"),
        ("302", "Sec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate\nSec-Fetch-Dest: document\n"),
      ] {
        let text = "GET /me HTTP/1.1\nHost: HOST\nConnection: close\n\(fields)\n"
        let reply = try await RawExchange.send(text, to: server.url)
        #expect(reply.hasPrefix("HTTP/1.1 \(status) "), "\(fields): \(reply)")
      }
      #expect(server.requests.count == 1)
      await server.stop()
    }

    @Test func anotherClientIsAnswered() async throws {
      let replay = try ReplayTransport(scenario())
      let server = try await ReplayServer.start(replay)
      let output = try await Python.run(
        """
        import sys, urllib.request, urllib.error
        print(urllib.request.urlopen(sys.argv[1] + "/me").read().decode())
        print(urllib.request.urlopen(sys.argv[1] + "/users", data=b"name=Ada").status)
        try: urllib.request.urlopen(sys.argv[1] + "/users/2")
        except urllib.error.HTTPError as error: print(error.code, error.read().decode().split("\\n")[0])
        """,
        arguments: [server.url]
      )
      #expect(
        String(decoding: output, as: UTF8.self) == """
          {"name":"Ada"}
          201
          500 no exchange of "users" answers GET https://api.test/v1/users/2

          """
      )
      #expect(
        server.requests.map { "\($0.method) \($0.head.path ?? "")" }
          == ["GET /me", "GET /users/1", "POST /users", "GET /users/2"]
      )
      #expect(server.requests[2].body.bytes == "name=Ada")
      // The client has swallowed the 500.
      try replay.finish()
      let error = try #require(throws: ExchangeError.self) { try server.finish() }
      #expect(error.kind == .stageFailure(ReplayFailure.unmatched))
      #expect(
        error.message.hasPrefix("requests that no exchange answers: 1\nno exchange of \"users\" answers GET")
      )
      replay.reset()
      let unused = try #require(throws: ExchangeError.self) { try server.finish() }
      #expect(unused.kind == .stageFailure(ReplayFailure.unused))
      await server.stop()
      await #expect(throws: ExchangeError.self) {
        try await Client { Pipeline.standard(over: $0, retry: nil) }.send(.get(server.url + "/me"))
      }
    }
  }
#endif
