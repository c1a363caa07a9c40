#if Tool
  import StagecoachConformance
  import StagecoachOrigin
  import Testing

  @testable import StagecoachTool

  /// What `fetch` says about a failure, and what it advises.
  @Suite(.timeLimit(.minutes(5))) struct FetchAdviceTests {
    private static func fetch(_ answer: String, _ arguments: String...) async throws -> ToolProcess.Outcome {
      let server = try WireServer(answering: answer, closes: true)
      defer { server.stop() }
      return try await ToolProcess(["fetch", server.url] + arguments).outcome()
    }

    private static let transports = TransportName.allCases.map(\.rawValue)

    @Test(arguments: [300, 1], transports)
    func aHeadThatNoOptionAdmitsSaysSo(fields: Int, transport: String) async throws {
      // Many fields, or a long one: beyond the limits of the library, or of the engine.
      let lines = (0..<fields).map {
        "X-\($0): \(String(repeating: "a", count: fields > 1 ? 1 : 120_000))\r\n"
      }
      let outcome = try await Self.fetch(
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(lines.joined())\r\n",
        "--transport",
        transport
      )
      #expect(outcome.status == 3 && outcome.errors.contains("[limit.responseHead]"), "\(outcome)")
      #expect(outcome.errors.contains("no option"), "\(outcome)")
      #expect(!outcome.errors.contains("raise ") && !outcome.errors.contains("options."), "\(outcome)")
    }

    @Test(arguments: ["429 Too Many Requests", "503 Service Unavailable"])
    func aLongRetryAfterIsSaidWithItsLimit(status: String) async throws {
      let outcome = try await Self.fetch(
        "HTTP/1.1 \(status)\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n"
      )
      #expect(outcome.status == 1, "\(outcome)")
      #expect(
        outcome.errors.contains("the server asks to wait for 3600 s (limit 60 s): send it later\n"),
        "\(outcome)"
      )
    }

    @Test func aRedirectWithoutALocationIsSaidToBeOne() async throws {
      let outcome = try await Self.fetch("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n")
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errors.contains("unexpected status 302 Found"), "\(outcome)")
      #expect(outcome.errors.contains("it has no Location"), "\(outcome)")
    }

    @Test(arguments: ["/basic-auth/ada/secret", "/digest-auth/ada/secret"])
    func aWrongPasswordIsSaidToBeRefused(path: String) async throws {
      let origin = try await Origin.start()
      let wrong = try await ToolProcess.run("fetch", "\(origin.url)\(path)", "--user", "ada:wrong")
      #expect(wrong.status == 1 && wrong.errors.contains("the credentials were refused"), "\(wrong)")
      let missing = try await ToolProcess.run("fetch", "\(origin.url)\(path)")
      #expect(missing.status == 1 && missing.errors.contains("no credential is available"), "\(missing)")
      try await origin.stop()
    }

    #if CURL
      @Test(arguments: [
        ("ada:wrong@", "refused the name and the password"), ("", "requires a name and a password"),
      ])
      func aProxyThatRefusesAPasswordSaysSo(user: String, text: String) async throws {
        let answer = """
          HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="a"\r\n\
          Content-Length: 0\r\n\r\n
          """
        let server = try WireServer(answering: answer, closes: true)
        defer { server.stop() }
        let proxy = "http://\(user)\(server.authority)"
        let outcome = try await ToolProcess.run(
          "fetch",
          "http://stagecoach.invalid/",
          "--transport",
          "CURL",
          "--proxy",
          proxy
        )
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.errors.contains("\(server.authority) \(text)"), "\(outcome)")
      }
    #endif

    @Test(arguments: [
      ("http://m\u{FC}nchen.de/", "A-label"), ("http://[fe80::1%eth0]/", "zone"),
      ("http://h:65536/", "The port"),
      ("http://h:x/", "The port"), ("http:///", "The host of the URI is empty"),
      ("http://a b/", "\"a b\" is invalid"),
      ("http://a\u{1}b/", "control character"), ("h/path", "must start with http:// or https://"),
    ])
    func aBadURLSaysWhichPartIsBad(url: String, text: String) async throws {
      for transport in Self.transports {
        let outcome = try await ToolProcess.run("fetch", url, "--transport", transport)
        #expect(outcome.status == 2, "\(outcome)")
        #expect(outcome.errors.contains(text), "\(outcome)")
        #expect(!outcome.errors.contains("client"), "\(outcome)")
      }
    }

    @Test func anExplicitRedirectLimitHasItsOption() async throws {
      let outcome = try await Self.fetch(
        "HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n",
        "--max-redirects",
        "0"
      )
      #expect(outcome.status == 3, "\(outcome)")
      #expect(outcome.errors.contains("--max-redirects = 0"), "\(outcome)")
      #expect(outcome.errors.contains("raise --max-redirects"), "\(outcome)")
    }
  }
#endif
