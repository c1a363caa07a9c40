#if Tool && AsyncHTTPClient
  import Foundation
  import StagecoachConformance
  import Synchronization
  import Testing

  /// `proxy --cache`: the stage itself is tested elsewhere.
  struct ProxyCacheTests {
    /// Counts its answers in their content. A path `/private` is for one user.
    private func upstream() throws -> WireServer {
      let count = Atomic(0)
      return try WireServer { wire in
        while true {
          let request = try wire.readRequest()
          let number = count.add(1, ordering: .relaxed).newValue
          let control = request.target == "/private" ? "private, max-age=60" : "max-age=60"
          let content = request.method == "HEAD" ? "" : "answer \(number)"
          try wire.send(
            "HTTP/1.1 200 OK\r\nCache-Control: \(control)\r\nX-Number: \(number)\r\n"
              + "Content-Length: \("answer \(number)".utf8.count)\r\n\r\n\(content)"
          )
        }
      }
    }

    @Test func aHitHasAgeViaAndCacheStatus() async throws {
      let server = try upstream()
      defer { server.stop() }
      try await ProxyProcess.run(to: server.url, "--cache", "memory") { proxy in
        let first = try await proxy.send("GET /a HTTP/1.1")
        #expect(first.hasSuffix("answer 1") && first.contains("Cache-Status: Stagecoach; fwd=uri-miss"))
        let second = try await proxy.send("GET /a HTTP/1.1")
        #expect(second.hasSuffix("answer 1") && second.contains("Cache-Status: Stagecoach; hit"), "\(second)")
        #expect(second.ranges(of: "\r\nAge: ").count == 1)
        #expect(second.ranges(of: "\r\nVia: 1.1 stagecoach\r\n").count == 1)
        #expect(second.ranges(of: "\r\nDate: ").count == 1)
        // The same under the name of the upstream, in a connection of HTTP/1.0 and without content.
        let other = try await RawExchange.send("GET \(server.url)/a HTTP/1.0\n\n", to: proxy.url)
        #expect(other.hasSuffix("answer 1"))
        let head = try await proxy.send("HEAD /a HTTP/1.1")
        #expect(head.contains("Content-Length: 8\r\n") && head.hasSuffix("\r\n\r\n"))
        #expect(server.requests.count == 1)
      }
    }

    @Test func aRequestWithContentBypassesIt() async throws {
      let server = try upstream()
      defer { server.stop() }
      try await ProxyProcess.run(to: server.url, "--cache", "memory") { proxy in
        _ = try await proxy.send("GET / HTTP/1.1")
        #expect(try await proxy.send("GET / HTTP/1.1", "Content-Length: 3\n\nabc").hasSuffix("answer 2"))
        #expect(
          try await proxy.send("GET / HTTP/1.1", "Transfer-Encoding: chunked\n\n0\n\n").hasSuffix("answer 3")
        )
        #expect(try await proxy.send("GET / HTTP/1.1").hasSuffix("answer 1"))
      }
    }

    @Test func aSharedCacheKeepsNothingOfOneUser() async throws {
      let server = try upstream()
      defer { server.stop() }
      try await ProxyProcess.run(to: server.url, "--cache", "memory", "--shared") { proxy in
        for number in 1...2 {
          let text = try await proxy.send("GET /private HTTP/1.1")
          #expect(text.hasSuffix("answer \(number)"))
        }
      }
    }

    @Test func withoutTheOptionNothingIsKept() async throws {
      let server = try upstream()
      defer { server.stop() }
      try await ProxyProcess.run(to: server.url) { proxy in
        for number in 1...2 {
          let text = try await proxy.send("GET / HTTP/1.1")
          #expect(text.hasSuffix("answer \(number)") && !text.contains("Cache-Status"))
        }
      }
    }
  }
#endif
