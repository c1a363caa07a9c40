#if Tool
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import TestSupport
  import Testing

  /// What is computed for Basic and Digest opens the doors of servers that are not ours.
  @Suite struct AuthenticationServerTests {
    @Test(.enabled(if: Apache.isInstalled, "Apache httpd is not installed"))
    func logsInAtApache() async throws {
      let server = try Apache()
      defer { server.stop() }
      try await server.isListening()
      try await withClient(server.url) { client in
        try await expectBasic(client, "/basic/i")
        let answers = try await expectDigest(client, "/digest/i", algorithm: "MD5")
        #expect(answers == [.valid, .valid])
      }
    }

    @Test(.enabled(if: Lighttpd.executable != nil, "lighttpd is not installed"))
    func logsInAtLighttpd() async throws {
      let server = try Lighttpd()
      defer { server.stop() }
      try await server.isListening()
      try await withClient(server.url) { client in
        try await expectBasic(client, "/basic/i")
        try await expectDigest(client, "/sha/i", algorithm: "SHA-256")
        try await expectDigest(client, "/many/i", algorithm: "SHA-512-256")
      }
    }

    @Test(.enabled(if: HTTPBin.isInstalled, "httpbin and gunicorn are not installed"))
    func logsInAtHTTPBin() async throws {
      let server = try HTTPBin()
      defer { server.stop() }
      try await server.isListening()
      try await withClient(server.url) { client in
        try await expectBasic(client, "/basic-auth/driver/secret")
        for algorithm in ["MD5", "SHA-256"] {
          let path = "/digest-auth/auth-int/driver/secret/\(algorithm)"
          try await expectDigest(client, path, algorithm: algorithm, quality: .integrity)
        }
      }
    }

    private func withClient(_ url: String, _ body: (Client) async throws -> Void) async throws {
      // Without validation: a 401 is what is looked at.
      let client = try Client(
        Pipeline(over: AsyncHTTPClientTransport(), stages: []),
        base: url
      )
      do { try await body(client) } catch { Issue.record(error) }
      await client.pipeline.shutdown()
    }

    private func challenges(_ client: Client, _ path: String) async throws -> [AuthenticationChallenge] {
      let response = try await client.send(Request(.get, path))
      _ = try await response.body.collect(upTo: 1 << 16)
      #expect(response.status == .unauthorized)
      let (challenges, problems) = AuthenticationChallenge.parse(response.fields, .wwwAuthenticate)
      #expect(problems.isEmpty, "\(problems)")
      return challenges
    }

    private func expectBasic(_ client: Client, _ path: String) async throws {
      let challenge = try #require(try await challenges(client, path).first)
      #expect(challenge.isScheme("Basic"))
      for (password, status) in [("wrong", HTTPResponse.Status.unauthorized), ("secret", .ok)] {
        let value = try BasicCredentials.authorization(user: "driver", password: password)
        let response = try await client.send(Request(.get, path, fields: [.authorization: value]))
        _ = try await response.body.collect(upTo: 1 << 16)
        #expect(response.status == status)
      }
    }

    /// Answers the strongest challenge, twice with one nonce.
    @discardableResult
    private func expectDigest(
      _ client: Client,
      _ path: String,
      algorithm: String,
      quality: DigestChallenge.Quality = .authentication
    ) async throws -> [DigestResponse.ServerProof] {
      let offered = try await challenges(client, path).map { try DigestChallenge($0) }
      let strongest = try #require(offered.map(\.strength).max())
      let challenge = try #require(offered.first { $0.strength == strongest })
      #expect(challenge.algorithmName == algorithm)
      let clientNonce = DigestResponse.makeClientNonce(SystemRandom())
      let key = try DigestKey(for: challenge, user: "driver", password: "secret", clientNonce: clientNonce)
      var proofs: [DigestResponse.ServerProof] = []
      for count in UInt32(1)...2 {
        let answer = DigestResponse(
          challenge: challenge,
          key: key,
          quality: quality,
          nonceCount: count,
          clientNonce: clientNonce,
          method: "GET",
          uri: path
        )
        let response = try await client.send(Request(.get, path, fields: [.authorization: answer.value]))
        _ = try await response.body.collect(upTo: 1 << 16)
        #expect(response.status == .ok)
        proofs.append(answer.check(AuthenticationInfo(response.fields, .authenticationInfo)))
      }
      return proofs
    }
  }
#endif
