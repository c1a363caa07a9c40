#if Tool
  import Stagecoach

  /// Prints each element of a body as a line of JSON, as soon as it has come.
  struct ElementSerializer<Base: ResponseSerializer>: ResponseSerializer
  where Base.Output: AsyncSequence & Sendable {
    let base: Base
    /// Nil to collect the elements, for a report: then the body has a limit in any case.
    let sink: (any Sink)?
    /// The most bytes of body to take; nil for any number.
    let limit: Int?
    let json: @Sendable (Base.Output.Element) -> JSONValue

    var name: String { base.name }
    var accepts: Acceptance { base.accepts }

    func serialize(_ response: Response) async throws -> FetchOutput {
      var response = response
      let most = sink == nil ? response.request?.options.bodyLimit ?? BodyLimit.defaultValue : nil
      if let limit = limit ?? most {
        response.body = Response.Body(transforming: LimitedBody(response.body, limit: limit))
      }
      var collected: [JSONValue] = []
      var written: Int64 = 0
      for try await element in try await base.serialize(response) {
        let value = json(element)
        guard let sink else {
          collected.append(value)
          continue
        }
        let line = Bytes(value.description + "\n")
        try await sink.write(line)
        written += Int64(line.count)
      }
      return sink == nil ? .json(.array(collected)) : .passedOn(written)
    }
  }

  extension ServerSentEvent {
    /// The event as an object, without what is as if nothing had been said.
    var json: JSONValue {
      var members = [
        JSONObject.Member(key: "type", value: .string(type)),
        JSONObject.Member(key: "data", value: .string(data)),
      ]
      if !id.isEmpty { members.append(JSONObject.Member(key: "id", value: .string(id))) }
      if let retry {
        let milliseconds = Int(exactly: (retry / .milliseconds(1)).rounded()) ?? .max
        members.append(JSONObject.Member(key: "retry", value: .number(JSONNumber(milliseconds))))
      }
      return .object(JSONObject(members))
    }
  }
#endif
