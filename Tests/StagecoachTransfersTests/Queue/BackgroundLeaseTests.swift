import StagecoachCore
import StagecoachSerializers
import Synchronization
import TestSupport
import Testing

@testable import StagecoachTransfers

@Suite(.timeLimit(.minutes(2))) struct BackgroundLeaseTests {
  private final class FakeLease: BackgroundLease {
    let log: Log<String>
    private let ended = Signal()
    private let expiration = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ log: Log<String> = Log()) {
      self.log = log
    }

    func begin(expiration: @escaping @Sendable () -> Void) {
      log.add("begin")
      self.expiration.withLock { $0 = expiration }
    }

    func end() {
      log.add("end")
      ended.set()
    }

    func expire() { expiration.withLock { $0 }?() }
    func waitForEnd() async { await ended.wait() }
  }

  private let held = HeldRequests()

  @Test func theLeaseEndsWithItsTransfer() async throws {
    let transfer = try held.client().transfer(.get("a"), as: .text)
    let lease = FakeLease()
    #expect(transfer.keepAlive(with: lease) { Issue.record("it expired") })
    transfer.start()
    await held.arrived(1)
    #expect(lease.log.all == ["begin"])
    held.answer("/a")
    _ = try await transfer.value()
    await lease.waitForEnd()
    // Nothing comes after the end, although the transfer still exists.
    lease.expire()
    #expect(lease.log.all == ["begin", "end"])
    #expect(!transfer.isCancelled)
  }

  @Test func onExpiryTheHandlerIsCalledThenTheTransferIsCancelledThenTheLeaseEnds() async throws {
    let transfer = try held.client().transfer(.get("a"), as: .text)
    let log = Log<String>()
    let lease = FakeLease(log)
    transfer.keepAlive(with: lease) { [weak transfer] in
      log.add("handler, cancelled: \(transfer?.isCancelled ?? true)")
    }
    transfer.start()
    await held.arrived(1)
    lease.expire()
    lease.expire()
    #expect(transfer.isCancelled)
    await #expect(throws: CancellationError.self) { try await transfer.value() }
    await lease.waitForEnd()
    #expect(log.all == ["begin", "handler, cancelled: false", "end"])
  }

  @Test func aTransferHasOneLease() async throws {
    let transfer = try held.client().transfer(.get("a"), as: .text)
    let (first, second) = (FakeLease(), FakeLease())
    #expect(transfer.keepAlive(with: first))
    #expect(!transfer.keepAlive(with: second))
    transfer.pause()
    #expect(first.log.all == ["begin"])
    transfer.cancel()
    await first.waitForEnd()
    #expect(second.log.all.isEmpty)
    let other = try held.client().transfer(.get("b"), as: .text)
    other.cancel()
    await other.reaches(.finished)
    #expect(!other.keepAlive(with: second))
    #expect(second.log.all.isEmpty)
  }

  @Test func theLeaseEndsWhenAnIdleTransferIsReleased() async throws {
    let lease = FakeLease()
    do {
      let transfer = try held.client().transfer(.get("a"), as: .text)
      transfer.keepAlive(with: lease)
      transfer.pause()
    }
    await lease.waitForEnd()
    #expect(lease.log.all == ["begin", "end"])
    lease.expire()
  }
}
