#if Tool
  import StagecoachOrigin
  import Testing

  struct UploadRoutesTests {
    @Test(arguments: [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")])
    func lengthAndChecksumOfTheBody(_ body: String, _ checksum: String) async throws {
      try await withOrigin { origin in
        let expected = #"{"length":\#(body.utf8.count),"fnv1a64":"\#(checksum)"}"#
        let fast = try await origin.exchange("PUT", "/upload", body: body)
        #expect(fast.text == expected)
        let slow = try await origin.exchange("PUT", "/slow-upload", body: body)
        #expect(slow.text == expected)
      }
    }

    @Test func slowUploadPushesBack() async throws {
      try await withOrigin { origin in
        let peer = try Peer(port: origin.port)
        let length = 64 << 20
        try await peer.send(
          "POST /slow-upload?rate=4096 HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
        )
        // The origin has taken the request in and made its buffers small once it closes the window.
        try await Task.sleep(for: .milliseconds(100))
        let block = [UInt8](repeating: 7, count: length)
        var sent = await peer.sendWithoutWaiting(block)
        for _ in 0..<20 {
          try await Task.sleep(for: .milliseconds(20))
          sent += await peer.sendWithoutWaiting(block)
        }
        #expect(sent < length / 4)
        // An orderly end would queue behind the bytes that nobody reads.
        await peer.reset()
        let request = try await origin.nextRequest(path: "/slow-upload")
        #expect(!request.isComplete)
      }
    }

    @Test func slowUploadKeepsTheRate() async throws {
      try await withOrigin { origin in
        let start = ContinuousClock.now
        // Much more than what may come together with the head, before the pace is known.
        let body = String(repeating: "x", count: 400_000)
        let response = try await origin.exchange("POST", "/slow-upload?rate=1600000", body: body)
        #expect(response.text.hasPrefix(#"{"length":400000,"#))
        #expect(response["connection"] == "close")
        #expect(start.duration(to: .now) >= .milliseconds(150))
      }
    }

    @Test func expectContinueIsGranted() async throws {
      try await withOrigin { origin in
        let peer = try Peer(port: origin.port)
        try await peer.send(
          "PUT /upload HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"
        )
        #expect(try await peer.receiveResponse().status == 100)
        try await peer.send("a")
        #expect(try await peer.receiveResponse().text == #"{"length":1,"fnv1a64":"af63dc4c8601ec8c"}"#)
      }
    }
  }
#endif
