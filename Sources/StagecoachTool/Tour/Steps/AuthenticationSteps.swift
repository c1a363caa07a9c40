#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin
  import Synchronization

  extension TourStep {
    /// Steps for authentication to origins and to a proxy.
    static var authenticationSteps: [TourStep] { [password, digest, token, proxy] }

    private static let password = TourStep("password", "A challenge is answered, and only where it should be")
    { tour in
      var request = Request.get("/basic-auth/ada/secret")
      request.options.credential = Credential(user: "ada", password: "secret")
      tour.expect("status", try await tour.client.response(for: request, as: .data).head.status.code, 200)
      tour.expect("first without", try await tour.seen("/basic-auth/ada/secret")["Authorization"], nil)
      let answer = try await tour.seen("/basic-auth/ada/secret")["Authorization"]
      tour.expect("then with Basic", answer?.hasPrefix("Basic "), true)
      request.options.credential = Credential(user: "ada", password: "wrong")
      let failure = await tour.expectFailure("a wrong password", .status) { [request] in
        try await tour.client.value(for: request, as: .data)
      }
      tour.expect("refused with", failure?.response?.status.code, 401)
      let url = tour.origin.url.split(separator: "//").joined(separator: "//b%6Fb:se%3Acret@")
      let response = try await tour.client.response(for: .get("\(url)/basic-auth/bob/se:cret"), as: .data)
      tour.expect("with both in the URL", response.status.code, 200)
      let shown = tour.log.events.map { "\($0.kind)" }.joined()
      tour.expect("the password in the events", shown.contains("se%3Acret@"), false)
    }

    private static let digest = TourStep(
      "digest",
      "A password is proved and never sent, by nonces that wear out"
    ) {
      tour in
      let path = "/digest-auth/ada/secret"
      var request = Request.get("\(path)?algorithm=SHA-512-256&uses=2")
      request.options.credential = Credential(user: "ada", password: "secret")
      request.options.authenticationSchemes = ["Digest"]
      for number in 1...3 {
        let status = try await tour.client.response(for: request, as: .data).status.code
        tour.expect("status of request \(number)", status, 200)
      }
      let counts = tour.origin.requests.map { seen in
        let sent = seen["Authorization"].flatMap { AuthenticationChallenge.parse($0).challenges.first }
        return sent?[parameter: "nc"] ?? "none"
      }
      // The third use is one too many: the same proof goes out with the nonce of the refusal.
      let expected = ["none", "00000001", "00000002", "00000003", "00000001"]
      tour.expect("the origin saw the counts", counts, expected)
      request = Request(.put, "\(path)?algorithm=SHA-256&qop=auth-int", body: .bytes("content"))
      request.options.credential = Credential(user: "ada", password: "secret")
      let integrity = try await tour.client.response(for: request, as: .data)
      tour.expect("with the content in the proof", integrity.status.code, 200)
      request = .get("/basic-auth/bob/secret")
      request.options.credential = Credential(user: "bob", password: "secret")
      request.options.authenticationSchemes = ["Digest"]
      let failure = await tour.expectFailure("Basic where Digest alone will do", .status) { [request] in
        try await tour.client.value(for: request, as: .data)
      }
      tour.expect("refused with", failure?.response?.status.code, 401)
      tour.expect("the origin saw", try await tour.seen("/basic-auth/bob/secret")["Authorization"], nil)
    }

    private static let token = TourStep("token", "A token that is refused is renewed once") { tour in
      let renewals = Atomic<Int>(0)
      let tokens = TokenSource { _ in
        renewals.add(1, ordering: .relaxed)
        return Token("t-2")
      }
      var pipeline = tour.standardPipeline
      try pipeline.replace(
        Authentication.self,
        with: try Authentication(bearer: tokens, for: tour.origin.url)
      )
      let client = try tour.client(pipeline)
      let codes = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 {
          group.addTask { try await client.response(for: .get("/bearer/t-2"), as: .data).head.status.code }
        }
        return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
      }
      tour.expect("eight requests", codes, [200])
      tour.expect("tokens asked for", renewals.load(ordering: .relaxed), 1)
      let seen = try await tour.seen("/bearer/t-2")["Authorization"]
      tour.expect("the origin saw", seen, "Bearer t-2")
      await client.shutdown()
    }

    private static let proxy = TourStep(
      "proxy-password",
      "A proxy that asks who one is gets an answer of its own"
    ) {
      tour in
      // The origin takes the absolute form of a target too, as a proxy does.
      let proxy = Proxy(.http, host: "127.0.0.1", port: tour.origin.port, user: "ada", password: "secret")
      var pipeline = Pipeline.standard(over: SocketTransport(proxy: proxy))
      pipeline.append(Authentication(proxy: proxy))
      let client = try tour.client(pipeline)
      let url = "http://elsewhere.example/proxy-auth/ada/secret"
      for _ in 0..<2 {
        tour.expect("status", try await client.response(for: .get(url), as: .data).status.code, 200)
      }
      let seen = tour.origin.requests
      tour.expect("the proxy saw", seen.map(\.target), [url, url, url])
      let answers = seen.map { $0["Proxy-Authorization"]?.hasPrefix("Basic ") ?? false }
      tour.expect("with a password", answers, [false, true, true])
      tour.expect("and nothing for the origin", seen.contains { $0["Authorization"] != nil }, false)
    }
  }
#endif
