#if Tool
  import StagecoachOrigin
  import Testing

  struct TimingRoutesTests {
    @Test func delayAnswersLate() async throws {
      try await withOrigin { origin in
        let start = ContinuousClock.now
        let response = try await origin.exchange("GET", "/delay/120")
        #expect(response.text == #"{"delay":120}"#)
        #expect(start.duration(to: .now) >= .milliseconds(120))
      }
    }

    @Test func earlyHintsComeFirst() async throws {
      try await withOrigin { origin in
        let peer = try Peer(port: origin.port)
        try await peer.send("GET /early-hints HTTP/1.1\r\nHost: a\r\n\r\n")
        let hints = try await peer.receiveResponse()
        #expect(hints.status == 103)
        #expect(hints["link"] == "</style.css>; rel=preload; as=style")
        #expect(try await peer.receiveResponse().text == #"{"hinted":true}"#)
      }
    }

    @Test func retryRecoversPerKey() async throws {
      try await withOrigin { origin in
        for attempt in 1...2 {
          let response = try await origin.exchange("GET", "/retry/2?key=a&after=7")
          #expect(response.status == 503)
          #expect(response["retry-after"] == "7")
          #expect(response.text == #"{"attempt":\#(attempt)}"#)
        }
        #expect(try await origin.exchange("GET", "/retry/2?key=b")["retry-after"] == "0")
        #expect(try await origin.exchange("GET", "/retry/2?key=a").text == #"{"attempt":3}"#)
      }
    }
  }
#endif
