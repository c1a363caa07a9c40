#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin
  import Synchronization

  extension TourStep {
    /// What the stages between the caller and the wire decide.
    static var policySteps: [TourStep] { [redirects, loop, retry, password, token, cookies, slots] }

    private static let redirects = TourStep("redirects", "A chain of redirects, each hop in the history") {
      tour in
      let response = try await tour.client.response(for: .get("/redirect-chain/2"), as: .data)
      tour.expect("status", response.head.status.code, 200)
      tour.expect("history", response.history.map(\.response.status.code), [302, 302])
      tour.expect("the origin saw first", try await tour.seen("/redirect-chain/2").method, "GET")
      var request = Request.post("/redirect/303?to=/echo", body: .bytes("content"))
      request.fields[.contentType] = "text/plain"
      _ = try await tour.client.value(for: request, as: .data)
      let seen = try await tour.seen("/echo")
      tour.expect("after 303 the method is", seen.method, "GET")
      tour.expect("and the type of the content", seen["Content-Type"], nil)
    }

    private static let loop = TourStep("redirect-loop", "A redirect to itself ends with an error") { tour in
      await tour.expectFailure("the loop", .redirect(.loop)) {
        try await tour.client.send(.get("/redirect-loop"))
      }
      tour.expect("the origin saw", try await tour.seen("/redirect-loop").method, "GET")
      var request = Request.get("/redirect-chain/3")
      request.options.redirectLimit = 2
      await tour.expectFailure("more than two", .redirect(.tooMany)) { [request] in
        try await tour.client.send(request)
      }
    }

    private static let retry = TourStep("retry", "What fails for a moment is tried again") { tour in
      let value: JSONValue = try await tour.client.get("/retry/2?key=policy&after=0")
      tour.expect("the third attempt", value["attempt"], 3)
      tour.expect("the first", try await tour.seen("/retry/2").method, "GET")
      let response = try await tour.client(Pipeline(over: tour.transport) { Retry() })
        .send(.post("/retry/1?key=post&after=0", body: .bytes("order")))
      tour.expect("a POST is not repeated", response.status.code, 503)
      response.body.cancel()
    }

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

    private static let cookies = TourStep("cookies", "A jar of the client's own keeps cookies") { tour in
      _ = try await tour.client.get("/cookies/set?a=1&b=2", as: .data)
      _ = try await tour.client.get("/cookies", as: .data)
      tour.expect("sent with the next request", try await tour.seen("/cookies")["Cookie"], "a=1; b=2")
      _ = try await tour.client.get("/cookies/delete?a", as: .data)
      _ = try await tour.client.get("/cookies", as: .data)
      tour.expect("and without the deleted one", try await tour.seen("/cookies")["Cookie"], "b=2")
      let other = try tour.client(tour.standardPipeline)
      _ = try await other.get("/cookies", as: .data)
      tour.expect("another client has none", try await tour.seen("/cookies")["Cookie"], nil)
    }

    private static let slots = TourStep("slots", "Two requests in flight at a time, the others wait") {
      tour in
      var pipeline = tour.standardPipeline
      pipeline.append(ConcurrencyLimit(perOrigin: 2))
      let client = try tour.client(pipeline)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<6 {
          group.addTask { _ = try await client.get("/delay/20", as: .data) }
        }
        try await group.waitForAll()
      }
      let waited = tour.log.events.count { event in
        if case .concurrency(.queued) = event.kind { true } else { false }
      }
      tour.expect("requests that waited", waited, "some of the six") { (1...5).contains($0) }
      tour.expect("the origin saw", try await tour.seen("/delay/20").method, "GET")
    }
  }
#endif
