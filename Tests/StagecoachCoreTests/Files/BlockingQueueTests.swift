import Testing

@testable import StagecoachCore

@Suite struct BlockingQueueTests {
  private final class Held: Sendable {}

  private func use(_ queue: BlockingQueue) async throws -> Weak {
    let held = Held()
    #expect(try await queue.run { ObjectIdentifier(held) } == ObjectIdentifier(held))
    return Weak(held: held)
  }

  private struct Weak {
    weak var held: Held?
  }

  @Test func whatWorkHoldsIsLetGoBeforeItsResultIsThere() async throws {
    let queue = BlockingQueue(label: "test")
    for _ in 0..<2000 {
      #expect(try await use(queue).held == nil)
    }
  }
}
