#if Tool
  import StagecoachOrigin
  import Testing

  struct FailureRoutesTests {
    @Test func closeGivesNoByte() async throws {
      try await withOrigin { origin in
        let peer = try Peer(port: origin.port)
        try await peer.send("GET /close HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await peer.receiveToEnd().isEmpty)
      }
    }

    @Test func hangEndsWithTheIdleTimeout() async throws {
      var configuration = Origin.Configuration()
      configuration.idleTimeout = .milliseconds(150)
      try await withOrigin(configuration) { origin in
        let peer = try Peer(port: origin.port)
        let start = ContinuousClock.now
        try await peer.send("GET /hang HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await peer.receiveToEnd().isEmpty)
        #expect(start.duration(to: .now) >= .milliseconds(140))
      }
    }

    @Test func aClientThatLeavesAHangingRequestIsNoticed() async throws {
      try await withOrigin { origin in
        let peer = try Peer(port: origin.port)
        try await peer.send("GET /hang HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try await origin.nextRequest(path: "/hang")
        #expect(origin.openConnections == 1)
        await peer.disconnect()
        #expect(try await eventually { origin.openConnections == 0 })
      }
    }
  }
#endif
