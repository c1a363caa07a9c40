import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventStreamTests {
  @Test func yieldsTheEventsOfTheClient() async throws {
    let stream = EventStream()
    let client = try Client(
      over: HandlerTransport { _ in Response(.ok) },
      configuration: .init(monitors: [stream])
    )
    _ = try await client.value(for: .get("http://h/"), as: .data)
    stream.finish()
    var words: [String] = []
    for await event in stream.events { words.append(event.kind.word) }
    #expect(words.first == "exchangeStarted(GET)")
    #expect(words.last == "exchangeFinished")
  }

  @Test func keepsTheNewestEventsUntilTheyAreRead() async throws {
    let stream = EventStream(bufferingNewest: 2)
    let client = try Client(
      over: HandlerTransport { _ in Response(.ok) },
      configuration: .init(monitors: [stream])
    )
    _ = try await client.value(for: .get("http://h/"), as: .data)
    stream.finish()
    var words: [String] = []
    for await event in stream.events { words.append(event.kind.word) }
    #expect(words == ["serializationFinished(DataResponseSerializer)", "exchangeFinished"])
  }
}
