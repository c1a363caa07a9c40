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
      ProcessInfo.processInfo.environment["STAGECOACH_SOAK_KILLS"].flatMap(Int.init)
      ?? KillMoment.allCases.count

    @Test(.timeLimit(.minutes(30)))
    func whatWasWrittenCanBeReplayed() async throws {
      let server = try await HandlerServer.start { request in
        let body = Bytes(String(repeating: request.head.path ?? "", count: 100))
        return Response(.ok, fields: [.contentType: "text/plain"], body: .bytes(body))
      }
      var hits: [KillMoment: Int] = [:]
      var late = 0
      for number in 0..<Self.kills {
        let moment = KillMoment.allCases[number % KillMoment.allCases.count]
        let result = try await killOne(upstream: server.url, at: moment)
        if result.isWithinCommit { hits[moment, default: 0] += 1 }
        if result.isLate { late += 1 }
      }
      await server.stop(patience: .zero)
      let total = hits.values.reduce(0, +)
      let parts = KillMoment.allCases.map { "\(hits[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
      print(
        "\(Self.kills) kills of a recording, \(total) within a commit (\(parts)); \(late) without an exchange that had "
          + "ended a second before"
      )
      // A few say nothing about a machine that is busy with other tests.
      if Self.kills >= 20 { #expect(total * 4 >= Self.kills && late * 20 <= Self.kills) }
    }

    /// - Returns: Whether the kill was within a commit, as its temporary files prove, and whether an exchange is missing
    ///   that had ended a second before it.
    private func killOne(
      upstream: String,
      at moment: KillMoment
    ) async throws -> (isWithinCommit: Bool, isLate: Bool) {
      let folder = try ScratchDirectory()
      let place = "\(folder.path)/session"
      let record = try ToolProcess(["record", "--upstream", upstream, "--to", place])
      defer { record.send(SIGKILL) }
      let client = try Client(base: await record.listening() + "/")
      let instant = ContinuousClock.now + .milliseconds(Int.random(in: 100...2500))
      let kills = Log<ContinuousClock.Instant>()
      async let strike: Void = {
        guard moment != .settled else { return }
        await moment.strike(after: instant, in: place) {
          kills.add(.now)
          record.send(SIGKILL)
        }
      }()
      var paths: [String] = []
      var ends: [ContinuousClock.Instant] = []
      do {
        while kills.all.isEmpty, moment != .settled || ContinuousClock.now < instant {
          paths.append("/items/\(paths.count)")
          _ = try await client.get(paths[paths.count - 1], as: .text)
          ends.append(.now)
          // A client without a pause outruns a recording that was built for debugging.
          try await Task.sleep(for: .milliseconds(4))
        }
      } catch {
        // The process is gone.
        guard !kills.all.isEmpty else { throw error }
      }
      await strike
      // The client may have tried again since.
      let kill = kills.all.first ?? .now
      let old = ends.count { $0 < kill - .seconds(1) }
      let patience = ContinuousClock.now + .seconds(60)
      // It may be read while it is written.
      while moment == .settled, (try? recorded(place).count) != paths.count, ContinuousClock.now < patience {
        try await Task.sleep(for: .milliseconds(20))
      }
      record.send(SIGKILL)
      _ = try await record.outcome()
      let isWithinCommit = KillMoment.hasTemporaryFile(in: place)
      let scenario = try recorded(place)
      if moment == .settled { #expect(scenario.count >= paths.count) }
      // The time is that of a machine with nothing else to do: a build for debugging on a busy one takes longer.
      let isLate = scenario.count < old
      for (number, exchange) in scenario.enumerated() {
        #expect(exchange.request.target == "{api}\(paths[number])")
      }
      guard !scenario.isEmpty else { return (isWithinCommit, isLate) }
      let lint = try await ToolProcess.run("contract", "lint", place)
      #expect(lint.status == 0, "\(lint)")
      try await replay(place)
      return (isWithinCommit, isLate)
    }

    /// The exchanges of a folder, if there is one yet.
    private func recorded(_ place: String) throws -> [Scenario.Exchange] {
      guard FileManager.default.fileExists(atPath: "\(place)/scenario.json") else { return [] }
      return try Scenario(folder: place).exchanges
    }

    private func replay(_ place: String) async throws {
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
