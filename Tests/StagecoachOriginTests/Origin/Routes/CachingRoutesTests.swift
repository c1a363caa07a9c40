#if Tool
  import StagecoachOrigin
  import Testing

  struct CachingRoutesTests {
    @Test(arguments: [
      ("\"v1\"", 304), ("W/\"v1\"", 304), ("\"v0\", \"v1\"", 304), ("*", 304), ("\"v0\"", 200), ("v1", 200),
    ])
    func anEntityTagDecidesBetween200And304(_ condition: String, _ status: Int) async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", "/etag/v1", [("If-None-Match", condition)])
        #expect(response.status == status)
        #expect(response["etag"] == "\"v1\"")
        #expect(response.body.isEmpty == (status == 304))
      }
    }

    @Test func lastModifiedDecidesBetween200And304() async throws {
      try await withOrigin { origin in
        let first = try await origin.exchange("GET", "/last-modified")
        let date = try #require(first["last-modified"])
        let second = try await origin.exchange("GET", "/last-modified", [("If-Modified-Since", date)])
        #expect(first.status == 200)
        #expect(second.status == 304)
      }
    }

    @Test func cacheSendsTheRequestedMaxAge() async throws {
      try await withOrigin { origin in
        let standard = try await origin.exchange("GET", "/cache")
        #expect(standard["cache-control"] == "max-age=60")
        let short = try await origin.exchange("GET", "/cache?max-age=5")
        #expect(short["cache-control"] == "max-age=5")
      }
    }
  }
#endif
