#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachCache
  import StagecoachFixtures
  import StagecoachOrigin
  import StagecoachResilience
  import StagecoachXML

  extension TourStep {
    /// Steps for stages that are not part of the standard pipeline, each in its place.
    static var stageSteps: [TourStep] {
      [decoding, compression, coalescing, breaker, cache, cacheHook, trace, schema, faults]
    }

    private static let decoding = TourStep("content-decoding", "A stage asks for gzip and undoes it") {
      tour in
      tour.expect("decoded from gzip", try await tour.client.get("/gzip", as: .json(Article.self)), .expected)
      let codings = ContentDecoding.builtInCodings.map(\.name).joined(separator: ", ")
      tour.expect("the origin saw", try await tour.seen("/gzip")["Accept-Encoding"], codings)
      tour.expect(
        "decoded from deflate",
        try await tour.client.get("/deflate", as: .json(Article.self)),
        .expected
      )
      var pipeline = tour.standardPipeline
      try pipeline.remove(ContentDecoding.self)
      let plain = try await tour.client(pipeline).get("/gzip", as: .data)
      tour.expect("without it the bytes are those of gzip", Array(plain.prefix(2).array), [0x1F, 0x8B])
    }

    private static let compression = TourStep("request-compression", "A large upload is compressed") { tour in
      var pipeline = tour.standardPipeline
      pipeline.append(RequestCompression())
      let text = String(repeating: "stagecoach ", count: 1000)
      let client = try tour.client(pipeline)
      _ = try await client.value(for: .post("/echo", body: .bytes(Bytes(text))), as: .data)
      let seen = try await tour.seen("/echo")
      tour.expect("the origin saw the coding", seen["Content-Encoding"], "gzip")
      tour.expect("bytes in place of \(text.utf8.count)", seen.bodyLength, "fewer") { $0 < 1000 }
      _ = try await client.value(for: .post("/echo", body: .bytes("small")), as: .data)
      tour.expect("a small one is not", try await tour.seen("/echo").bodyText, "small")
    }

    private static let coalescing = TourStep("coalescing", "Equal requests at one time are sent once") {
      tour in
      var pipeline = tour.standardPipeline
      pipeline.append(Coalescing())
      let client = try tour.client(pipeline)
      let answers = try await withThrowingTaskGroup(of: JSONValue.self) { group in
        for _ in 0..<5 {
          group.addTask { try await client.get("/delay/300", as: .jsonValue) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      tour.expect("answers", answers.count { $0["delay"] == 300 }, 5)
      tour.expect("the origin saw", tour.origin.requests.count, "fewer than five") { $0 < 5 }
    }

    private static let breaker = TourStep("circuit-breaker", "An origin that refuses is left alone") { tour in
      let refusing = Pipeline(over: tour.transport) { FaultInjection(.always(.refuse)) }
      var settings = CircuitBreaker.Settings()
      settings.refusedConnections = 2
      let breaker = CircuitBreaker(settings)
      let client = try tour.client(Pipeline(over: refusing) { breaker })
      for number in 1...2 {
        await tour.expectFailure("connection \(number)", .connectionRefused) {
          try await client.send(.get("/json"))
        }
      }
      await tour.expectFailure("the next request", .circuitOpen) { try await client.send(.get("/json")) }
      tour.expect("the origin saw", tour.origin.requests.count, 0)
      let other = try tour.client(Pipeline(over: tour.transport) { CircuitBreaker() })
      tour.expect("another breaker lets it pass", try await other.send(.get("/json")).status.code, 200)
    }

    private static let cache = TourStep("cache", "A fresh response is used again, a stale one is validated") {
      tour in
      var pipeline = tour.standardPipeline
      pipeline.append(Cache())
      let client = try tour.client(pipeline)
      tour.expect("first", try await source(client, "/cache"), .network)
      tour.expect("again", try await source(client, "/cache"), .cache)
      tour.expect("of an entity tag first", try await source(client, "/etag/a"), .network)
      tour.expect("confirmed by the origin", try await source(client, "/etag/a"), .validated)
      tour.expect("the origin saw", tour.origin.requests.map(\.path), ["/cache", "/etag/a", "/etag/a"])
    }

    private static func source(_ client: Client, _ path: String) async throws -> Response.Source {
      let response = try await client.response(for: .get(path), as: .data)
      return response.source
    }

    private static let cacheHook = TourStep("cache-hook", "What a cache may keep is asked above it") { tour in
      var pipeline = tour.standardPipeline
      pipeline.append(CacheHook { response, request in request.head.path == "/never" ? nil : response })
      pipeline.append(Cache())
      let client = try tour.client(pipeline)
      for _ in 1...2 { _ = try await client.get("/cache", as: .data) }
      tour.expect("the origin saw", tour.origin.requests.map(\.path), ["/cache"])
    }

    private static let trace = TourStep("trace-context", "Each attempt is a span of one trace") { tour in
      var pipeline = tour.standardPipeline
      pipeline.append(TraceContext())
      let parent = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
      var request = Request.get("/redirect-chain/1")
      request.options.traceParent = parent
      _ = try await tour.client(pipeline).value(for: request, as: .data)
      let seen = tour.origin.requests.compactMap { $0["traceparent"].flatMap { TraceParent($0) } }
      tour.expect("the origin saw of the trace", seen.count { $0.traceID == parent?.traceID }, 2)
      let spans = Set(seen.map(\.description) + [parent?.description ?? ""])
      tour.expect("spans, with that of the caller", spans.count, 3)
    }

    private static let schema = TourStep("schema", "An answer that breaks its schema is refused") { tour in
      func client(books: String) throws -> Client {
        var pipeline = tour.standardPipeline
        try pipeline.insert(SchemaValidation(XML.Schema(catalogSchema(books: books))), after: Validation.self)
        return try tour.client(pipeline)
      }
      let document = try await client(books: "unbounded").get("/xml", as: .xmlDocument)
      tour.expect("books of a valid one", try document.xpath("//book").nodes.count, 2)
      let failure = await tour.expectFailure("two where one is allowed", .validation) {
        try await client(books: "1").get("/xml", as: .xmlDocument)
      }
      tour.expect("refused by", failure?.stage, "SchemaValidation")
      let report = failure?.underlying as? XML.ValidationReport
      tour.expect("the violation is in line", report?.violations.first?.line, 5)
      tour.expect("the origin saw", try await tour.seen("/xml").method, "GET")
    }

    private static func catalogSchema(books: String) -> Bytes {
      Bytes(
        """
        <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
          <xs:element name="catalog"><xs:complexType><xs:sequence>
            <xs:element name="book" maxOccurs="\(books)"><xs:complexType><xs:sequence>
              <xs:element name="title" type="xs:string"/>
              <xs:any processContents="skip" minOccurs="0" maxOccurs="unbounded"/>
            </xs:sequence><xs:anyAttribute processContents="skip"/></xs:complexType></xs:element>
          </xs:sequence></xs:complexType></xs:element>
        </xs:schema>
        """
      )
    }

    private static let faults = TourStep("fault-injection", "Faults by plan, and how the chain takes them") {
      tour in
      var pipeline = tour.standardPipeline
      let plan: [Fault?] = [.resetBeforeHead, .status(503), nil, .truncate(afterBytes: 7)]
      pipeline.append(FaultInjection(.sequence(plan)))
      let client = try tour.client(pipeline)
      let value = try await client.get("/cache", as: .jsonValue)
      tour.expect("after a reset and a 503", value["max-age"], 60)
      await tour.expectFailure("a body that is cut off", .incompleteBody) {
        try await client.get("/cache", as: .data)
      }
      let planned = tour.log.events.count { event in
        if case .stage(let own) = event.kind { own is FaultHappened } else { false }
      }
      tour.expect("faults among the events", planned, 3)
      tour.expect("the origin saw", try await tour.seen("/cache").method, "GET")
    }
  }
#endif
