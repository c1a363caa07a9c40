#if Tool
  import HTTPTypes
  import StagecoachCore
  import StagecoachOrigin
  import Synchronization
  import Testing

  /// Which requests a server answers that stands in for services: DNS rebinding and pages of other sites.
  struct ServedAuthoritiesTests {
    private func withServer(
      host: String = "127.0.0.1",
      _ services: [String] = ["https://api.test", "http://other.test:8081/v1"],
      _ allowed: [String] = ["front.test", "box.test:8080"],
      _ body: (HandlerServer) async throws -> Void
    ) async throws -> [String] {
      let lines = Mutex<[String]>([])
      let rules = ServedAuthorities.Rules(
        services: try services.map { try TargetURI(parsing: $0) },
        allowed: allowed.compactMap { HostAndPort($0) },
        option: { "--allow \($0)" },
        report: { line in lines.withLock { $0.append(line) } }
      )
      let server = try await HandlerServer.start(host: host, port: 0, answeringFor: rules) { served in
        { request in
          if request.head.path == "/control", let refusal = served.crossSiteRefusal(of: request) {
            return refusal
          }
          return Response(.ok)
        }
      }
      do {
        try await body(server)
      } catch {
        await server.stop(patience: .zero)
        throw error
      }
      await server.stop(patience: .zero)
      return lines.withLock(\.self)
    }

    private func get(_ host: String, _ fields: String = "", path: String = "/") -> String {
      "GET \(path) HTTP/1.1\nHost: \(host)\nConnection: close\n\(fields)\n"
    }

    @Test func hostsOfThisMachineOfTheServicesAndAllowedOnesAreAnswered() async throws {
      let lines = try await withServer { server in
        let port = server.port
        let good = [
          "127.0.0.1:\(port)", "127.0.0.1", "127.0.0.2:1", "localhost:\(port)", "LocalHost.", "[::1]:\(port)",
          "api.localhost:\(port)", "api.test", "API.test.:\(port)", "other.test:8081", "other.test",
          "front.test:1",
          "box.test:8080",
        ]
        let bad = [
          "evil.test", "evil.test:\(port)", "localhost.evil.test", "evil-localhost", "api.test.evil.test",
          "192.0.2.1",
          "[::2]:\(port)", "box.test", "box.test:1", "test", "127.0.0.1.evil.test",
        ]
        for (hosts, expected) in [(good, 200), (bad, 421)] {
          for host in hosts {
            for request in [get(host), "GET http://\(host)/ HTTP/1.1\nHost: x\nConnection: close\n\n"] {
              let text = try await server.exchange(request)
              #expect(status(of: text) == expected, "\(request): \(text)")
              guard expected == 421 else { continue }
              // A page that reads this learns the way to allow it, and not what is served.
              #expect(text.contains(host.lowercased()) && text.contains("--allow "), "\(text)")
              #expect(!text.contains("api.test,") && !text.contains("front.test"), "\(text)")
            }
          }
        }
        #expect(try await server.exchange(get("[2001:db8::2]:1")).contains("--allow [2001:db8::2]\n"))
        // A client of HTTP/1.0 may name no host.
        #expect(status(of: try await server.exchange("GET / HTTP/1.0\n\n")) == 200)
      }
      #expect(lines.count == 23)
      #expect(
        lines[0].hasPrefix("refused a request for the host evil.test: this server answers for 127.0.0.1:")
      )
      #expect(
        lines[0].hasSuffix("api.test, other.test:8081, front.test, box.test; to allow it: --allow evil.test")
      )
    }

    @Test func pagesOfOtherSitesAreRefused() async throws {
      let lines = try await withServer { server in
        let own = "127.0.0.1:\(server.port)"
        let origins = [
          (200, "http://\(own)"), (200, "http://localhost:3000"), (200, "https://app.localhost"),
          (200, "http://[::1]:1"),
          (200, "capacitor://localhost"), (200, "https://api.test"), (200, "https://front.test:9"),
          (200, "http://box.test:8080"), (403, "http://box.test"), (403, "null"), (403, "https://evil.test"),
          (403, "https://front.test.evil.test"), (403, "http://192.0.2.1"), (403, "file://"),
          (403, "evil.test"), (403, ""),
        ]
        for (expected, origin) in origins {
          let text = try await server.exchange(get(own, "Origin: \(origin)\n"))
          #expect(status(of: text) == expected, "\(origin): \(text)")
        }
        let two = try await server.exchange(get(own, "Origin: http://localhost\nOrigin: http://evil.test\n"))
        #expect(status(of: two) == 403)
        // A rebound name is of another host, whatever its page.
        let rebound = try await server.exchange(get("evil.test", "Origin: http://evil.test\n"))
        #expect(status(of: rebound) == 421)
        let site = "Sec-Fetch-Site: cross-site\n"
        for (expected, path, fields) in [
          (200, "/", site), (403, "/control", site), (200, "/control", "Sec-Fetch-Site: none\n"),
          (200, "/control", "Sec-Fetch-Site: same-origin\n"), (200, "/control", ""),
          (200, "/control", site + "Origin: http://localhost:3000\n"),
          (403, "/control", site + "Origin: null\n"),
        ] {
          let text = try await server.exchange(get(own, fields, path: path))
          #expect(status(of: text) == expected, "\(path), \(fields): \(text)")
        }
      }
      #expect(
        lines.contains { $0.hasPrefix("refused a request of a page of null: ") && !$0.contains("--allow") }
      )
      #expect(lines.contains { $0.hasPrefix("refused a request of a page of https://evil.test: ") })
    }

    @Test func aServerAtAllAddressesTakesAnyAddressButNotItsPages() async throws {
      _ = try await withServer(host: "0.0.0.0") { server in
        for (expected, host, origin) in [
          (200, "192.0.2.1:18080", nil), (200, "192.0.2.1", "http://192.0.2.1"),
          (403, "192.0.2.1", "http://192.0.2.2"),
          (421, "evil.test", nil), (200, "localhost:1", "http://localhost:2"),
        ] as [(Int, String, String?)] {
          let text = try await server.exchange(get(host, origin.map { "Origin: \($0)\n" } ?? ""))
          #expect(status(of: text) == expected, "\(host), \(origin ?? ""): \(text)")
        }
      }
    }

    @Test func theTextOfARefusalIsHarmless() async throws {
      let lines = try await withServer { server in
        let long = String(repeating: "a", count: 5000)
        let text = try await server.exchange(get("127.0.0.1", "Origin: http://\(long)/\u{202e}\n"))
        #expect(status(of: text) == 403 && text.utf8.count < 600, "\(text)")
      }
      #expect(lines.count == 1 && lines[0].utf8.count < 400)
    }

    @Test(arguments: [
      ("127.0.0.1", "http://localhost:PORT", true), ("127.0.0.1", "http://127.0.0.1:PORT/v1", true),
      ("127.0.0.1", "https://localhost:PORT", false), ("127.0.0.1", "http://localhost:1", false),
      ("0.0.0.0", "http://127.0.0.1:PORT", true), ("192.0.2.1", "http://localhost:PORT", false),
      ("192.0.2.1", "http://192.0.2.1:PORT", true), ("127.0.0.1", "http://localhost.:PORT", true),
      ("127.0.0.1", "http://api.localhost:PORT", true), ("[::1]", "http://0.0.0.0:PORT", true),
      ("127.0.0.1", "http://127.0.0.2:PORT", false), ("0.0.0.0", "http://127.0.0.2:PORT", true),
    ])
    func aServiceMayBeTheServerItself(_ host: String, _ service: String, _ isLoop: Bool) throws {
      let url = try TargetURI(parsing: service.replacing("PORT", with: "8080"))
      let rules = ServedAuthorities.Rules(services: [url], allowed: [], option: { $0 }, report: { _ in })
      #expect(ServedAuthorities(listening: "http://\(host):8080", rules).isLoop == isLoop)
    }
  }
#endif
