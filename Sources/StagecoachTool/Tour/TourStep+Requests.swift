#if Tool
  import Stagecoach

  extension TourStep {
    /// The call and the chain below it.
    static var requestSteps: [TourStep] { [typedCall, chain, redirect, retry] }

    private static let typedCall = TourStep(
      title: "A typed call",
      code: """
        let inn: Inn = try await client.get("inns/1")
        """,
      told: """
        → GET /inns/1  Accept: application/json, text/json, text/javascript
        ← 200 OK  Content-Type: application/json
        = Inn(name: "The Bell", beds: 4)
        """,
      why: """
        The serializer says what to ask for, checks the type of what came, and makes
        the value. A web page in place of JSON is an error that shows its beginning.
        """,
      fields: [.accept, .contentType]
    ) { tour in
      let client = try tour.client()
      let inn: Inn = try await client.get("inns/1")
      tour.print(inn)
    }

    private static let chain = TourStep(
      title: "The chain, down to the wire and back",
      code: """
        let inn: Inn = try await client.get("inns/1")
        """,
      told: """
        ▸ Validation
          ▸ ContentDecoding
            ▸ Redirects
              ▸ Retry
                ▸ Authentication
                  ▸ Cookies
                    ▸ AsyncHTTPClient
        → GET /inns/1
        ← 200 OK
                    ◂ AsyncHTTPClient
                  ◂ Cookies
                ◂ Authentication
              ◂ Retry
            ◂ Redirects
          ◂ ContentDecoding
        ◂ Validation
        = Inn(name: "The Bell", beds: 4)
        """,
      why: """
        The same call, from stage to stage. Each one may change the request, answer
        it, or call the rest again: that is how the following steps work.
        """,
      showsStages: true
    ) { tour in
      let client = try tour.client()
      let inn: Inn = try await client.get("inns/1")
      tour.print(inn)
    }

    private static let redirect = TourStep(
      title: "A redirect is followed",
      code: """
        let request = Request.get("inns/old")
        let answer = try await client.response(for: request, as: .json(Inn.self))
        """,
      told: """
        → GET /inns/old
        ← 301 Moved Permanently  Location: /inns/1
        Redirects        redirected by 301 to GET /inns/1
        → GET /inns/1
        ← 200 OK
        = Inn(name: "The Bell", beds: 4) by way of /inns/old
        """,
      why: """
        Redirects asks again at the new place, at most 20 times. Credentials and
        cookies of one server do not go to another, and https does not become http.
        """,
      fields: [.location]
    ) { tour in
      let client = try tour.client()
      let request = Request.get("inns/old")
      let answer = try await client.response(for: request, as: .json(Inn.self))
      tour.print(answer.value, "by way of", answer.history.map { $0.request.path ?? "" }.joined())
    }

    private static let retry = TourStep(
      title: "What fails for a moment is tried again",
      code: """
        let weather = try await client.get("weather", as: .text)
        """,
      told: """
        → GET /weather
        ← 503 Service Unavailable
        Retry            retry in 283.3 ms after status 503
        → GET /weather
        ← 200 OK
        = clear
        """,
      why: """
        A GET may be sent twice; a POST that the service may have seen is not. The
        delay is random, grows, and gives way to a Retry-After of the service.
        """
    ) { tour in
      let client = try tour.client()
      let weather = try await client.get("weather", as: .text)
      tour.print(weather)
    }
  }
#endif
