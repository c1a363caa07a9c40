import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct EmptyResponseSerializerTests {
  @Test(arguments: [[], [" "]] as [[Bytes]])
  func acceptsAnEmptyBody(chunks: [Bytes]) async throws {
    for status in [HTTPResponse.Status.ok, .noContent, .resetContent] {
      let client = try Client(
        over: HandlerTransport { _ in
          Response(
            status,
            fields: [.contentType: "application/json"],
            body: Response.Body(source: ScriptedSource(chunks: chunks))
          )
        }
      )
      try await client.delete("http://h/", as: .empty)
      try await client.value(for: .head("http://h/"), as: .empty)
    }
    try await EmptyResponseSerializer().serialize(Response(.noContent))
  }

  @Test(arguments: [["content"], ["co", "ntent"], [" ", "content"], ["  "], ["\n"]] as [[Bytes]])
  func contentIsRefusedAndItsTransferCancelled(chunks: [Bytes]) async throws {
    let source = ScriptedSource(chunks.map(ScriptedSource.Step.chunk) + [.wait])
    let client = try Client(
      over: HandlerTransport(recordLimit: 0) { _ in Response(.ok, body: Response.Body(source: source)) }
    )
    let error = try await #require(throws: ExchangeError.self) {
      try await client.delete("http://h/", as: .empty)
    }
    #expect(error.kind == .serialization)
    #expect(error.stage == "EmptyResponseSerializer")
    #expect(error.bodyPrefix == (chunks[0] == " " ? " content" : chunks[0]))
    #expect(source.cancels == 1)
  }

  @Test func whatTheErrorKeepsIsBounded() async throws {
    let client = try Client(
      over: HandlerTransport { _ in Response(.ok, body: endless(Bytes([UInt8](repeating: 7, count: 1000)))) }
    )
    let error = try await #require(throws: ExchangeError.self) {
      try await client.value(for: .get("http://h/").with(\.errorBodyLimit, 10), as: .empty)
    }
    #expect(error.bodyPrefix == Bytes([UInt8](repeating: 7, count: 10)))
  }
}
