#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin

  extension TourStep {
    /// Steps for time and size limits.
    static var limitSteps: [TourStep] { [bodyLimit, headTimeout, totalTimeout, cancellation] }

    private static let bodyLimit = TourStep("body-limit", "No body is collected beyond its limit") { tour in
      var request = Request.get("/bytes/100000")
      request.options.bodyLimit = 1000
      let failure = await tour.expectFailure("a declared length", .limit(.body)) {
        try await tour.client.value(for: request, as: .data)
      }
      tour.expect("the limit in the error", failure?.limit?.description, "bodyLimit = 1000 bytes")
      var chunked = Request.get("/chunked?chunks=100&size=1000")
      chunked.options.bodyLimit = 1000
      await tour.expectFailure("an undeclared length", .limit(.body)) {
        try await tour.client.value(for: chunked, as: .data)
      }
      tour.expect("the origin saw", tour.origin.requests.map(\.path), ["/bytes/100000", "/chunked"])
    }

    private static let headTimeout = TourStep("head-timeout", "An answer that does not begin in time") {
      tour in
      var request = Request.get("/hang")
      request.options.headTimeout = .milliseconds(100)
      let failure = await tour.expectFailure("no head within 100 ms", .timeout(.head)) {
        try await tour.client.value(for: request, as: .data)
      }
      tour.expect("stage", failure?.stage, tour.transport.name)
      tour.expect("elapsed", failure?.elapsed, "100 ms and a little") {
        $0.map { $0 >= .milliseconds(100) && $0 < .seconds(10) } ?? false
      }
      tour.expect("the origin saw", try await tour.seen("/hang").method, "GET")
    }

    private static let totalTimeout = TourStep("total-timeout", "The total covers a body that only drips") {
      tour in
      var request = Request.get("/drip?bytes=100&duration=20000")
      request.options.totalTimeout = .milliseconds(500)
      let failure = await tour.expectFailure("a body of 20 s within 500 ms", .timeout(.total)) {
        try await tour.client.value(for: request, as: .data)
      }
      tour.expect("the head had come", failure?.response?.status.code, 200)
      tour.expect("some of the body had come", failure?.bodyPrefix.count, "1 or more") { ($0 ?? 0) > 0 }
      tour.expect("the origin saw", try await tour.seen("/drip").method, "GET")
    }

    private static let cancellation = TourStep("cancellation", "Cancelling a task ends its exchange") {
      tour in
      let task = Task { try await tour.client.get("/hang", as: .data) }
      tour.expect("the origin saw", try await tour.seen("/hang").method, "GET")
      let open = tour.origin.openConnections
      task.cancel()
      let result = await task.result
      tour.expect("thrown", "\(result)", "CancellationError") { $0.contains("CancellationError") }
      try await tour.expectSoon("the origin saw its connection close") { tour.origin.openConnections < open }
    }
  }
#endif
