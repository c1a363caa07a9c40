#if Tool
  import StagecoachOrigin
  import Testing

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  struct OriginTests {
    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
      try await withOrigin { origin in
        let peer = try Peer(port: origin.port)
        let paths = [
          "/delay/50", "/status/201", "/chunked?delay=1", "/status/202", "/bytes/100000", "/status/203",
        ]
        try await peer.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        var statuses: [Int] = []
        for _ in paths { statuses.append(try await peer.receiveResponse().status) }
        #expect(statuses == [200, 201, 200, 202, 200, 203])
        #expect(origin.acceptedConnections == 1)
        #expect(origin.requests.map(\.path) == paths.map { String($0.prefix { $0 != "?" }) })
        #expect(Set(origin.requests.map(\.connection)) == [1])
      }
    }

    @Test func manyPipelinedRequestsNeedNoDeepStack() async throws {
      try await withOrigin { origin in
        let peer = try Peer(port: origin.port)
        let count = 5000
        let request = "GET /empty HTTP/1.1\r\nHost: a\r\n\r\n"
        try await peer.send(
          "GET /delay/300 HTTP/1.1\r\nHost: a\r\n\r\n" + String(repeating: request, count: count)
        )
        for _ in 0...count {
          let response = try await peer.receiveResponse()
          guard response.status == 200 else {
            Issue.record("answered with \(response.status)")
            return
          }
        }
        #expect(origin.acceptedConnections == 1)
      }
    }

    @Test func aPeerThatSendsAndNeverReadsMeetsBackPressure() async throws {
      var configuration = Origin.Configuration()
      configuration.recordsRequests = false
      try await withOrigin(configuration) { origin in
        let peer = try Peer(port: origin.port)
        let request = Array("GET /bytes/1000 HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        let block = [UInt8](repeatElement(request, count: 1000).joined())
        var idle = 0
        while idle < 20, origin.bytesSent < 64 << 20 {
          // What the system takes of a block may end inside a request; the rest must follow first.
          var sent = 0
          while idle < 20, sent < block.count {
            let count = await peer.sendWithoutWaiting(Array(block[sent...]))
            sent += count
            idle = count == 0 ? idle + 1 : 0
            if count == 0 { try await Task.sleep(for: .milliseconds(20)) }
          }
        }
        #expect(idle == 20)
        #expect(origin.bytesSent < 64 << 20)
      }
    }

    @Test func aConnectionIsClosedWhenTheRequestAsksForIt() async throws {
      try await withOrigin { origin in
        let peer = try Peer(port: origin.port)
        try await peer.send("GET /json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try await peer.receiveResponse()["connection"] == "close")
        #expect(try await peer.receiveToEnd().isEmpty)
      }
    }

    @Test func requestsAreRecorded() async throws {
      var configuration = Origin.Configuration()
      configuration.recordedBodyLimit = 3
      configuration.recordedRequestLimit = 2
      try await withOrigin(configuration) { origin in
        _ = try await origin.exchange("GET", "/status/200")
        _ = try await origin.exchange("PUT", "/upload?x=%41", [("X-A", "1"), ("x-a", "2")], body: "12345")
        let request = try #require(origin.requests.last)
        #expect(request.method == "PUT")
        #expect(request.target == "/upload?x=%41")
        #expect(request.query == "x=%41")
        #expect(request.version == "1.1")
        #expect(request.fields.map(\.name) == ["Host", "X-A", "x-a", "Content-Length"])
        #expect(request.values(of: "X-a") == ["1", "2"])
        #expect(request["host"] == "localhost")
        #expect(request.bodyText == "123")
        #expect(request.bodyLength == 5)
        #expect(request.isComplete)
        #expect(request.connection == 2)
        _ = try await origin.exchange("GET", "/status/404")
        #expect(origin.requests.map(\.path) == ["/upload", "/status/404"])
        origin.clearRequests()
        #expect(origin.requests.isEmpty)
      }
    }

    @Test func recordingCanBeOff() async throws {
      var configuration = Origin.Configuration()
      configuration.recordsRequests = false
      try await withOrigin(configuration) { origin in
        let response = try await origin.exchange("POST", "/echo", body: "abc")
        #expect(response.text.contains(#""body":"abc""#))
        #expect(origin.requests.isEmpty)
      }
    }

    @Test func nextRequestWaitsAndHandsEachRequestOutOnce() async throws {
      try await withOrigin { origin in
        async let second = origin.nextRequest { $0.query == "n=2" }
        _ = try await origin.exchange("GET", "/echo?n=1")
        _ = try await origin.exchange("GET", "/echo?n=2")
        #expect(try await second.query == "n=2")
        #expect(try await origin.nextRequest(path: "/echo").query == "n=1")
        await #expect(throws: OriginError.timedOut(waitingFor: "a request for /echo")) {
          try await origin.nextRequest(path: "/echo", timeout: .milliseconds(20))
        }
      }
    }

    @Test func waitingEndsWithCancellationAndStop() async throws {
      let origin = try await Origin.start()
      let cancelled = Task { try await origin.nextRequest() }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      let waiting = Task { try await origin.nextRequest() }
      try await Task.sleep(for: .milliseconds(20))
      try await origin.stop()
      await #expect(throws: OriginError.stopped) { try await waiting.value }
    }

    @Test func stopClosesEverything() async throws {
      let origin = try await Origin.start()
      let idle = try Peer(port: origin.port)
      let hanging = try Peer(port: origin.port)
      try await hanging.send("GET /hang HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try await origin.nextRequest()
      #expect(try await eventually { origin.openConnections == 2 })
      try await origin.stop()
      try await origin.stop()
      #expect(origin.openConnections == 0)
      #expect(try await idle.receiveToEnd().isEmpty)
      #expect(try await hanging.receiveToEnd().isEmpty)
    }

    @Test func aReleasedOriginStops() async throws {
      var origin: Origin? = try await Origin.start()
      let peer = try Peer(port: try #require(origin?.port))
      // A connection that nobody has accepted when the listener closes is reset by the kernel, not closed.
      #expect(try await eventually { origin?.openConnections == 1 })
      origin = nil
      #expect(try await peer.receiveToEnd().isEmpty)
    }

    @Test func malformedRequestsGetA400() async throws {
      try await withOrigin { origin in
        let peer = try Peer(port: origin.port)
        try await peer.send("GET /json HTTP/1.1\r\nHost : a\r\n\r\n")
        #expect(try await peer.receiveResponse().status == 400)
        #expect(try await peer.receiveToEnd().isEmpty)
      }
    }

    @Test func listensOnIPv6() async throws {
      var configuration = Origin.Configuration()
      configuration.host = "::1"
      try await withOrigin(configuration) { origin in
        #expect(origin.url == "http://[::1]:\(origin.port)")
        let peer = try Peer(ipv6Port: origin.port)
        try await peer.send("GET /status/202 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await peer.receiveResponse().status == 202)
      }
    }

    @Test func listensOnAUnixSocket() async throws {
      let path = "/tmp/origin-\(UInt64.random(in: 0 ... .max)).sock"
      defer { try? FileManager.default.removeItem(atPath: path) }
      var configuration = Origin.Configuration()
      configuration.unixSocketPath = path
      try await withOrigin(configuration) { origin in
        #expect(origin.port == 0)
        #expect(origin.url == "http+unix://" + path.replacing("/", with: "%2F"))
        let peer = try Peer(unixSocketPath: path)
        try await peer.send("GET /json HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await peer.receiveResponse().status == 200)
      }
    }

    @Test func aBoundPortIsReported() async throws {
      try await withOrigin { origin in
        var configuration = Origin.Configuration()
        configuration.port = origin.port
        await #expect {
          try await Origin.start(configuration)
        } throws: { error in
          if case .cannotListen(let reason) = error as? OriginError { !reason.isEmpty } else { false }
        }
      }
    }

    @Test func unusableConfigurationsAreReported() async throws {
      var threads = Origin.Configuration()
      threads.threads = 0
      var port = Origin.Configuration()
      port.port = 70_000
      var idle = Origin.Configuration()
      idle.idleTimeout = .zero
      for configuration in [threads, port, idle] {
        await #expect {
          try await Origin.start(configuration)
        } throws: { error in
          if case .invalidConfiguration = error as? OriginError { true } else { false }
        }
      }
    }
  }
#endif
