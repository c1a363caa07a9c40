#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin

  /// Adds a bearer token to every request.
  private struct Authorize: Middleware {
    var token: String

    func handle(_ request: Request, next: Next) async throws -> Response {
      var request = request
      request.fields[.authorization] = "Bearer \(token)"
      return try await next(request)
    }
  }

  /// Sends a request again that the server has no time for.
  private struct TryAgain: Middleware {
    struct Again: StageEvent {
      let attempt: Int32
      var description: String { "503: trying again, attempt \(attempt)" }
    }

    var attempts: Int32

    func handle(_ request: Request, next: Next) async throws -> Response {
      var request = request
      while true {
        let response = try await next(request)
        guard response.status == .serviceUnavailable, request.attempt < attempts else { return response }
        await response.body.discard()
        request.attempt += 1
        request.emit(Again(attempt: request.attempt))
      }
    }
  }

  /// Counts what passes by.
  private struct Count: Middleware {
    let count = Shared(0)

    func handle(_ request: Request, next: Next) async throws -> Response {
      count.update { $0 += 1 }
      return try await next(request)
    }
  }

  extension TourStep {
    /// Steps for pipelines: custom stages, editing, nesting.
    static var chainSteps: [TourStep] { [ownStage, repeating, editing, shutdown] }

    private static let ownStage = TourStep("own-stage", "A stage of one's own adds credentials") { tour in
      await tour.expectFailure("without it", .status) {
        try await tour.client.get("/bearer/ticket", as: .jsonValue)
      }
      _ = try await tour.seen("/bearer/ticket")
      var pipeline = tour.standardPipeline
      try pipeline.insert(Authorize(token: "ticket"), after: Validation.self)
      let value = try await tour.client(pipeline).get("/bearer/ticket", as: .jsonValue)
      tour.expect("with it", value["authenticated"], true)
      tour.expect("the origin saw", try await tour.seen("/bearer/ticket")["Authorization"], "Bearer ticket")
      let shown = tour.log.events.map { "\($0.kind)" }.joined()
      tour.expect("the token in the events", shown.contains("Bearer ticket"), false)
    }

    private static let repeating = TourStep(
      "own-retry",
      "A stage may call the rest of the chain several times"
    ) {
      tour in
      var pipeline = tour.standardPipeline
      try pipeline.replace(Retry.self, with: TryAgain(attempts: 3))
      let value = try await tour.client(pipeline).get("/retry/2?key=tour", as: .jsonValue)
      tour.expect("answered at attempt", value["attempt"], 3)
      tour.expect("the origin saw", tour.origin.requests.count, 3)
      let own = tour.log.events.filter { if case .stage = $0.kind { true } else { false } }
      tour.expect("events of its own", own.map { "\($0.kind)" }.count, 2)
    }

    private static let editing = TourStep("pipeline", "A chain is printed, edited by type, and nested") {
      tour in
      let name = tour.transport.name
      tour.expect(
        "standard",
        tour.standardPipeline.description,
        "Validation ▸ ContentDecoding ▸ Redirects ▸ Retry ▸ Authentication ▸ Cookies ▸ \(name)"
      )
      var pipeline = Pipeline(over: tour.transport) { Validation() }
      let count = Count()
      pipeline.prepend(count)
      try pipeline.insert(Authorize(token: "a"), before: Validation.self)
      tour.expect("edited", pipeline.description, "Count ▸ Authorize ▸ Validation ▸ \(name)")
      try pipeline.replace(Authorize.self, with: Authorize(token: "b"))
      pipeline.append(Count())
      let error = Result { try pipeline.remove(Count.self) }
      tour.expect("removing one of two", "\(error)", "more than one stage") { $0.contains("more than one") }
      try pipeline.remove(Validation.self)
      let nested = Pipeline(over: pipeline) { count }
      tour.expect("nested", nested.description, "Count ▸ Count ▸ Authorize ▸ Count ▸ \(name)")
      let response = try await tour.client(nested).response(for: .get("/status/418"), as: .data)
      tour.expect("418 without validation", response.status.code, 418)
      tour.expect("passed by the counter, twice in the chain", count.count.value, 2)
      tour.expect("the origin saw", try await tour.seen("/status/418")["Authorization"], "Bearer b")
    }

    private static let shutdown = TourStep("shutdown", "A client that is shut down refuses more") { tour in
      let client = try tour.client(tour.standardPipeline)
      tour.expect("before", try await client.get("/json", as: .json(Article.self)), .expected)
      await client.shutdown()
      await tour.expectFailure("after", .shutdown) { try await client.get("/json", as: .data) }
      tour.expect("the origin saw", tour.origin.requests.count, 1)
      let article: Article = try await tour.client.get("/json")
      tour.expect("another client on the same transport", article, .expected)
    }
  }
#endif
