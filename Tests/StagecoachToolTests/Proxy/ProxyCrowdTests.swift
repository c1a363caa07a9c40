#if Tool && AsyncHTTPClient
  import Foundation
  import StagecoachConformance
  import TestSupport
  import Testing

  /// Slow clients beside others.
  @Suite(.enabled(if: Nginx.executable != nil, "nginx is not installed: these tests are not run"))
  struct ProxyCrowdTests {
    /// More than a proxy once had connections to its upstream.
    private static let crowd = 150

    /// Opens connections that send a text and then do nothing, and gets a file beside them.
    private func getBeside(_ text: String) async throws {
      let nginx = try Nginx(directives: "proxy_request_buffering off;")
      defer { nginx.stop() }
      try await nginx.isListening()
      try await ProxyProcess.run(to: nginx.url) { proxy in
        let authority = String(proxy.url.dropFirst("http://".count))
        let port = Int(authority.drop { $0 != ":" }.dropFirst()) ?? 0
        let bytes = Array(text.replacing("HOST", with: authority).replacing("\n", with: "\r\n").utf8)
        let sockets = try await RawExchange.blocking {
          try (0..<Self.crowd).map { _ in
            let socket = try LoopbackSocket(port: port, receiveBuffer: 16 << 10)
            try socket.send(bytes)
            return Held(socket)
          }
        }
        // The last of them should have come to the proxy.
        try await Task.sleep(for: .milliseconds(300))
        let answer = try await proxy.send("GET /a.txt HTTP/1.1")
        #expect(answer.hasSuffix("\r\n\r\nhello"), "\(answer)")
        withExtendedLifetime(sockets) {}
      }
    }

    @Test func slowContentDoesNotBlockOthers() async throws {
      try await getBeside("PUT /a HTTP/1.1\nHost: HOST\nTransfer-Encoding: chunked\n\n3\nabc\n")
      try await getBeside("PUT /a HTTP/1.1\nHost: HOST\nContent-Length: 1000000\n\nabc")
    }

    @Test func slowReadersDoNotBlockOthers() async throws {
      try await getBeside("GET /large HTTP/1.1\nHost: HOST\n\n")
    }

    /// A socket that is only kept open.
    private struct Held: @unchecked Sendable {
      let socket: LoopbackSocket
      init(_ socket: LoopbackSocket) { self.socket = socket }
    }
  }
#endif
