import Stagecoach
import StagecoachCore
import Synchronization
import Testing

@Suite struct ExchangeStateTests {
  /// Remembers the state before it changes it.
  private final class Counting: Middleware {
    static let visits = ExchangeState<Int?>(5)
    let seen = Mutex<[Int?]>([])

    func handle(_ request: Request, next: Next) async throws -> Response {
      for _ in 0..<2 {
        request.exchange?.withState(Self.visits) { visits in
          seen.withLock { $0.append(visits) }
          visits = visits.map { $0 + 1 }
        }
      }
      request.exchange?.withState(Self.visits) { $0 = nil }
      request.exchange?.withState(Self.visits) { visits in seen.withLock { $0.append(visits) } }
      return try await next(request)
    }
  }

  @Test func eachExchangeBeginsWithTheInitialValue() async throws {
    let counting = Counting()
    let client = try Client(Pipeline(over: HandlerTransport { _ in Response(.ok) }, stages: [counting]))
    for _ in 0..<2 { _ = try await client.send(.get("http://test/")) }
    #expect(counting.seen.withLock { $0 } == [5, 6, nil, 5, 6, nil])
  }

  @Test func aResponseWithoutANoteHasItsInitialValue() {
    let note = ResponseNote<Int?>(5)
    var response = Response(.ok)
    #expect(response[note: note] == 5)
    response[note: note] = nil
    #expect(response[note: note] == nil)
    response[note: note] = 7
    #expect(response[note: note] == 7)
    #expect(response[note: ResponseNote<Int?>(1)] == 1)
  }
}
