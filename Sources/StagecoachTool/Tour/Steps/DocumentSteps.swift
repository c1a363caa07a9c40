#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachConformance
  import StagecoachOrigin
  import StagecoachXML

  extension TourStep {
    /// Documents, and letting the response choose.
    static var documentSteps: [TourStep] { [xml, feed, compound, anyOf] }

    private static let xml = TourStep("xml", "An XML document, searched with XPath") { tour in
      let document = try await tour.client.get("/xml", as: .xmlDocument)
      tour.expect("titles", try document.xpath("//title").nodes.map(\.text), ["Roads & Inns", "Grüße"])
      tour.expect("sum of the prices", try document.xpath("sum(//price)").string, "12.5")
      tour.expect("CDATA", try document.xpath("string(//note)").string, "a < b")
      tour.expect("an XML type is asked for", try await tour.seen("/xml")["Accept"], "application/xml first")
      {
        $0?.hasPrefix("application/xml") ?? false
      }
      let failure = await tour.expectFailure("JSON as XML", .mediaType) {
        try await tour.client.get("/json", as: .xmlDocument)
      }
      tour.expect("refused by", failure?.stage, "Validation")
    }

    private static let feed = TourStep("xml-namespaces", "An Atom feed, whose names are in namespaces") {
      tour in
      let document = try await tour.client.get("/feed.xml", as: .xmlDocument)
      let namespaces = ["a": "http://www.w3.org/2005/Atom", "dc": "http://purl.org/dc/elements/1.1/"]
      func texts(_ expression: String) throws -> [String] {
        try document.xpath(expression, namespaces: namespaces).nodes.map(\.text)
      }
      tour.expect("entries", try texts("//a:entry/a:title"), ["First coach", "Last coach"])
      tour.expect("creators", try texts("//dc:creator"), ["A. Driver", "B. Guard"])
      tour.expect("without a prefix", try document.xpath("//entry").nodes.count, 0)
      tour.expect("the origin saw", try await tour.seen("/feed.xml").method, "GET")
    }

    private enum Answer: Sendable, Equatable {
      case article(Article)
      case title(String)
      case text(String)
    }

    private static let compound = TourStep("compound", "The response picks its serializer") { tour in
      let serializer = CompoundResponseSerializer<Answer> {
        JSONResponseSerializer(Article.self).map(Answer.article)
        XMLDocumentResponseSerializer().map { document in
          Answer.title(document.root.elements.first { $0.localName == "title" }?.text ?? "")
        }
        TextResponseSerializer(accepting: Acceptance(mediaTypes: [.anyText])).map(Answer.text)
      }
      tour.expect("JSON", try await tour.client.get("/json", as: serializer), .article(.expected))
      tour.expect("XML", try await tour.client.get("/feed.xml", as: serializer), .title("Timetable"))
      let text = try await tour.client.get("/text", as: serializer)
      tour.expect("text", text, .text(Origin.sampleText(charset: "utf-8") ?? ""))
      let accept = try await tour.seen("/text")["Accept"]
      tour.expect("Accept names what all members read", accept, "JSON, XML and text") { accept in
        ["application/json", "application/xml", "text/*"].allSatisfy { accept?.contains($0) ?? false }
      }
      let failure = await tour.expectFailure("a picture", .mediaType) {
        try await tour.client.get("/png", as: serializer)
      }
      tour.expect("refused by", failure?.stage, "Validation")
    }

    private static let anyOf = TourStep(
      "compound-order",
      "Without a declared type, members are tried in order"
    ) {
      tour in
      let serializer = CompoundResponseSerializer(anyOf: .jsonValue, .text)
      func server(of content: String) throws -> WireServer {
        try WireServer { wire in
          try wire.readHead()
          try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(content.utf8.count)\r\n\r\n\(content)")
          try wire.hold()
        }
      }
      let json = try server(of: "[1,2]")
      defer { json.stop() }
      let value = try await tour.client.value(for: .get(json.url), as: serializer)
      tour.expect("JSON without a label", value as? JSONValue, [1, 2])
      let plain = try server(of: "coach")
      defer { plain.stop() }
      let text = try await tour.client.value(for: .get(plain.url), as: serializer)
      tour.expect("text without a label", text as? String, "coach")
      tour.expect("the origin saw", plain.requests.first?.startLine, "GET / HTTP/1.1")
    }
  }
#endif
