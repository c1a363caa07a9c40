#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin

  extension TourStep {
    /// Steps for building requests.
    static var requestSteps: [TourStep] { [queryStyles, jsonBody, jsonDigits, defaultFields, fieldOrder] }

    private static let queryStyles = TourStep("query-styles", "One array, written in four styles") { tour in
      let styles: [(QueryEncoder.ArrayStyle, String)] = [
        (.brackets, "a%5B%5D=1&a%5B%5D=2&q=x%20y"), (.indexed, "a%5B0%5D=1&a%5B1%5D=2&q=x%20y"),
        (.repeated, "a=1&a=2&q=x%20y"), (.comma, "a=1,2&q=x%20y"),
      ]
      for (style, query) in styles {
        var encoder = QueryEncoder()
        encoder.arrayStyle = style
        let content = RequestContent.query(["q": "x y", "a": [1, 2]], encoder: encoder)
        let echo = try await tour.client.get("/echo", content, as: .jsonValue)
        let seen = try await tour.seen("/echo")
        tour.expect("the origin saw, as \(style)", seen.query, query)
        tour.expect("and echoed", echo["query"]?.stringValue, query)
      }
    }

    private static let jsonBody = TourStep("json-body", "A Swift value, sent and echoed as JSON") { tour in
      let echo = try await tour.client.post("/echo", .json(Article.expected), as: .jsonValue)
      let seen = try await tour.seen("/echo")
      tour.expect("method", seen.method, "POST")
      tour.expect("Content-Type", seen["Content-Type"], "application/json")
      tour.expect("Content-Length", seen["Content-Length"], "\(seen.bodyLength)")
      tour.expect("what came back", echo["body"]?.stringValue, seen.bodyText)
      let value = try JSONValue(parsing: seen.body)
      tour.expect("title in the body", value["title"]?.stringValue, Article.expected.title)
      tour.expect("count in the body", value["count"]?.intValue, Article.expected.count)
    }

    private static let jsonDigits = TourStep(
      "json-untyped",
      "Untyped JSON keeps order, duplicates and digits"
    ) {
      tour in
      let text = #"{"z":1.10,"a":12345678901234567890123,"z":null}"#
      _ = try await tour.client.post("/echo", .json(try JSONValue(parsing: text)), as: .jsonValue)
      tour.expect("the origin saw", try await tour.seen("/echo").bodyText, text)
    }

    private static let defaultFields = TourStep(
      "default-fields",
      "Fields of the client, changed while it lives, overridden by a request"
    ) { tour in
      _ = try await tour.client.get("/cookies", as: .jsonValue)
      let first = try await tour.seen("/cookies")
      tour.expect("Accept, from the serializer", first["Accept"], "application/json first") {
        $0?.hasPrefix("application/json") ?? false
      }
      tour.expect("User-Agent names the library", first["User-Agent"], "Stagecoach/...") {
        $0?.contains("Stagecoach/\(DefaultFields.libraryVersion)") ?? false
      }
      tour.client.updateDefaults { defaults in
        defaults.fields[.userAgent] = "tour"
        defaults.fields[.cookie] = "seat=7"
      }
      let cookies = try await tour.client.get("/cookies", as: .jsonValue)
      tour.expect("User-Agent, changed on the client", try await tour.seen("/cookies")["User-Agent"], "tour")
      tour.expect("the cookie that the origin read", cookies["cookies"], [["seat", "7"]])
      let own = Request(.get, "/cookies", fields: [.userAgent: "own", .cookie: "seat=8"])
      let owned = try await tour.client.value(for: own, as: .jsonValue)
      tour.expect(
        "User-Agent of the request",
        try await tour.seen("/cookies").values(of: "User-Agent"),
        ["own"]
      )
      tour.expect("the cookie of the request", owned["cookies"], [["seat", "8"]])
    }

    private static let fieldOrder = TourStep(
      "fields",
      "Order, case and duplicates of fields survive both ways"
    ) {
      tour in
      var request = Request.get("/headers?X-b=1&x-A=2&X-b=3")
      try request.addField("X-Stop", "inn")
      try request.addField("x-stop", "Grüße")
      let response = try await tour.client.response(for: request, as: .jsonValue)
      let seen = try await tour.seen("/headers")
      let sent = seen.fields.filter { $0.name.lowercased() == "x-stop" }.map { "\($0.name): \($0.value)" }
      tour.expect("the origin saw", sent, ["X-Stop: inn", "x-stop: Grüße"])
      let fields = response.fields.filter { $0.name.canonicalName.hasPrefix("x-") }
      tour.expect(
        "came back",
        fields.map { "\($0.name.rawName): \($0.value)" },
        ["X-b: 1", "x-A: 2", "X-b: 3"]
      )
      await tour.expectFailure("a line break in a value", .invalidRequest) {
        try request.addField("X-Stop", "a\r\nX-Forged: 1")
      }
    }
  }
#endif
