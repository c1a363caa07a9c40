import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// What an error keeps of the body that was refused.
@Suite(.timeLimit(.minutes(1))) struct ErrorModelTests {
  private struct Problem: Decodable, Sendable, Equatable {
    var title: String
  }

  private static func refuse(
    _ body: Response.Body,
    type: String? = "application/problem+json",
    limit: Int? = nil,
    model: ErrorModel? = ErrorModel(.json(Problem.self))
  ) async throws -> ExchangeError {
    let transport = HandlerTransport(recordLimit: 0) { _ in
      Response(.badRequest, fields: type.map { [.contentType: $0] } ?? [:], body: body)
    }
    var request = Request.get("http://h/")
    request.options.errorModel = model
    if let limit { request.options.errorBodyLimit = limit }
    return try await #require(throws: ExchangeError.self) {
      _ = try await Pipeline.standard(over: transport).send(request)
    }
  }

  private static let problem: Bytes = #"{"title":"bad"}"#

  @Test func theModelDecodesTheRefusedBody() async throws {
    for body in [
      .bytes(Self.problem),
      Response.Body(source: ScriptedSource(chunks: [Self.problem.prefix(4), Self.problem.dropFirst(4)])),
    ] as [Response.Body] {
      let error = try await Self.refuse(body)
      #expect(error.kind == .status)
      #expect(error.decoded(as: Problem.self) == Problem(title: "bad"))
      #expect(error.bodyPrefix == Self.problem)
    }
  }

  @Test func whatTheModelCannotDecodeStaysBytes() async throws {
    for (body, type) in [
      ("nonsense", "application/json"), (Self.problem, "text/html"), (Self.problem, nil),
      ("", "application/json"),
    ] as [(Bytes, String?)] {
      let error = try await Self.refuse(.bytes(body), type: type)
      #expect(error.decodedBody == nil)
      #expect(error.bodyPrefix == body)
      #expect(error.kind == .status)
    }
    #expect(try await Self.refuse(.bytes(Self.problem), model: nil).decodedBody == nil)
  }

  @Test func whyTheModelCannotDecodeIsSaid() async throws {
    let body: Bytes = #"{"name":"bad"}"#
    let error = try await Self.refuse(.bytes(body))
    #expect((error.underlying as? ExchangeError)?.kind == .serialization)
    #expect(
      "\(error)".contains(#"  cause:    the body cannot be decoded as Problem: at $, no member "title""#)
    )
    #expect(try await Self.refuse(.bytes(body), type: "text/html").underlying == nil)
    #expect(try await Self.refuse(.empty).underlying == nil)
  }

  @Test(arguments: [0, 1, 14, 15, 16, 1000])
  func theKeptBodyIsBounded(limit: Int) async throws {
    for pieces in [1, 5, 15] {
      let list = stride(from: 0, to: 15, by: 15 / pieces).map {
        Self.problem.dropFirst($0).prefix(15 / pieces)
      }
      let source = ScriptedSource(chunks: list)
      let error = try await Self.refuse(Response.Body(source: source), limit: limit)
      #expect(error.bodyPrefix == Self.problem.prefix(limit))
      #expect((error.decodedBody != nil) == (limit >= 15))
      #expect(source.pulls <= pieces + 1)
      #expect(source.cancels == (limit >= 15 ? 0 : 1))
    }
  }

  /// What would decode although the rest is missing says something else than the server did.
  @Test func aBodyThatWasCutOffIsNotDecoded() async throws {
    let failing = ScriptedSource([.chunk(Self.problem), .fail(Foreign())])
    let long = ScriptedSource(chunks: [Self.problem, "  "])
    for (source, limit) in [(failing, nil), (long, 15)] as [(ScriptedSource, Int?)] {
      let error = try await Self.refuse(Response.Body(source: source), limit: limit)
      #expect(error.bodyPrefix == Self.problem)
      #expect(error.decodedBody == nil)
    }
  }

  @Test func anEndlessBodyIsReadToTheLimitOnly() async throws {
    let pulls = Counter()
    let stream = AsyncStream<Bytes>(unfolding: {
      pulls.add()
      return "0123456789"
    })
    let error = try await Self.refuse(Response.Body(stream), limit: 95)
    #expect(error.bodyPrefix.count == 95)
    #expect(pulls.value == 10)
  }

  @Test func aBodyThatFailsDoesNotHideTheRefusal() async throws {
    let source = ScriptedSource([.chunk("start"), .fail(Foreign())])
    let error = try await Self.refuse(Response.Body(source: source))
    #expect(error.kind == .status)
    #expect(error.bodyPrefix == "start")
    #expect(error.decodedBody == nil)
  }

  @Test func anOptionOfTheClientServesAllRequests() async throws {
    var options = RequestOptions()
    options.errorModel = ErrorModel(.json(Problem.self))
    let transport = HandlerTransport { _ in
      Response(.badRequest, fields: [.contentType: "application/json"], body: .bytes(Self.problem))
    }
    let client = try Client(over: transport, configuration: .init(defaults: .init(options: options)))
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await client.value(for: .get("http://h/"), as: .text)
    }
    #expect(error.decoded(as: Problem.self)?.title == "bad")
  }
}
