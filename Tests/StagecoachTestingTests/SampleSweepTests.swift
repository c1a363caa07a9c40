import HTTPTypes
import Stagecoach
import StagecoachSampleFixtures
import StagecoachTesting
import TestSupport
import Testing

/// Each event of the input and output of each sample fails in turn: the standard chain ends with success or a typed error.
struct SampleSweepTests {
  @Test(.timeLimit(.minutes(2)), arguments: try Fixtures.scenarios(in: "", root: samples))
  func noFaultMakesASampleHang(_ fixture: Fixture) async throws {
    let scenario = try Scenario(folder: "\(samples)/\(fixture.name)")
    let count = try await FaultSweep.run(limit: 500) { stage in
      let replay = try ReplayTransport(scenario)
      let client = try Client(
        Pipeline.standard(over: Pipeline(over: replay) { stage }, validation: nil, retry: nil)
      )
      for exchange in scenario.exchanges {
        let recorded = exchange.request
        var request = Request(
          try #require(HTTPRequest.Method(recorded.method)),
          try #require(scenario.url(of: recorded.target)),
          fields: recorded.fields,
          body: recorded.body.map { .bytes($0.bytes) } ?? .empty
        )
        request.options.totalTimeout = .seconds(30)
        do {
          for try await _ in try await client.send(request).body {}
        } catch is ExchangeError {
          // Typed, and in time.
        }
      }
    }
    #expect(count >= scenario.exchanges.count && count < 500)
  }
}

/// The folder of the samples.
private let samples = #filePath.replacing(
  "Tests/StagecoachTestingTests/SampleSweepTests.swift",
  with: "Fixtures/Scenarios"
)
