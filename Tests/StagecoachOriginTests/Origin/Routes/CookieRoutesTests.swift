#if Tool
  import StagecoachOrigin
  import Testing

  struct CookieRoutesTests {
    @Test func setsAndDeletesCookies() async throws {
      try await withOrigin { origin in
        let set = try await origin.exchange("GET", "/cookies/set?a=1&b=two")
        #expect(set.values(of: "set-cookie") == ["a=1; Path=/", "b=two; Path=/"])
        let deleted = try await origin.exchange("GET", "/cookies/delete?a")
        #expect(deleted.values(of: "set-cookie") == ["a=; Path=/; Max-Age=0"])
        #expect(try await origin.exchange("GET", "/cookies/set?a=1%3BDomain%3Dx").status == 400)
      }
    }

    @Test func reportsTheCookiesOfTheRequest() async throws {
      try await withOrigin { origin in
        #expect(try await origin.exchange("GET", "/cookies").text == #"{"cookies":[]}"#)
        let response = try await origin.exchange("GET", "/cookies", [("Cookie", "a=1; b=x=y; a=2")])
        #expect(response.text == #"{"cookies":[["a","1"],["b","x=y"],["a","2"]]}"#)
      }
    }
  }
#endif
