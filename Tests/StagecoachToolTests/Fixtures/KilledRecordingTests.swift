#if Tool && AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures
  import StagecoachOrigin
  import TestSupport
  import Testing

  /// A recording that is killed leaves a scenario that can be read, with all that was written before.
  struct KilledRecordingTests {
    /// How often a recording is killed; CI asks for more in the soak step.
    private static let kills =
      ProcessInfo.processInfo.environment["STAGECOACH_SOAK_KILLS"].flatMap(Int.init) ?? 3

    @Test(.timeLimit(.minutes(20)))
    func whatWasWrittenCanBeReplayed() async throws {
      let server = try await HandlerServer.start { request in
        let body = Bytes(String(repeating: request.head.path ?? "", count: 100))
        return Response(.ok, fields: [.contentType: "text/plain"], body: .bytes(body))
      }
      for number in 0..<Self.kills {
        try await killOne(upstream: server.url, waits: number.isMultiple(of: 2))
      }
      await server.stop(patience: .zero)
    }

    /// - Parameter waits: Whether the folder is to hold all exchanges first, which takes a moment after the last one.
    private func killOne(upstream: String, waits: Bool) async throws {
      let folder = try ScratchDirectory()
      let place = "\(folder.path)/session"
      let record = try ToolProcess(["record", "--upstream", upstream, "--to", place])
      defer { record.send(SIGKILL) }
      let client = try Client(base: await record.listening() + "/")
      let instant = ContinuousClock.now + .milliseconds(Int.random(in: 100...1500))
      var paths: [String] = []
      var ends: [ContinuousClock.Instant] = []
      while ContinuousClock.now < instant {
        paths.append("/items/\(paths.count)")
        _ = try await client.get(paths[paths.count - 1], as: .text)
        ends.append(.now)
      }
      let patience = ContinuousClock.now + .seconds(60)
      // It may be read while it is written.
      while waits, (try? recorded(place).count) != paths.count, ContinuousClock.now < patience {
        try await Task.sleep(for: .milliseconds(20))
      }
      let old = ends.count { $0 < .now - .seconds(1) }
      record.send(SIGKILL)
      _ = try await record.outcome()
      let scenario = try recorded(place)
      // The time is that of a machine with nothing else to do, as in the soak step.
      if waits || Self.kills > 3 { #expect(scenario.count >= (waits ? paths.count : old)) }
      for (number, exchange) in scenario.enumerated() {
        #expect(exchange.request.target == "{api}\(paths[number])")
      }
      try await replay(place)
    }

    /// The exchanges of a folder, if there is one yet.
    private func recorded(_ place: String) throws -> [Scenario.Exchange] {
      guard FileManager.default.fileExists(atPath: "\(place)/scenario.json") else { return [] }
      return try Scenario(folder: place).exchanges
    }

    private func replay(_ place: String) async throws {
      guard FileManager.default.fileExists(atPath: "\(place)/scenario.json") else { return }
      let scenario = try Scenario(folder: place)
      let replay = try ReplayTransport(scenario)
      for exchange in scenario.exchanges {
        let url = try #require(scenario.url(of: exchange.request.target))
        let response = try await Pipeline(over: replay) {}.send(.get(url))
        #expect(try await response.body.collect(upTo: 1 << 20).count > 0)
      }
    }
  }
#endif
