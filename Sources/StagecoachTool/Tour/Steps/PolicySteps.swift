#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures
  import StagecoachOrigin
  import StagecoachResilience

  extension TourStep {
    /// Steps for the decisions of stages.
    static var policySteps: [TourStep] { [redirects, loop, retry, hedging, network, cookies, slots] }

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

    private static let loop = TourStep("redirect-loop", "A redirect to itself ends at the limit") { tour in
      await tour.expectFailure("the loop", .redirect(.tooMany)) {
        try await tour.client.send(.get("/redirect-loop"))
      }
      tour.expect("the origin saw requests", tour.origin.requests.count, 21)
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

    private static let hedging = TourStep("hedging", "A second request overtakes one that is slow") { tour in
      var policy = RetryPolicy()
      policy.hedging = RetryPolicy.Hedging(after: .milliseconds(30))
      // The first one waits for as long as a step may take.
      var pipeline = tour.standardPipeline
      pipeline.append(FaultInjection(.sequence([.latency(.seconds(20)), nil])))
      var request = Request.get("/cache")
      request.options.retryPolicy = policy
      let value = try await tour.client(pipeline).value(for: request, as: .jsonValue)
      tour.expect("the second one's answer", value["max-age"], 60)
      let decisions = tour.log.events.compactMap { event -> RetryEvent? in
        if case .stage(let decision as RetryEvent) = event.kind { decision } else { nil }
      }
      tour.expect("decisions", decisions, [.hedged(after: .milliseconds(30)), .hedgeWon])
      tour.expect("the origin saw", tour.origin.requests.count, 1)
    }

    private static let network = TourStep("network", "Without a network a retry waits for one") { tour in
      // Like the system's monitor, but with a fixed status.
      let monitor = ManualNetworkMonitor(.offline)
      var request = Request.get("/cache")
      var policy = RetryPolicy()
      policy.delay = .zero
      policy.offlineWait = RetryPolicy.OfflineWait(for: monitor)
      request.options.retryPolicy = policy
      var pipeline = tour.standardPipeline
      pipeline.append(FaultInjection(.sequence([.refuse, nil])))
      let client = try tour.client(pipeline)
      async let value = client.value(for: request, as: .jsonValue)
      try await tour.expectSoon("the retry waits") {
        tour.log.events.contains { event in
          if case .stage(RetryEvent.waitingForNetwork) = event.kind { true } else { false }
        }
      }
      tour.expect("so long the origin saw", tour.origin.requests.count, 0)
      monitor.set(.wifi)
      tour.expect("with a network", try await value["max-age"], 60)
      tour.expect("the origin saw", try await tour.seen("/cache").method, "GET")
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
        if case .stage(ConcurrencyEvent.queued) = event.kind { true } else { false }
      }
      tour.expect("requests that waited", waited, "some of the six") { (1...5).contains($0) }
      tour.expect("the origin saw", try await tour.seen("/delay/20").method, "GET")
    }
  }
#endif
