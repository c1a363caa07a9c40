#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachXML
  import Synchronization

  /// Passes the body on to a sink as it comes, at the sink's pace, whatever its length.
  struct RawSerializer: ResponseSerializer {
    let name = "Raw"
    let accepts: Acceptance
    let sink: any Sink
    /// The most bytes to pass on; nil for any number.
    let limit: Int?
    let progress: ProgressBar?

    func serialize(_ response: Response) async throws -> FetchOutput {
      let length = response.body.length
      try ExchangeError.check(length ?? 0, limit)
      var written: Int64 = 0
      for try await chunk in response.body {
        try ExchangeError.check(written + Int64(chunk.count), limit)
        try await sink.write(chunk)
        written += Int64(chunk.count)
        progress?.update(written, of: length)
      }
      return .passedOn(written)
    }

  }

  extension ExchangeError {
    /// Refuses a body of more bytes than `--limit` says.
    static func check(_ count: Int64, _ limit: Int?) throws {
      guard let limit, count > limit else { return }
      throw ExchangeError.limit(
        .body,
        "the response body is at least \(count) bytes long (limit \(limit) bytes)",
        advice: "raise options.bodyLimit",
        limit: (RequestOptions.bodyLimit.name, "\(limit) bytes")
      )
    }
  }

  /// Passes a body on, up to a limit.
  final class LimitedBody: BodySource {
    private let reader: BodyReader
    private let limit: Int
    private let count = Atomic<Int64>(0)

    init(_ body: Response.Body, limit: Int) {
      reader = BodyReader(body)
      self.limit = limit
    }

    func next() async throws -> Bytes? {
      guard let chunk = try await reader.next() else { return nil }
      try ExchangeError.check(count.add(Int64(chunk.count), ordering: .relaxed).newValue, limit)
      return chunk
    }

    var trailers: HTTPFields? { reader.trailers }

    func cancel() { reader.cancel() }
  }

  /// Lets the declared media type choose; what declares none, or is too long to be held in memory, is
  /// passed on as it came.
  struct AutoSerializer: ResponseSerializer {
    let compound: CompoundResponseSerializer<FetchOutput>
    let raw: any ResponseSerializer<FetchOutput>

    init(raw: any ResponseSerializer<FetchOutput>) {
      self.raw = raw
      compound = CompoundResponseSerializer(members: [
        // Unlike by default not JavaScript, which is seldom JSON.
        JSONValueResponseSerializer(accepting: Acceptance(mediaTypes: [.json, .anyJSONSuffix]))
          .map(FetchOutput.json),
        XMLDocumentResponseSerializer().map { .xml($0.xmlString) },
        FetchTextSerializer(accepts: Acceptance(mediaTypes: [.anyText])).map(FetchOutput.text),
        raw,
      ])
    }

    var name: String { compound.name }
    var accepts: Acceptance { compound.accepts }

    func serialize(_ response: Response) async throws -> FetchOutput {
      guard let reason = reasonToPassOn(response) else { return try await compound.serialize(response) }
      response.request?.emit(
        SerializerChoice(raw.name, mediaType: response.mediaType, reason: .other(reason))
      )
      return try await raw.serialize(response)
    }

    private func reasonToPassOn(_ response: Response) -> String? {
      let limit = response.request?.options.bodyLimit ?? RequestOptions.bodyLimit.defaultValue
      if response.mediaType == nil { return "no media type is declared" }
      if response.body.length == 0 { return "there is no content" }
      if let length = response.body.length, length > limit { return "it is too long to be kept in memory" }
      return nil
    }
  }
#endif
