#if SQLite && os(Linux)
  import Foundation
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachCache

  /// Writers that are killed at any instant, with replacement, updates, invalidation and eviction running.
  ///
  /// `STAGECOACH_SOAK_CACHE_KILLS=500` is the long form.
  @Suite struct DiskCacheKillTests {
    private static let kills =
      ProcessInfo.processInfo.environment["STAGECOACH_SOAK_CACHE_KILLS"].flatMap(Int.init) ?? 10

    @Test func aKilledWriterLeavesWholeEntries() async throws {
      let scratch = try ScratchDirectory()
      let path = scratch.path
      let history = CacheHistory(path: path)
      var expected: [Int: Expected] = [:]
      var count = (steps: 0, bodies: 0, changes: 0)
      for round in 1...Self.kills {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
          let history = CacheHistory(path: path)
          var random = SplitMix(state: UInt64(round))
          let delay = UInt32.random(in: 1000...120_000, using: &random)
          let wanted = UInt8.random(in: 0...2, using: &random)
          let last = UInt32.random(in: 0...(wanted == 2 ? 300 : 1500), using: &random)
          Thread.detachNewThread {
            usleep(delay)
            while !history.phases.contains(wanted) {}
            usleep(last)
            kill(getpid(), SIGKILL)
          }
          try await history.write(round: round, seed: random.next())
        }
        let phases = history.phases
        count.bodies += phases.contains(1) ? 1 : 0
        count.changes += phases.contains(2) ? 1 : 0
        let steps = history.steps
        count.steps += steps.count
        try await check(history, steps, &expected)
        // A process that is killed before its first step writes neither.
        for path in [history.logPath, history.phasesPath] {
          try? FileManager.default.removeItem(atPath: path)
        }
      }
      print(
        "\(Self.kills) kills after \(count.steps) steps: \(count.bodies) in a body, \(count.changes) in a change"
      )
      if Self.kills >= 100 { #expect(count.bodies >= Self.kills / 5 && count.changes >= Self.kills / 5) }
    }

    /// Compares the store with the log.
    ///
    /// - Parameter expected: The entries before `steps`, and those that are found.
    private func check(
      _ history: CacheHistory,
      _ steps: [CacheHistory.Step],
      _ expected: inout [Int: Expected]
    ) async throws {
      let store = try DiskCacheStore(folder: "\(history.path)/cache", capacity: CacheHistory.capacity)
      for key in 0..<CacheHistory.writers * CacheHistory.keysPerWriter {
        let (allowed, mayBeAbsent, written) = outcomes(key, steps, expected[key])
        let entries = try await store.lookUp(CacheHistory.key(key)).entries
        #expect(entries.count <= 1)
        let state = try entries.first.map(CacheHistory.state)
        if let entry = entries.first, let state {
          #expect(allowed.contains(state), "\(key): \(state), not \(allowed)")
          let content = try #require(await store.content(of: entry))
          let body = try await CacheStoreCheck.read(content, Int(entry.length), 1 << 20)
          #expect(body == CacheHistory.body(state.version))
        } else {
          #expect(mayBeAbsent, "\(key) is gone, not \(allowed)")
        }
        expected[key] = state.map { Expected(state: $0, written: written) }
      }
      // By now nothing is left of the killed process; this change waits until that was cleaned up.
      try await store.invalidate(url: "http://other/")
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(history.path)/cache/partial").isEmpty)
      let files = try await store.reading { try $0.integer("SELECT count(file) FROM entries") }
      #expect(try bodyFiles("\(history.path)/cache").count == files.map(Int.init))
      let garbage = try await store.reading { connection in
        try connection.integer(
          """
          SELECT (SELECT size != (SELECT ifnull(sum(size), 0) FROM entries) FROM store)
          + (SELECT count != (SELECT count(*) FROM entries) FROM store)
          + (SELECT size > \(CacheHistory.capacity) FROM store)
          + (SELECT count(*) FROM bodies WHERE id NOT IN (SELECT id FROM entries))
          """
        )
      }
      #expect(garbage == 0)
    }

    /// An entry that is there.
    private struct Expected {
      var state: CacheHistory.State
      /// The bytes that were written since: if they are many, the entry may be evicted.
      var written: Int
    }

    /// What a key may have after steps, of which the last may have been made or not.
    private func outcomes(
      _ key: Int,
      _ steps: [CacheHistory.Step],
      _ before: Expected?
    ) -> (allowed: Set<CacheHistory.State>, mayBeAbsent: Bool, written: Int) {
      var current = before?.state
      var written = before?.written ?? 0
      var pending: CacheHistory.Step?
      for step in steps {
        if step.letter == "p" { written += CacheHistory.size(step.state.version) + 8192 }
        guard step.key == key else { continue }
        switch step.letter {
        case "I": current = nil
        case "P":
          current = step.state
          written = 0
        // An update of an evicted entry changes nothing.
        case "U": current = current.map { $0.version == step.state.version ? step.state : $0 }
        default: break
        }
        pending = step.letter.isLowercase ? step : nil
      }
      var allowed = Set([current].compactMap(\.self))
      if let pending, pending.letter != "i" { allowed.insert(pending.state) }
      let isEvictable = written > CacheHistory.capacity / 2
      return (allowed, current == nil || pending?.letter == "i" || isEvictable, written)
    }
  }
#endif
