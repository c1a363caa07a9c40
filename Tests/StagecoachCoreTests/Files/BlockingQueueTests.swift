import Testing

@testable import StagecoachCore

@Suite struct BlockingQueueTests {
  private final class Held: Sendable {}

  private func use(_ queue: BlockingQueue) async -> Weak {
    let held = Held()
    #expect(await queue.run { ObjectIdentifier(held) } == ObjectIdentifier(held))
    return Weak(held: held)
  }

  private struct Weak {
    weak var held: Held?
  }

  @Test func workIsReleasedBeforeItsResultIsReturned() async {
    let queue = BlockingQueue(label: "test")
    for _ in 0..<2000 {
      #expect(await use(queue).held == nil)
    }
  }
}
