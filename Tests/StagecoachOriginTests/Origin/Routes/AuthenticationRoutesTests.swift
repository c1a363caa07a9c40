#if Tool
  import StagecoachOrigin
  import Testing

  struct AuthenticationRoutesTests {
    @Test(
      arguments: [
        (nil, 401), ("Basic dXNlcjpwYXNzOndvcmQ=", 200), ("basic dXNlcjpwYXNzOndvcmQ=", 200),
        ("Basic dXNlcjpw", 401),
        ("Bearer dXNlcjpwYXNzOndvcmQ=", 401),
      ] as [(String?, Int)]
    )
    func basicAcceptsOnlyItsUser(_ credentials: String?, _ status: Int) async throws {
      try await withOrigin { origin in
        let fields = credentials.map { [("Authorization", $0)] } ?? []
        let response = try await origin.exchange("GET", "/basic-auth/user/pass%3Aword", fields)
        #expect(response.status == status)
        let challenge = status == 401 ? #"Basic realm="origin", charset="UTF-8""# : nil
        #expect(response["www-authenticate"] == challenge)
      }
    }

    @Test(
      arguments: [
        ("Authorization", "Basic YWRhOnNlY3JldA==", 407),
        ("Proxy-Authorization", "Basic YWRhOnNlY3JldA==", 200),
        ("Proxy-Authorization", "Basic YWRhOg==", 407),
      ]
    )
    func proxyAuthAcceptsOnlyItsUser(_ name: String, _ credentials: String, _ status: Int) async throws {
      try await withOrigin { origin in
        let target = "http://elsewhere.example/proxy-auth/ada/secret"
        let response = try await origin.exchange("GET", target, [(name, credentials)])
        #expect(response.status == status)
        #expect((response["proxy-authenticate"] != nil) == (status == 407))
        #expect(response["www-authenticate"] == nil)
      }
    }

    @Test func bearerAcceptsOnlyItsToken() async throws {
      try await withOrigin { origin in
        let none = try await origin.exchange("GET", "/bearer/abc")
        #expect(none.status == 401)
        #expect(none["www-authenticate"] == #"Bearer realm="origin""#)
        let wrong = try await origin.exchange("GET", "/bearer/abc", [("Authorization", "Bearer abd")])
        #expect(wrong.status == 401)
        #expect(wrong["www-authenticate"] == #"Bearer realm="origin", error="invalid_token""#)
        let right = try await origin.exchange("GET", "/bearer/abc", [("Authorization", "Bearer abc")])
        #expect(right.status == 200)
      }
    }
  }
#endif
