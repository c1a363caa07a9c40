#if Tool
  import StagecoachOrigin
  import Testing

  struct RedirectRoutesTests {
    @Test(arguments: [301, 302, 303, 307, 308])
    func redirectPointsToTheTarget(_ status: Int) async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange(
          "GET",
          "/redirect/\(status)?to=http%3A%2F%2Fa.test%2F%3Fx%3D1"
        )
        #expect(response.status == status)
        #expect(response["location"] == "http://a.test/?x=1")
      }
    }

    @Test func aChainEnds() async throws {
      try await withOrigin { origin in
        var path = "/redirect-chain/3"
        var hops = 0
        while let location = try await origin.exchange("GET", path)["location"] {
          path = location
          hops += 1
        }
        #expect(hops == 3)
        #expect(try await origin.exchange("GET", path).text == #"{"arrived":true}"#)
      }
    }

    @Test func aLoopPointsToItself() async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", "/redirect-loop")
        #expect(response.status == 302)
        #expect(response["location"] == "/redirect-loop")
      }
    }

    @Test func aLocationThatWouldSplitTheResponseIsRefused() async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", "/redirect/302?to=a%0D%0AX:1")
        #expect(response.status == 400)
      }
    }
  }
#endif
