#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin
  import StagecoachXML

  extension TourStep {
    /// Documents, and letting the response choose.
    static var documentSteps: [TourStep] { [compound, anyOf] }

    private enum Answer: Sendable, Equatable {
      case article(Article)
      case title(String)
      case text(String)
    }

    private static let compound = TourStep("compound", "The response picks its serializer") { tour in
      let serializer = CompoundResponseSerializer<Answer> {
        JSONResponseSerializer(Article.self).map(Answer.article)
        TextResponseSerializer(accepting: Acceptance(mediaTypes: [.anyText])).map(Answer.text)
      }
      tour.expect("JSON", try await tour.client.get("/json", as: serializer), .article(.expected))
      let text = try await tour.client.get("/text", as: serializer)
      tour.expect("text", text, .text(Origin.sampleText(charset: "utf-8") ?? ""))
      let accept = try await tour.seen("/text")["Accept"]
      tour.expect("Accept names what all members read", accept, "JSON and text") { accept in
        ["application/json", "text/*"].allSatisfy { accept?.contains($0) ?? false }
      }
      let failure = await tour.expectFailure("a picture", .mediaType) {
        try await tour.client.get("/png", as: serializer)
      }
      tour.expect("refused by", failure?.stage, "Validation")
    }

    private static let anyOf = TourStep("compound-order", "Without a declared type, members are tried in order") {
      tour in
      let serializer = CompoundResponseSerializer(anyOf: .jsonValue, .text)
      let wire = try await Origin.raw(.respond("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n[1,2]"))
      let value = try await tour.client.value(for: .get(wire.url), as: serializer)
      tour.expect("JSON without a label", value as? JSONValue, [1, 2])
      await wire.stop()
      let plain = try await Origin.raw(.respond("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\ncoach"))
      let text = try await tour.client.value(for: .get(plain.url), as: serializer)
      tour.expect("text without a label", text as? String, "coach")
      tour.expect("the origin saw", plain.connections.first?.receivedText, "GET / HTTP/1.1 ...") {
        $0?.hasPrefix("GET / HTTP/1.1\r\n") ?? false
      }
      await plain.stop()
    }
  }
#endif
