#if Tool
  import Stagecoach

  /// Prints each element of a body as a line of JSON, as soon as what has come is read.
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
      let most =
        sink == nil ? response.request?.options.bodyLimit ?? RequestOptions.bodyLimit.defaultValue : nil
      if let limit = limit ?? most {
        response.body = Response.Body(transforming: LimitedBody(response.body, limit: limit))
      }
      guard let sink else {
        var collected: [JSONValue] = []
        for try await element in try await base.serialize(response) { collected.append(json(element)) }
        return .json(.array(collected))
      }
      let buffer = LineBuffer(sink)
      response.body = buffer.body(response.body)
      var written: Int64 = 0
      do {
        for try await element in try await base.serialize(response) {
          written += Int64(try await buffer.append(json(element).serialized()))
        }
      } catch {
        // Elements before the defect are kept; the defect explains why there are no more.
        try? await buffer.flush()
        throw error
      }
      try await buffer.flush()
      return .passedOn(written)
    }
  }

  extension ServerSentEvent {
    /// The event as an object, without members that have default values.
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
