#if Tool
  import Stagecoach
  import StagecoachOrigin
  import StagecoachXML

  /// What the server may answer, as one type.
  enum Answer: Sendable {
    case json(JSONValue)
    case xml(XML.Document)
    case text(String)

    /// The response decides by its media type which member reads it.
    static let serializer = CompoundResponseSerializer<Answer> {
      JSONValueResponseSerializer(removingNulls: true).map(Answer.json)
      XMLDocumentResponseSerializer().map(Answer.xml)
      TextResponseSerializer(accepting: Acceptance(mediaTypes: [.anyText])).map(Answer.text)
    }
  }

  /// One client for answers of several types: `swift run MixedAnswers [BASE-URL]`. Without a URL it starts
  /// the origin itself.
  @main
  enum MixedAnswers {
    static func main() async throws {
      let origin = CommandLine.arguments.count > 1 ? nil : try await Origin.start()
      let client = try Client(base: origin?.url ?? CommandLine.arguments[1])
      print("accepts: \(Answer.serializer.accepts.acceptField)")
      for path in ["json", "feed.xml", "text?charset=gbk", "mismatch/type", "png"] {
        print("\(path): \(try await describe(path, client))")
      }
      await client.shutdown()
      try await origin?.stop()
    }

    static func describe(_ path: String, _ client: Client) async throws -> String {
      do {
        switch try await client.get(path, as: Answer.serializer) {
        case .json(let value): return "JSON \(value)"
        case .xml(let document): return "XML with the root <\(document.root.name)>"
        case .text(let text): return "text of \(text.count) characters: \(text.prefix(16))"
        }
      } catch let error as ExchangeError {
        return "refused by \(error.stage): \(error.message)"
      }
    }
  }
#else
  @main
  enum MixedAnswers {
    static func main() {
      print("This example needs the package trait Tool, for its origin.")
    }
  }
#endif
