#if Tool
  import Stagecoach
  import StagecoachCache

  extension TourStep {
    /// Stages that remember something, and a custom one.
    static var policySteps: [TourStep] { [cookies, login, cache, customStage] }

    private static let cookies = TourStep(
      title: "Cookies are kept",
      code: """
        let first = try await client.get("seat", as: .text)
        let second = try await client.get("seat", as: .text)
        """,
      told: """
        → GET /seat
        ← 200 OK  Set-Cookie: seat=7
        Cookies          seat stored for 127.0.0.1
        = you have none yet
        Cookies          1 sent
        → GET /seat  Cookie: seat=7
        ← 200 OK
        = you have seat=7
        """,
      why: """
        The cookies belong to this client, and to the server that set them.
        """,
      fields: [.cookie, .setCookie]
    ) { tour in
      let client = try tour.client()
      let first = try await client.get("seat", as: .text)
      tour.print(first)
      let second = try await client.get("seat", as: .text)
      tour.print(second)
    }

    private static let login = TourStep(
      title: "A refused token is renewed",
      code: """
        let tokens = TokenSource(Token("old")) { _ in
          Token(try await desk.get("token", as: .text))
        }
        let login = try Authentication(bearer: tokens, for: url)
        let pipeline = Pipeline.standard(over: transport, authentication: login)
        """,
      told: """
        Authentication   sent preemptively: Bearer
        → GET /tickets  Authorization: Bearer old
        ← 401 Unauthorized  WWW-Authenticate: Bearer error="invalid_token"
        Authentication   challenged: Bearer
        Authentication   renewing the token
        → GET /token
        ← 200 OK
        Authentication   the token was renewed
        Authentication   Bearer: sent again because the nonce or token was stale
        Authentication   answered: Bearer
        → GET /tickets  Authorization: Bearer new
        ← 200 OK
        = 2 tickets
        """,
      why: """
        A token goes to one server only. A hundred requests that are refused at the
        same time cause one renewal.
        """,
      fields: [.authorization, .wwwAuthenticate]
    ) { tour in
      let (desk, url, transport) = (try tour.client(), tour.url, tour.transport)
      let tokens = TokenSource(Token("old")) { _ in
        Token(try await desk.get("token", as: .text))
      }
      let login = try Authentication(bearer: tokens, for: url)
      let pipeline = Pipeline.standard(over: transport, authentication: login)
      let client = try tour.client(pipeline)
      let tickets = try await client.get("tickets", as: .text)
      tour.print(tickets)
    }

    private static let cache = TourStep(
      title: "A cache answers, or asks whether it still may",
      code: """
        let pipeline = Pipeline.standard(over: transport, cache: Cache())
        let fares = try await client.response(for: .get("fares"), as: .text)
        """,
      told: """
        Cache            not in the cache: no response with this URL
        → GET /fares
        ← 200 OK  Cache-Control: max-age=60  ETag: "v1"
        Cache            storing the response
        Cache            stored the response, 11 bytes
        = 2 shillings (network) after 0 s
        Cache            answered by the cache, age 5 s of 60 s
        = 2 shillings (cache) after 5 s
        Cache            validating a stored response: it is stale
        → GET /fares  If-None-Match: "v1"
        ← 304 Not Modified  Cache-Control: max-age=60  ETag: "v1"
        Cache            the stored response is still valid
        = 2 shillings (validated) after 60 s
        """,
      why: """
        A fresh response costs no request. One that is validated costs a request but
        no content: 304 says that the stored response is still valid.
        """,
      fields: [.cacheControl, .ifNoneMatch, .eTag]
    ) { tour in
      let (transport, clock) = (tour.transport, ManualTime())
      let pipeline = Pipeline.standard(over: transport, cache: Cache())
      let client = try tour.client(pipeline, clock: clock)
      for delay in [0, 5, 60] {
        clock.advance(by: .seconds(delay))
        let fares = try await client.response(for: .get("fares"), as: .text)
        tour.print(fares.value, "(\(fares.source)) after \(delay) s")
      }
    }

    private static let customStage = TourStep(
      title: "A custom stage",
      code: """
        struct Passenger: Middleware {
          struct Note: StageEvent { var description: String }
          func handle(_ request: Request, next: Next) async throws -> Response {
            var request = request
            request.fields[.from] = "ada@coach.example"
            request.emit(Note(description: "signed"))
            return try await next(request)
          }
        }
        try pipeline.insert(Passenger(), after: Retry.self)
        """,
      told: """
        Passenger        signed
        → GET /inns/1  From: ada@coach.example
        ← 200 OK
        = Inn(name: "The Bell", beds: 4)
        """,
      why: """
        A stage is one function. Its place says how often it runs: here once for
        each attempt. Errors and events name it like the stages of the library.
        """,
      fields: [.from]
    ) { tour in
      struct Passenger: Middleware {
        struct Note: StageEvent { var description: String }
        func handle(_ request: Request, next: Next) async throws -> Response {
          var request = request
          request.fields[.from] = "ada@coach.example"
          request.emit(Note(description: "signed"))
          return try await next(request)
        }
      }
      var pipeline = Pipeline.standard(over: tour.transport)
      try pipeline.insert(Passenger(), after: Retry.self)
      let client = try tour.client(pipeline)
      let inn: Inn = try await client.get("inns/1")
      tour.print(inn)
    }
  }
#endif
