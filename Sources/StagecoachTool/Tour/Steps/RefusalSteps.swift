#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin

  extension TourStep {
    /// Steps for validation, and how a request overrides it.
    static var refusalSteps: [TourStep] { [status, model, type, conditional, redirect] }

    private static let status = TourStep("refused-status", "A status that is no success is an error") {
      tour in
      let failure = await tour.expectFailure("404", .status) {
        try await tour.client.get("/status/404", as: .jsonValue)
      }
      tour.expect("stage", failure?.stage, "Validation")
      tour.expect("status in the error", failure?.response?.status.code, 404)
      tour.expect("body in the error", failure.map { String(decoding: $0.bodyPrefix) }, #"{"status":404}"#)
      tour.expect("the origin saw", try await tour.seen("/status/404").method, "GET")
    }

    private struct Problem: Decodable, Sendable, Equatable {
      var title: String
      var status: Int
    }

    private static let model = TourStep("error-model", "The body of a refused response, decoded") { tour in
      var request = Request.get("/problem")
      request.options.errorModel = ErrorModel(JSONResponseSerializer(Problem.self))
      let failure = await tour.expectFailure("422", .status) {
        try await tour.client.value(for: request, as: .jsonValue)
      }
      let problem = failure?.decoded(as: Problem.self)
      tour.expect("decoded", problem, Problem(title: "Out of stock", status: 422))
      tour.expect("the origin saw", try await tour.seen("/problem").method, "GET")
    }

    private static let type = TourStep(
      "refused-type",
      "JSON labelled as HTML, and a request that knows better"
    ) {
      tour in
      let failure = await tour.expectFailure("text/html", .mediaType) {
        try await tour.client.get("/mismatch/type", as: .json(Article.self))
      }
      tour.expect("what came is in the message", failure?.message, "text/html") {
        $0?.contains("text/html") ?? false
      }
      var request = Request.get("/mismatch/type")
      request.options.expectedContent = Acceptance(mediaTypes: [.json, .html])
      let article = try await tour.client.value(for: request, as: .json(Article.self))
      tour.expect("accepted for one request", article, .expected)
      tour.expect("the origin answered twice", tour.origin.requests.count, 2)
      request.options.validation = [{ head in throw TourRefusal(status: head.status.code) }]
      await tour.expectFailure("a predicate of one's own", .validation) {
        try await tour.client.value(for: request, as: .data)
      }
    }

    private struct TourRefusal: Error {
      var status: Int
    }

    private static let conditional = TourStep("conditional", "304 is refused, unless the request accepts it")
    { tour in
      var request = Request(.get, "/etag/v1", fields: [.ifNoneMatch: "\"v1\""])
      await tour.expectFailure("304 by default", .status) {
        try await tour.client.value(for: request, as: .data)
      }
      request.options.expectedContent = Acceptance(statuses: [200..<300, 304..<305])
      let response = try await tour.client.response(for: request, as: .data)
      tour.expect("304 where it is accepted", response.status.code, 304)
      tour.expect("its body", response.value.count, 0)
      tour.expect("the origin saw", try await tour.seen("/etag/v1")["If-None-Match"], "\"v1\"")
    }

    private static let redirect = TourStep(
      "redirect",
      "A redirect is not followed where that is not wanted"
    ) {
      tour in
      var request = Request.get("/redirect/302?to=/json")
      request.options.expectedContent = Acceptance(statuses: [200..<400])
      request.options.redirectPolicy = .refuse
      let response = try await tour.client.response(for: request, as: .data)
      tour.expect("status", response.status.code, 302)
      let location = response.fields[.location]
      tour.expect("Location", location, "/json")
      tour.expect("the origin saw", tour.origin.requests.map(\.target), ["/redirect/302?to=/json"])
      let article: Article = try await tour.client.get(location ?? "/")
      tour.expect("followed by hand", article, .expected)
    }
  }
#endif
