#if Tool
  import StagecoachOrigin
  import Testing

  struct StreamRoutesTests {
    @Test(arguments: [0, 1, 251, 1_000_003])
    func bytesFollowThePattern(_ length: Int) async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", "/bytes/\(length)")
        #expect(response["content-length"] == "\(length)")
        #expect(response.body == (0..<length).map { UInt8($0 % 251) })
        #expect(try await eventually { origin.bytesSent > length })
      }
    }

    @Test func aReaderThatStopsStopsTheOrigin() async throws {
      try await withOrigin { origin in
        let peer = try Peer(port: origin.port)
        try await peer.send("GET /bytes/10737418240 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await peer.line() == "HTTP/1.1 200 OK")
        var sent = -1
        // Once the buffers of the system are full, nothing moves any more.
        while sent != origin.bytesSent {
          sent = origin.bytesSent
          try await Task.sleep(for: .milliseconds(200))
        }
        #expect(sent < 64 << 20)
        for _ in 0..<400 { _ = try await peer.receive() }
        #expect(try await eventually { origin.bytesSent > sent })
        await peer.disconnect()
        #expect(try await eventually { origin.openConnections == 0 })
      }
    }

    @Test func chunksHaveTheirNumberAndSize() async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", "/chunked?chunks=3&size=300&delay=5")
        #expect(response["transfer-encoding"] == "chunked")
        #expect(response["content-length"] == nil)
        #expect(response.chunks == [300, 300, 300])
        #expect(response.body == (0..<900).map { UInt8($0 % 251) })
        #expect(response.trailers.isEmpty)
      }
    }

    @Test func chunksDefaultToFiveOfAHundred() async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", "/chunked")
        #expect(response.chunks == [100, 100, 100, 100, 100])
      }
    }

    @Test func trailersCarryTheChecksum() async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", "/chunked?chunks=2&size=1&trailers=1")
        #expect(response["trailer"] == "X-Chunks, X-Checksum")
        let hash = [0, 1].reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ $1) &* 0x100_0000_01B3 }
        let digits = String(String(UInt128(hash) | 1 << 64, radix: 16).dropFirst())
        #expect(response.trailers.map(\.name) == ["X-Chunks", "X-Checksum"])
        #expect(response.trailers.map(\.value) == ["2", digits])
      }
    }

    @Test func anHTTP10ClientGetsABodyThatEndsWithTheConnection() async throws {
      try await withOrigin { origin in
        let peer = try Peer(port: origin.port)
        try await peer.send("GET /chunked?trailers=1 HTTP/1.0\r\n\r\n")
        let response = try await peer.receiveResponse()
        #expect(response["transfer-encoding"] == nil)
        #expect(response["connection"] == "close")
        #expect(response.body.count == 500)
      }
    }

    @Test func dripTakesItsTime() async throws {
      try await withOrigin { origin in
        let start = ContinuousClock.now
        let response = try await origin.exchange("GET", "/drip?bytes=4&duration=200&delay=100")
        #expect(start.duration(to: .now) >= .milliseconds(250))
        #expect(response["content-length"] == "4")
        #expect(response.body == [0, 1, 2, 3])
      }
    }

    @Test(arguments: ["/bytes/1000", "/chunked", "/json", "/drip?bytes=3"])
    func headGetsTheHeaderSectionAlone(_ target: String) async throws {
      try await withOrigin { origin in
        let peer = try Peer(port: origin.port)
        try await peer.send("HEAD \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await peer.receiveResponse(toHEAD: true).status == 200)
        try await peer.send("GET /status/201 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await peer.receiveResponse().status == 201)
      }
    }
  }
#endif
