#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin

  extension TourStep {
    /// Steps for decoding responses.
    static var responseSteps: [TourStep] { [typed, untyped, text, timings, coding] }

    private static let typed = TourStep("json-typed", "JSON as a Swift type") { tour in
      let article: Article = try await tour.client.get("/json")
      let seen = try await tour.seen("/json")
      tour.expect("the origin saw", "\(seen.method) \(seen.target)", "GET /json")
      tour.expect("came back", article, .expected)
      let failure = await tour.expectFailure("as another type", .serialization) {
        try await tour.client.get("/json", as: .json([Int].self))
      }
      tour.expect("the error names the serializer", failure?.stage, "JSONResponseSerializer<Array<Int>>")
    }

    private static let untyped = TourStep("json-nulls", "Untyped JSON, with and without its nulls") { tour in
      let value = try await tour.client.get("/json", as: .jsonValue)
      tour.expect("author", value["author"], ["name": "A. Driver", "active": true, "manager": .null])
      let lean = try await tour.client.get("/json", as: JSONValueResponseSerializer(removingNulls: true))
      tour.expect("without nulls", lean["author"], ["name": "A. Driver", "active": true])
      tour.expect("the origin answered twice", tour.origin.requests.count, 2)
    }

    private static let text = TourStep("text-charsets", "Text in the charset that the response declares") {
      tour in
      for charset in ["utf-8", "utf-16", "windows-1252", "gbk", "big5", "shift_jis"] {
        let text = try await tour.client.get("/text?charset=\(charset)", as: .text)
        tour.expect(charset, text, Origin.sampleText(charset: charset) ?? "")
      }
      var request = Request.get("/text?charset=windows-1252")
      request.options.textCharset = .isoLatin1
      let overridden = try await tour.client.value(for: request, as: .text)
      tour.expect("windows-1252 read as ISO-8859-1", overridden, "naïve café with C1 controls") {
        $0.hasPrefix("naïve café \u{96}")
      }
      tour.expect("the origin answered", tour.origin.requests.count, 7)
    }

    private static let timings = TourStep("timings", "A value with its response, events and timings") {
      tour in
      let response = try await tour.client.response(for: .get("/delay/60"), as: .jsonValue)
      tour.expect("status", response.status.code, 200)
      tour.expect("version", response.version, .http11)
      let timings = response.timings
      tour.expect("the head came", timings?.headReceived, "after 60 ms") {
        ($0 ?? .zero) >= .milliseconds(60)
      }
      tour.expect("the phases", timings, "in order") { timings in
        guard let sent = timings?.requestSent, let head = timings?.headReceived, let end = timings?.bodyEnd
        else { return false }
        return sent <= head && head <= end
      }
      let events = tour.log.events
      tour.expect("numbers of the events", events.map(\.sequence), "rising") { $0 == $0.sorted() }
      tour.expect("last event", events.last.map { "\($0.kind)" }, "exchangeFinished")
      let stages = StageRecord.records(of: events).map(\.name)
      tour.expect(
        "stages",
        stages,
        tour.standardPipeline.stages.map(\.name) + [tour.transport.name, JSONValueResponseSerializer().name]
      )
      tour.expect("the origin saw", try await tour.seen("/delay/60").method, "GET")
    }

    private static let coding = TourStep("coded", "A content coding that was asked for by hand stays") {
      tour in
      let plain = try await tour.client.get("/json", as: .data)
      var request = Request.get("/gzip")
      request.fields[.acceptEncoding] = "gzip"
      let response = try await tour.client.response(for: request, as: .data)
      tour.expect("Content-Encoding", response.fields[.contentEncoding], "gzip")
      let bytes = response.value.array
      tour.expect("magic number", Array(bytes.prefix(2)), [0x1f, 0x8b])
      let checksum = bytes.suffix(8).prefix(4).reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      tour.expect("CRC-32 of the content", checksum, crc32(plain.array))
      tour.expect(
        "the origin saw",
        try await tour.seen("/gzip")["Accept-Encoding"],
        "gzip"
      )
    }
  }
#endif
