#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachOrigin
  import Testing

  /// Digest against an origin that works the proofs out for itself.
  @Suite struct OriginDigestTests {
    /// What a stage sends: the parameters of each request to the origin, nil without credentials.
    private static func parameters(_ origin: Origin) -> [AuthenticationChallenge?] {
      origin.requests.map {
        $0["Authorization"].flatMap { AuthenticationChallenge.parse($0).challenges.first }
      }
    }

    private static func withClient(_ body: (Origin, Client) async throws -> Void) async throws {
      let origin = try await Origin.start()
      var digest = DigestScheme()
      digest.requiresServerProof = true
      var stage = try Authentication(user: "ada", password: "se/cret ü", for: origin.url)
      stage.schemes = [digest]
      let pipeline = Pipeline(over: AsyncHTTPClientTransport()) {
        Validation()
        stage
      }
      let client = try Client(pipeline, base: origin.url)
      do { try await body(origin, client) } catch { Issue.record(error) }
      await client.pipeline.shutdown()
      try await origin.stop()
    }

    private static let path = "/digest-auth/ada/se%2Fcret%20%C3%BC"

    @Test(arguments: ["MD5", "SHA-256", "SHA-512-256"], ["auth", "auth-int", "auth,auth-int"])
    func everyAlgorithmAndQualityLogsIn(algorithm: String, quality: String) async throws {
      try await Self.withClient { origin, client in
        let target = "\(Self.path)?algorithm=\(algorithm)&qop=\(quality)"
        for method in [HTTPRequest.Method.get, .put] {
          let request = Request(method, target, body: method == .put ? .bytes("content") : .empty)
          let value = try await client.value(for: request, as: .jsonValue)
          #expect(value["user"] == "ada")
        }
        let sent = Self.parameters(origin)
        #expect(sent.map { $0?[parameter: "nc"] } == [nil, "00000001", "00000002"])
        #expect(
          sent.compactMap { $0?[parameter: "qop"] }
            == Array(repeating: quality == "auth-int" ? quality : "auth", count: 2)
        )
        #expect(sent.compactMap { $0?[parameter: "algorithm"] } == [algorithm, algorithm])
      }
    }

    @Test func aNonceThatIsWornOutIsReplaced() async throws {
      try await Self.withClient { origin, client in
        for _ in 0..<5 { _ = try await client.get("\(Self.path)?uses=2", as: .data) }
        let counts = Self.parameters(origin).map {
          $0.flatMap { $0[parameter: "nc"] }.flatMap { Int($0, radix: 16) }
        }
        #expect(counts == [nil, 1, 2, 3, 1, 2, 3, 1])
      }
    }

    @Test func aWrongPasswordIsRefusedOnce() async throws {
      try await Self.withClient { origin, client in
        let error = await exchangeError { try await client.get("/digest-auth/ada/other", as: .data) }
        #expect(error?.response?.status == .unauthorized)
        #expect(origin.requests.count == 2)
      }
    }
  }
#endif
