import Testing

@testable import StagecoachCache

@Suite struct CacheFlightsTests {
  private let flights = CacheFlights()
  private let key = CacheKey(url: "http://h/")

  private func lead() -> CacheFlight? {
    let boarding = flights.board(
      key,
      names: [],
      generation: 0,
      since: flights.endedCount,
      at: .now,
      values: { _ in [] }
    )
    if case .lead(let flight) = boarding { return flight }
    return nil
  }

  private func waits() -> Bool { lead() == nil }

  /// It has not ended: others that look the key up meanwhile are not sent back to the store for it.
  @Test func aWaiterThatLeavesEndsNoFlight() throws {
    let flight = try #require(lead())
    #expect(waits())
    flights.abandon(flight, key)
    flights.abandon(flight, key)
    #expect(flights.endedCount == 0)
    let second = try #require(lead())
    flights.end(flight, key)
    #expect(flights.endedCount == 1)
    #expect(waits())
    flights.end(second, key)
    #expect(flights.endedCount == 2)
    #expect(!waits())
  }

  /// A flight that a change has closed still ends: who has looked the key up before asks the store again.
  @Test func aClosedFlightEnds() throws {
    let flight = try #require(lead())
    flights.close(url: key.url)
    flights.end(flight, key)
    #expect(flights.endedCount == 1)
  }
}
