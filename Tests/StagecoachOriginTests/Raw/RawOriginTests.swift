#if Tool
  import StagecoachOrigin
  import Testing

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  struct RawOriginTests {
    @Test func respondsAndRecordsWhatCame() async throws {
      let raw = try await Origin.raw(
        .respond("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", bodyLength: 3)
      )
      #expect(raw.url == "http://127.0.0.1:\(raw.port)")
      let peer = try Peer(port: raw.port)
      // Cut where a reader that looks at one piece at a time would miss the end of the head.
      try await peer.send("POST / HTTP/1.1\r\nHost: a\r\n\r")
      try await Task.sleep(for: .milliseconds(20))
      try await peer.send("\nab")
      try await Task.sleep(for: .milliseconds(20))
      try await peer.send("c")
      #expect(try await peer.receiveResponse().text == "ok")
      #expect(raw.connections.map(\.end) == [nil])
      await peer.disconnect()
      let connection = try await raw.nextEndedConnection()
      #expect(connection.index == 0)
      #expect(connection.end == .peerClosed(step: 3))
      #expect(connection.receivedText == "POST / HTTP/1.1\r\nHost: a\r\n\r\nabc")
      #expect(connection.receivedLength == connection.received.count)
      await raw.stop()
    }

    @Test func pausesAndCloses() async throws {
      let raw = try await Origin.raw([
        .send("a"), .pause(.milliseconds(100)), .send([0x62]), .close, .send("c"),
      ])
      let peer = try Peer(port: raw.port)
      let start = ContinuousClock.now
      #expect(try await peer.receiveToEnd() == Array("ab".utf8))
      #expect(start.duration(to: .now) >= .milliseconds(90))
      #expect(try await raw.nextEndedConnection().end == .finished)
      await raw.stop()
    }

    @Test func waitsForTheCommand() async throws {
      let raw = try await Origin.raw([.readHead, .awaitCommand, .send("1"), .awaitCommand, .send("2")])
      let peer = try Peer(port: raw.port)
      await #expect(throws: OriginError.timedOut(waitingFor: "an awaitCommand step")) {
        try await raw.proceed(timeout: .milliseconds(20))
      }
      try await peer.send("GET / HTTP/1.1\r\n\r\n")
      try await raw.proceed()
      #expect(try await peer.receive() == Array("1".utf8))
      try await raw.proceed()
      #expect(try await peer.receiveToEnd() == Array("2".utf8))
      await raw.stop()
    }

    @Test func aPeerThatLeavesTakesItsCommandAlong() async throws {
      let raw = try await Origin.raw([.awaitCommand, .send("x")])
      let first = try Peer(port: raw.port)
      try await Task.sleep(for: .milliseconds(20))
      await first.disconnect()
      #expect(try await raw.nextEndedConnection().end == .peerClosed(step: 0))
      let second = try Peer(port: raw.port)
      try await raw.proceed()
      #expect(try await second.receiveToEnd() == Array("x".utf8))
      await raw.stop()
    }

    @Test func resets() async throws {
      let raw = try await Origin.raw([.readHead, .reset])
      let peer = try Peer(port: raw.port)
      try await peer.send("GET / HTTP/1.1\r\n\r\n")
      await #expect {
        try await peer.receive()
      } throws: { error in
        (error as? Peer.Failure)?.code == ECONNRESET
      }
      #expect(try await raw.nextEndedConnection().end == .finished)
      await raw.stop()
    }

    @Test func halfCloseLeavesTheOtherDirectionOpen() async throws {
      let raw = try await Origin.raw([.send("bye"), .halfClose, .read(4), .readToEnd])
      let peer = try Peer(port: raw.port)
      #expect(try await peer.receiveToEnd() == Array("bye".utf8))
      try await peer.send("1234")
      try await peer.send("56")
      await peer.closeSendingSide()
      let connection = try await raw.nextEndedConnection()
      #expect(connection.end == .finished)
      #expect(connection.receivedText == "123456")
      await raw.stop()
    }

    @Test func silenceIsKept() async throws {
      let raw = try await Origin.raw([.read(1), .expectSilence(.milliseconds(50)), .send("quiet")])
      let peer = try Peer(port: raw.port)
      try await peer.send("a")
      #expect(try await peer.receiveToEnd() == Array("quiet".utf8))
      #expect(try await raw.nextEndedConnection().end == .finished)
      await raw.stop()
    }

    @Test(arguments: [true, false])
    func silenceIsBroken(_ atOnce: Bool) async throws {
      let raw = try await Origin.raw([.read(1), .expectSilence(.seconds(50)), .send("quiet")])
      let peer = try Peer(port: raw.port)
      try await peer.send(atOnce ? "ab" : "a")
      if !atOnce {
        try await Task.sleep(for: .milliseconds(50))
        try await peer.send("b")
      }
      let connection = try await raw.nextEndedConnection(timeout: .seconds(60))
      #expect(connection.end == .unexpectedBytes(step: 1))
      #expect(connection.receivedText == "ab")
      await raw.stop()
    }

    @Test func aNeverReadingPeerStallsALongRequest() async throws {
      let raw = try await Origin.raw(.neverReads)
      let peer = try Peer(port: raw.port)
      let block = [UInt8](repeating: 1, count: 64 << 20)
      var sent = await peer.sendWithoutWaiting(block)
      // The kernel connects before the origin accepts.
      while raw.connections.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      sent += await peer.sendWithoutWaiting(block)
      #expect(sent < block.count)
      #expect(raw.connections.map(\.receivedLength) == [0])
      await raw.stop()
      #expect(raw.connections.map(\.end) == [.stopped])
    }

    @Test func theTLSHandshakeIsNeverAnswered() async throws {
      let raw = try await Origin.raw(.neverCompletesTLS, limit: .milliseconds(150))
      let peer = try Peer(port: raw.port)
      try await peer.send([22, 3, 1, 0, 1, 1])
      #expect(try await peer.receiveToEnd().isEmpty)
      let connection = try await raw.nextEndedConnection()
      #expect(connection.end == .timedOut(step: 0))
      #expect(connection.receivedLength == 6)
      await raw.stop()
    }

    @Test func scriptsArePlayedInOrderAndThenConnectionsAreRefused() async throws {
      let raw = try await Origin.raw(inOrder: [[.send("1")], [.send("2")]])
      var answers: [String] = []
      for _ in 1...3 {
        let peer = try Peer(port: raw.port)
        answers.append(String(decoding: try await peer.receiveToEnd(), as: UTF8.self))
        _ = try await raw.nextEndedConnection()
      }
      #expect(answers == ["1", "2", ""])
      #expect(raw.connections.map(\.end) == [.finished, .finished, .refused])
      await raw.stop()
    }

    @Test func anEndlessHeadIsCutOff() async throws {
      let raw = try await Origin.raw([.readHead])
      let peer = try Peer(port: raw.port)
      // The origin closes while this is being sent, so that sending may fail.
      try? await peer.send([UInt8](repeating: 0x61, count: 2 << 20))
      let connection = try await raw.nextEndedConnection()
      #expect(connection.end == .unexpectedBytes(step: 0))
      #expect(connection.received.count == 1 << 20)
      #expect(connection.receivedLength > 1 << 20)
      await raw.stop()
    }

    @Test func stopEndsTheWait() async throws {
      let raw = try await Origin.raw(.neverReads)
      let wait = Task { try await raw.proceed() }
      try await Task.sleep(for: .milliseconds(20))
      await raw.stop()
      await #expect(throws: OriginError.stopped) { try await wait.value }
    }
  }
#endif
