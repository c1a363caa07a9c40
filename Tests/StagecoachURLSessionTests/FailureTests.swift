import Foundation
import HTTPTypes
import Stagecoach
import StagecoachConformance
import StagecoachURLSession
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionTests {
  /// What goes wrong, as which kind.
  @Suite struct FailureTests {
    let transport = URLSessionTransport()

    @Test(arguments: [
      ("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello", ExchangeError.Kind.incompleteBody),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", .incompleteBody),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n", .protocolViolation),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: foo\r\n\r\nhello", .unsupported),
      (
        "HTTP/1.1 200 OK\r\nContent-Encoding: foo\r\nContent-Length: 5\r\n\r\nhello", .contentCoding(.unknown)
      ),
      (
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
        .contentCoding(.malformed)
      ),
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 4\r\n\r\nhello", .protocolViolation),
      ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello", .protocolViolation),
      ("HTTP/1.1 200 OK\r\nno colon\r\n\r\n", .protocolViolation),
      ("hello", .protocolViolation), ("HTTP/3.1 200 OK\r\n\r\n", .protocolViolation),
      ("HTTP/1.1 99 OK\r\n\r\n", .protocolViolation), ("", .connectionReset),
      ("HTTP/1.1 200", .connectionReset), ("HTTP/1.1 103 Early\r\n\r\n", .connectionReset),
      ("HTTP/1.1 200 OK\r\nX: \(String(repeating: "a", count: 110_000))\r\n\r\n", .limit(.responseHead)),
      ("HTTP/1.1 200 OK\r\nX: \(String(repeating: "a", count: 70_000))\r\n\r\n", .limit(.responseHead)),
    ])
    func aBrokenPeerEndsInATypedError(answer: String, kind: ExchangeError.Kind) async throws {
      let server = try WireServer(answering: answer, closes: true)
      defer { server.stop() }
      let error = await failure { _ = try await transport.answer(server.request()) }
      #expect(error?.kind == kind, "\(error.map { "\($0)" } ?? "")")
      #expect(error?.requestMayHaveBeenSent == true)
    }

    @Test func theCauseOfAFailureShowsNoSecretOfTheURL() async throws {
      for answer in ["", "none\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello"] {
        let server = try WireServer(answering: answer, closes: true)
        defer { server.stop() }
        var request = server.request()
        request.head.path = "/?access_token=hush"
        let error = await failure { _ = try await transport.answer(request) }
        #expect(error?.underlying is URLError, "\(error?.underlying as Any)")
        for text in ["\(error as Any)", String(reflecting: error), "\(error?.underlying as Any)"] {
          #expect(!text.contains("hush"), "\(text)")
        }
      }
    }

    @Test func whatCameBeforeAFailureCanBeRead() async throws {
      let server = try WireServer(
        answering: "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello",
        closes: true
      )
      defer { server.stop() }
      let response = try await transport.send(server.request())
      var text = ""
      let error = await failure { for try await chunk in response.body { text += String(decoding: chunk) } }
      #expect(text == "hello")
      #expect(error?.kind == .incompleteBody)
    }

    @Test func aRefusedConnectionHasSentNoRequest() async throws {
      let server = try WireServer(answering: WireServer.ok)
      let request = server.request()
      server.stop()
      try await Task.sleep(for: .milliseconds(300))
      let error = await failure { _ = try await transport.send(request) }
      #expect(error?.kind == .connectionRefused)
      #expect(error?.requestMayHaveBeenSent == false)
    }

    @Test func anUnknownHostHasAKind() async {
      let head = HTTPRequest(method: .get, scheme: "http", authority: "no.such.host.invalid", path: "/")
      let error = await failure { _ = try await transport.send(Request(head: head)) }
      #expect(error?.kind == .nameResolution)
      #expect(error?.requestMayHaveBeenSent == false)
    }

    @Test func aResetHasAKind() async throws {
      let server = try WireServer { wire in
        _ = try wire.readRequest()
        wire.reset()
      }
      defer { server.stop() }
      let error = await failure { _ = try await transport.send(server.request()) }
      #expect(error?.kind == .connectionReset)
    }

    @Test func aPeerWithoutTLSHasAKind() async throws {
      let server = try WireServer { wire in
        _ = try wire.readSome(within: .seconds(5))
        try wire.send("HTTP/1.1 400 no\r\n\r\n")
      }
      defer { server.stop() }
      var request = server.request()
      request.head.scheme = "https"
      let error = await failure { _ = try await transport.send(request) }
      #expect(error?.kind == .tls(.handshake), "\(error.map { "\($0)" } ?? "")")
      #expect(error?.requestMayHaveBeenSent == false)
    }

    @Test func timeoutsRunOnTheInjectedClock() async throws {
      let server = try WireServer { wire in
        if try wire.readRequest().target == "/body" {
          try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhe")
        }
        try wire.hold()
      }
      defer { server.stop() }
      let time = ManualTime()
      let transport = URLSessionTransport(clock: time)
      let head = Task { await failure { _ = try await transport.send(server.request("/head")) } }
      #expect(try await server.wait { $0.flatMap(\.requests).count == 1 })
      time.advance(by: .seconds(31))
      #expect(await head.value?.kind == .timeout(.head))
      let response = try await transport.send(server.request("/body"))
      let passing = Task {
        while !Task.isCancelled {
          time.advance(by: .seconds(31))
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      let error = await failure { _ = try await response.body.collect(upTo: 99) }
      #expect(error?.kind == .timeout(.idle))
      passing.cancel()
    }

    @Test func refusesUnsupportedOptions() async throws {
      let server = try WireServer(answering: WireServer.ok)
      defer { server.stop() }
      func kind(_ change: (inout ConnectionOptions) -> Void) async -> ExchangeError.Kind? {
        var connections = ConnectionOptions()
        change(&connections)
        let transport = URLSessionTransport(connections: connections)
        return await failure { _ = try await transport.send(server.request()) }?.kind
      }
      #expect(await kind { $0.unixSocket = "/tmp/x" } == .unsupported)
      #expect(await kind { $0.addresses = ["a": "127.0.0.1"] } == .unsupported)
      #expect(await kind { $0.localAddress = "127.0.0.1" } == .unsupported)
      #expect(await kind { $0.versions = .http2 } == .unsupported)
      #expect(await kind { $0.proxy = .server(Proxy(.http, host: "127.0.0.1", port: 1)) } == .unsupported)
      var request = server.request()
      request.head.scheme = "https"
      request.options.trust = Trust(roots: .only([]))
      let untrusting = await failure { _ = try await transport.send(request) }
      #expect(untrusting?.kind == .unsupported)
      #expect(server.connections.isEmpty)
    }

    #if os(Linux)
      /// In a process of its own, since the environment is one for all.
      @Test func usesNoProxyOfTheEnvironment() async {
        await #expect(processExitsWith: .success) {
          let proxy = try WireServer(answering: WireServer.ok)
          let server = try WireServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\norigin")
          setenv("http_proxy", proxy.url, 1)
          let direct = URLSessionTransport()
          let error = await failure { _ = try await direct.send(server.request()) }
          try #require(error?.kind == .unsupported)
          try #require(proxy.connections.isEmpty && server.connections.isEmpty)

          var connections = ConnectionOptions()
          connections.proxy = .environment
          let asked = URLSessionTransport(connections: connections)
          try #require(try await asked.answer(server.request()).text == "hello")
          try #require(proxy.requests.count == 1)

          setenv("no_proxy", "127.0.0.1", 1)
          try #require(try await URLSessionTransport().answer(server.request()).text == "origin")
        }
      }
    #endif
  }
}
