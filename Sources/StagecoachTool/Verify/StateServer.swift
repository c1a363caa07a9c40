#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures

  /// Sets up provider states over HTTP, as verifiers of Pact do.
  struct StateServer: Sendable {
    let url: String
    let client: Client

    func handler(of state: String) -> ProviderStateHandler {
      ProviderStateHandler { parameters in
        let reply = try await post(state, parameters, "setup")
        return (try? JSONValue(parsing: reply.array))?.objectValue ?? JSONObject()
      } tearDown: { parameters in
        _ = try await post(state, parameters, "teardown")
      }
    }

    /// The longest reply whose values are read, in bytes.
    private static let replyLimit = 1 << 20

    private func post(_ state: String, _ parameters: JSONObject, _ action: String) async throws -> Bytes {
      let content: JSONValue = [
        "state": .string(state), "params": .object(parameters), "action": .string(action),
      ]
      var request = Request.post(url, body: .bytes(Bytes(content.serialized())))
      request.fields[.contentType] = "application/json"
      request.options.totalTimeout = .seconds(30)
      return try await client.send(request).body.collect(upTo: Self.replyLimit)
    }
  }
#endif
