#if Tool
  import Foundation
  import StagecoachConformance
  import Testing

  @testable import StagecoachTool

  /// Proxies of `fetch` that refuse, over each transport, and what its texts advise.
  @Suite struct FetchProxyTests {
    private static let transports = TransportName.allCases.map(\.rawValue)
    /// The transports with https through a proxy.
    private static let tunnelling = transports.filter { $0 != "URLSession" }

    private func proxy(answering status: String, _ challenge: String = "Basic realm=\"d\"") throws
      -> WireServer
    {
      try WireServer { wire in
        while true {
          try wire.readHead()
          try wire.send(
            "HTTP/1.1 \(status)\r\nProxy-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n"
          )
        }
      }
    }

    /// URLSession takes proxies from the environment only.
    @Test(arguments: transports.map { ($0, "http") } + tunnelling.map { ($0, "https") })
    func aRefusedPasswordIsSentOnce(transport: String, scheme: String) async throws {
      let proxy = try proxy(answering: "407 Who")
      defer { proxy.stop() }
      let outcome = try await ToolProcess.run(
        "fetch",
        "\(scheme)://origin.invalid/",
        "--transport",
        transport,
        environment: ["\(scheme)_proxy": "http://me:hunter2@127.0.0.1:\(proxy.port)"]
      )
      #expect(proxy.requests.count == 1)
      #expect(outcome.errors.contains("407"), "\(outcome)")
      #expect(outcome.errors.contains("--proxy"), "\(outcome)")
      #expect(!outcome.errors.contains("hunter2"), "\(outcome)")
      guard scheme == "https" else { return }
      #expect(outcome.status == 3)
      #expect(outcome.errors.contains("CONNECT origin.invalid:443"), "\(outcome)")
      #expect(outcome.errors.contains("127.0.0.1:\(proxy.port)"), "\(outcome)")
    }

    /// The engine delivers the answer to CONNECT as that of the origin.
    @Test func httpsThroughAProxyIsRefusedByURLSession() async throws {
      let proxy = try proxy(answering: "200 Established")
      defer { proxy.stop() }
      let outcome = try await ToolProcess.run(
        "fetch",
        "https://origin.invalid/",
        "--transport",
        "URLSession",
        environment: ["https_proxy": "http://127.0.0.1:\(proxy.port)"]
      )
      #expect(proxy.connections.isEmpty)
      #expect(outcome.status == 3, "\(outcome)")
      #expect(outcome.errors.contains("[unsupported]"), "\(outcome)")
    }

    @Test(arguments: tunnelling, ["403 Forbidden", "404 Not Found"])
    func aRefusedDestinationIsAskedForOnce(transport: String, status: String) async throws {
      let proxy = try proxy(answering: status)
      defer { proxy.stop() }
      let outcome = try await ToolProcess.run(
        "fetch",
        "https://origin.invalid/",
        "--transport",
        transport,
        environment: ["https_proxy": "http://127.0.0.1:\(proxy.port)"]
      )
      #expect(proxy.requests.map(\.method) == ["CONNECT"])
      #expect(outcome.errors.contains("[proxyRefused]"), "\(outcome)")
      // AsyncHTTPClient tells no status but 407.
      #expect(transport == "AsyncHTTPClient" || outcome.errors.contains(status), "\(outcome)")
    }

    @Test(arguments: tunnelling)
    func aProxyThatOnlyTakesDigestIsAdvisedTheFlag(transport: String) async throws {
      let proxy = try proxy(answering: "407 Who", "Digest realm=\"d\", nonce=\"n\", qop=\"auth\"")
      defer { proxy.stop() }
      for scheme in ["http", "https"] {
        let outcome = try await ToolProcess.run(
          "fetch",
          "\(scheme)://origin.invalid/",
          "--transport",
          transport,
          "--proxy",
          "http://me:pw@127.0.0.1:\(proxy.port)"
        )
        let advice = outcome.errors.split(separator: "\n").first { $0.contains("advice:") } ?? ""
        #expect(advice.contains("--proxy-digest") && advice.contains("--transport CURL"), "\(outcome)")
        #expect(!advice.contains("expectedContent") && !advice.contains(".digest"), "\(outcome)")
      }
    }

    @Test(arguments: transports)
    func aProxyThatIsDownIsNamed(transport: String) async throws {
      let proxy = try proxy(answering: "200 OK")
      proxy.stop()
      for scheme in ["http", "https"] {
        let outcome = try await ToolProcess.run(
          "fetch",
          "\(scheme)://origin.invalid/",
          "--retry",
          "0",
          "--transport",
          transport,
          environment: ["\(scheme)_proxy": "127.0.0.1:\(proxy.port)"]
        )
        #expect(outcome.errors.contains("the proxy http://127.0.0.1:\(proxy.port)"), "\(outcome)")
      }
    }

    /// What GNOME sets beside `http_proxy`, and a variable that does not concern the request.
    @Test(arguments: transports)
    func aVariableIsReadWhenItIsNeeded(transport: String) async throws {
      let proxy = try WireServer { wire in
        while true {
          if try wire.readHead().method == "CONNECT" {
            try wire.send("HTTP/1.1 200 OK\r\n\r\n")
          } else {
            try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
          }
        }
      }
      defer { proxy.stop() }
      for others in [
        ["all_proxy": "socks://127.0.0.1:1/"], ["https_proxy": "nonsense://x", "ALL_PROXY": "?"],
      ] {
        let outcome = try await ToolProcess.run(
          "fetch",
          "http://origin.invalid/",
          "--transport",
          transport,
          environment: others.merging(["http_proxy": "http://127.0.0.1:\(proxy.port)/"]) { $1 }
        )
        #expect(outcome.status == 0, "\(outcome)")
      }
      let needed = try await ToolProcess.run(
        "fetch",
        "https://origin.invalid/",
        "--transport",
        transport,
        environment: ["ALL_PROXY": "nonsense://x"]
      )
      #expect(needed.status == 2, "\(needed)")
      #expect(needed.errors.contains("ALL_PROXY"), "\(needed)")
    }
  }
#endif
