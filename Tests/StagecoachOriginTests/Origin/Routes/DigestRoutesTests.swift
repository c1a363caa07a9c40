#if Tool
  import StagecoachOrigin
  import Testing

  /// That right answers are taken, the tests of the client show.
  struct DigestRoutesTests {
    private static let path = "/digest-auth/ada/secret"

    /// Asks for a challenge, and gives back its nonce.
    private static func nonce(_ origin: Origin, _ query: String = "") async throws -> String {
      let response = try await origin.exchange("GET", path + query)
      #expect(response.status == 401)
      let parts = try #require(response["www-authenticate"]).split(separator: "nonce=\"")
      return String(try #require(parts.last?.split(separator: "\"").first))
    }

    @Test(arguments: [
      ("", #"qop="auth", algorithm=SHA-256"#), ("?algorithm=MD5", #"qop="auth", algorithm=MD5"#),
      ("?algorithm=SHA-512-256&qop=auth,auth-int", #"qop="auth,auth-int", algorithm=SHA-512-256"#),
    ])
    func asksWithTheRequestedParameters(query: String, parameters: String) async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", Self.path + query)
        #expect(response.status == 401)
        let challenge = try #require(response["www-authenticate"])
        #expect(challenge.hasPrefix(#"Digest realm="origin", nonce=""#) && challenge.hasSuffix(parameters))
      }
    }

    @Test(arguments: ["?algorithm=SHA-1", "?algorithm=MD5-sess", "?qop=none", "?uses=0"])
    func refusesWhatItDoesNotKnow(query: String) async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", Self.path + query)
        #expect(response.status == 400)
      }
    }

    @Test(arguments: [
      ("Basic YWRhOnNlY3JldA==", 401), ("Digest", 401),
      (
        #"Digest username="ada", realm="origin", nonce="N", uri="U", response="", qop=auth, cnonce="c", nc=00000001"#,
        401
      ),
      (
        #"Digest username="ada", realm="origin", nonce="N", uri="/", response="", qop=auth, cnonce="c", nc=00000001"#,
        400
      ),
      (
        #"Digest username="eve", realm="origin", nonce="N", uri="U", response="", qop=auth, cnonce="c", nc=00000001"#,
        401
      ),
      (
        #"Digest username="ada", realm="origin", nonce="N", uri="U", response="", qop=auth-int, cnonce="c", nc=00000001"#,
        401
      ),
      (
        #"Digest username="ada", realm="origin", nonce="N", uri="U", response="", qop=auth, cnonce="c", nc=1"#,
        401
      ),
    ])
    func refusesWrongAnswers(answer: String, status: Int) async throws {
      try await withOrigin { origin in
        let nonce = try await Self.nonce(origin)
        let field = answer.replacing("\"N\"", with: "\"\(nonce)\"").replacing(
          "\"U\"",
          with: "\"\(Self.path)\""
        )
        let response = try await origin.exchange("GET", Self.path, [("Authorization", field)])
        #expect(response.status == status)
        #expect(response["www-authenticate"]?.contains("stale") != true)
      }
    }

    @Test func noncesAreNeverTheSame() async throws {
      try await withOrigin { origin in
        let (first, second) = (try await Self.nonce(origin), try await Self.nonce(origin))
        #expect(first != second)
      }
    }
  }
#endif
