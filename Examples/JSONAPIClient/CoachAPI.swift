#if Tool
  import Stagecoach

  /// An API as a type: its calls take and give values, and everything HTTP stays inside.
  struct CoachAPI: Sendable {
    struct Timetable: Decodable, Sendable {
      struct Author: Decodable, Sendable {
        var name: String
      }

      var title: String
      var count: Int
      var tags: [String]
      var author: Author
    }

    struct Booking: Encodable, Sendable {
      var from: String
      var to: String
      var seats: Int
    }

    /// What the server received.
    struct Receipt: Decodable, Sendable {
      var method: String
      var target: String
      var fields: [[String]]
      var body: String

      func value(of name: String) -> String? {
        fields.first { $0.first?.lowercased() == name.lowercased() }?.last
      }
    }

    /// An error as the server reports it (RFC 9457).
    struct Problem: Decodable, Sendable {
      var title: String
      var detail: String
    }

    let client: Client

    init(base: String) throws {
      var configuration = Client.Configuration()
      configuration.defaults.options.totalTimeout = .seconds(10)
      configuration.defaults.options.errorModel = ErrorModel(JSONResponseSerializer(Problem.self))
      client = try Client(base: base, configuration: configuration) { transport in
        var pipeline = Pipeline.standard(over: transport)
        try pipeline.insert(RequestIdentifier(prefix: "coach"), after: Validation.self)
        return pipeline
      }
    }

    func timetable() async throws -> Timetable {
      try await client.get("json")
    }

    func book(_ booking: Booking, named name: String) async throws -> Receipt {
      let request = Request.post("echo").with(\.requestName, name)
      return try await client.value(for: request, sending: .json(booking), as: .json(Receipt.self))
    }

    func find(_ parameters: Parameters) async throws -> Receipt {
      try await client.get("echo", .query(parameters))
    }

    func cancelBooking() async throws -> Receipt {
      try await client.delete("problem", as: .json(Receipt.self))
    }
  }
#endif
