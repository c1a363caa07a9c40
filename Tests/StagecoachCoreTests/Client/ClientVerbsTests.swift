import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct ClientVerbsTests {
  private struct Note: Codable, Sendable, Equatable {
    var text: String
  }

  /// Answers with what it was sent.
  private static let transport = HandlerTransport { request in
    var fields: HTTPFields = [.contentType: "application/json"]
    fields[HTTPField.Name("X-Was")!] = "\(request.method) \(request.head.path ?? "")"
    fields[HTTPField.Name("X-Accept")!] = request.fields[.accept]
    return Response(
      .ok,
      fields: fields,
      body: .bytes(request.body.bytes.flatMap { $0.isEmpty ? nil : $0 } ?? #"{"text":"a"}"#)
    )
  }

  private let client: Client

  init() throws {
    client = try Client(over: Self.transport, base: "http://h/v1/")
  }

  @Test func typedCallsSendTheirVerbAndDecode() async throws {
    let note: Note = try await client.get("notes/1")
    #expect(note == Note(text: "a"))
    let made: Note = try await client.post("notes", .json(Note(text: "b")))
    #expect(made == Note(text: "b"))
    #expect(try await client.get("notes", as: .text) == #"{"text":"a"}"#)
    #expect(try await client.post("notes", .json(Note(text: "c")), as: .json(Note.self)).text == "c")
    #expect(try await client.put("notes", .json(Note(text: "d")), as: .text) == #"{"text":"d"}"#)
    #expect(try await client.patch("notes", .json(["text": "e"]), as: .text) == #"{"text":"e"}"#)
    let replaced: Note = try await client.put("notes/1", .json(Note(text: "f")))
    let changed: Note = try await client.patch("notes/1", .json(Note(text: "g")))
    #expect([replaced.text, changed.text] == ["f", "g"])
    #expect(try await client.delete("notes", as: .data) == #"{"text":"a"}"#)
    let deleted: Note = try await client.delete("notes/1")
    #expect(deleted == Note(text: "a"))
    let head = try await client.head("notes")
    #expect(head.status == .ok)
    #expect(head.fields[HTTPField.Name("X-Was")!] == "HEAD /v1/notes")
  }

  @Test func callsWithoutAValueReadTheAnswer() async throws {
    try await client.post("notes", .json(Note(text: "b")))
    let answers = [
      try await client.post("notes"), try await client.put("notes"), try await client.patch("notes"),
      try await client.delete("notes"),
    ]
    #expect(
      answers.map { $0.fields[HTTPField.Name("X-Was")!] } == [
        "POST /v1/notes", "PUT /v1/notes", "PATCH /v1/notes", "DELETE /v1/notes",
      ]
    )
    #expect(answers.allSatisfy { $0.fields[HTTPField.Name("X-Accept")!] == "*/*" })
  }

  @Test func aQueryGoesIntoTheTarget() async throws {
    let response = try await client.response(
      for: .get("notes?a=1"),
      sending: .query(["b": 2]),
      as: .json(Note.self)
    )
    #expect(response.request?.path == "/v1/notes?a=1&b=2")
    #expect(response.value == Note(text: "a"))
    #expect(response.fields[HTTPField.Name("X-Accept")!] == Acceptance.json.acceptField)
    #expect(response.source == .network)
    #expect(response.history.isEmpty)
    #expect(response.version == nil && response.connection == nil && response.trailers == nil)
    #expect(response.timings?.headReceived != nil)
  }

  @Test func acceptIsTheSerializersUnlessTheRequestHasIt() async throws {
    var request = Request.get("notes")
    request.fields[.accept] = "application/x-own"
    let response = try await client.response(for: request, as: .text)
    #expect(response.fields[HTTPField.Name("X-Accept")!] == "application/x-own")
  }

  @Test func acceptOfTheClientsDefaultsBeatsTheSerializers() async throws {
    client.updateDefaults { $0.fields[.accept] = "application/vnd.own+json" }
    let response = try await client.response(for: .get("notes"), as: .json(Note.self))
    #expect(response.fields[HTTPField.Name("X-Accept")!] == "application/vnd.own+json")
    let text = Response(.ok, fields: [.contentType: "text/plain"], body: .bytes(#"{"text":"a"}"#))
    let labelled = try Client(over: HandlerTransport { _ in text }, base: "http://h/")
    await #expect(throws: ExchangeError.self) { _ = try await labelled.get("notes", as: .json(Note.self)) }
    labelled.updateDefaults { $0.options.expectedContent = .any }
    #expect(try await labelled.get("notes", as: .json(Note.self)) == Note(text: "a"))
  }

  @Test func aQueryAndABodyGoTogether() async throws {
    let answer = try await client.post("notes", .query(["a": 1]).and(.json(Note(text: "b"))))
    #expect(answer.request?.path == "/v1/notes?a=1")
    struct Bad: Encodable {
      func encode(to encoder: any Encoder) throws { throw Foreign() }
    }
    let failure = try await #require(throws: ExchangeError.self) {
      try await client.post("notes", .query(["a": 1]).and(.json(Bad())))
    }
    #expect(failure.stage == "JSONRequestSerializer<Bad>")
  }

  @Test func aDecodedResponseCarriesWhatTheTransportKnows() async throws {
    let transport = HandlerTransport { _ in
      let source = ScriptedSource(chunks: ["a"], trailers: [HTTPField.Name("X-Sum")!: "1"])
      var response = Response(
        head: HTTPResponse(status: .ok),
        body: Response.Body(source: source),
        source: .validated,
        version: .http2,
        connection: ConnectionInfo(remoteAddress: "::1", isReused: true)
      )
      response.history = [
        Response.Hop(
          request: HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/"),
          response: HTTPResponse(status: .found)
        )
      ]
      return response
    }
    let response = try await Client(over: transport).response(for: .get("http://h/"), as: .text)
    #expect(response.value == "a")
    #expect(response.source == .validated)
    #expect(response.version == .http2)
    #expect(response.connection == ConnectionInfo(remoteAddress: "::1", isReused: true))
    #expect(response.history.map(\.response.status.code) == [302])
    #expect(response.trailers?.count == 1)
  }

  @Test func errorsOfEverySerializationNameTheSerializer() async throws {
    struct Bad: Encodable {
      func encode(to encoder: any Encoder) throws { throw Foreign() }
    }
    let request = try await #require(throws: ExchangeError.self) {
      _ = try await client.post("notes", .json(Bad()), as: .text)
    }
    #expect(request.kind == .requestSerialization)
    #expect(request.stage == "JSONRequestSerializer<Bad>")
    #expect(request.underlying is Foreign)
    let failing = TextResponseSerializer().map { (_) throws -> Int in throw Foreign() }
    let response = try await #require(throws: ExchangeError.self) {
      _ = try await client.get("notes", as: failing)
    }
    #expect(response.kind == .serialization)
    #expect(response.stage == "TextResponseSerializer")
    #expect(response.response?.status == .ok)
  }
}
