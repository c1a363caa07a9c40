#if Tool && CURL
  import ArgumentParser
  import Foundation
  import Stagecoach
  import Synchronization

  /// The process that may end or hang: it sends inputs, and tells of each in a journal.
  struct Child: AsyncParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    @Option var engine: FuzzEngine
    @Option var seed: UInt64 = 0
    @Option var first = 0
    @Option var count = 0
    @Option var lanes = 1
    @Option var journal: String
    /// A finding whose inputs are sent in place of new ones.
    @Option var finding: String?
    /// The time since 1970 at which no more inputs are begun.
    @Option var end = Double.infinity

    func run() async throws {
      endWithParent()
      let journal = try Journal(path: journal)
      journal.begin("start")
      let next = try source()
      let shared = try Lane.Shared(engine)
      journal.end("start", "")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<lanes {
          group.addTask {
            let lane = try await Lane(shared)
            while let input = next() {
              journal.begin("\(input.number)")
              journal.end("\(input.number)", await lane.call(input))
            }
            await lane.end()
          }
        }
        try await group.waitForAll()
      }
      journal.begin("shutdown")
      await shared.shutdown()
      journal.end("shutdown", "")
    }

    /// Ends this process with the one that watches it: nobody else would if it hangs.
    private func endWithParent() {
      let parent = getppid()
      Thread.detachNewThread {
        while getppid() == parent { Thread.sleep(forTimeInterval: 1) }
        _exit(1)
      }
    }

    /// What gives the next input, or nil at the end.
    private func source() throws -> @Sendable () -> Input? {
      let position = Counter()
      if let finding {
        let inputs = try Finding.read(finding).inputs
        return {
          let index = position.next()
          return index < inputs.count ? inputs[index] : nil
        }
      }
      let maker = InputMaker(http2: engine.http2, seed: seed, seeds: try Seeds())
      let (first, count, end) = (first, count, end)
      return {
        let index = position.next()
        guard index < count, Date().timeIntervalSince1970 < end else { return nil }
        return maker.make(first + index)
      }
    }
  }

  /// Counts from 0.
  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        defer { count += 1 }
        return count
      }
    }
  }
#endif
