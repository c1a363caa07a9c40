import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct IgnoredResponseSerializerTests {
  private func delete(_ source: ScriptedSource, limit: Int = 10) async throws {
    let client = try Client(
      over: HandlerTransport { _ in Response(.ok, body: Response.Body(source: source)) }
    )
    try await client.value(for: .delete("http://h/").with(\.bodyLimit, limit), as: .ignored)
  }

  @Test func readsTheBodyToItsEnd() async throws {
    let source = ScriptedSource(chunks: ["12345", "67890"])
    try await delete(source)
    #expect(source.cancels == 0)
  }

  @Test func aBodyThatFailsIsAFailure() async throws {
    let error = try await #require(throws: ExchangeError.self) {
      try await delete(ScriptedSource([.chunk("1"), .fail(Foreign())]))
    }
    #expect(error.underlying is Foreign)
  }

  @Test func moreThanTheLimitIsRefused() async throws {
    let source = ScriptedSource([.chunk("12345"), .chunk("678901"), .wait])
    let error = try await #require(throws: ExchangeError.self) { try await delete(source) }
    #expect(error.kind == .limit(.body))
    #expect(source.cancels == 1)
  }
}
