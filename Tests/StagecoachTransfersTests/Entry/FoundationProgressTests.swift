import Foundation
import StagecoachCore
import StagecoachSerializers
import StagecoachTransfers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct FoundationProgressTests {
  @Test func progressEndsAtExactlyOne() async throws {
    let transfer = try PacedOrigin().client().transfer(.get("a"), as: .data)
    let serial = Serial()
    let progress = transfer.foundationProgress(on: serial.queue)
    #expect(progress.totalUnitCount == -1 && progress.isIndeterminate)
    #expect(progress.isCancellable && progress.isPausable)
    #expect(progress.fractionCompleted == 0)
    _ = try await transfer.value()
    await serial.drain()
    #expect(progress.totalUnitCount == 1000 && progress.completedUnitCount == 1000)
    #expect(progress.fractionCompleted == 1 && progress.isFinished)
    #expect(!progress.isCancelled && !progress.isPaused)
  }

  @Test func anUploadCountsWhatIsSent() async throws {
    let transfer = try PacedOrigin().client().transfer(
      .put("a", body: .bytes(Bytes([UInt8](repeating: 1, count: 700)))),
      as: .ignored
    )
    let serial = Serial()
    let progress = transfer.foundationProgress(of: \.sent, on: serial.queue)
    _ = try await transfer.value()
    await serial.drain()
    #expect(progress.isFinished)
    #expect(progress.completedUnitCount == transfer.progress.sent.bytes || progress.completedUnitCount == 1)
  }

  @Test func aChildIsItsShareOfTheParent() async throws {
    let client = try PacedOrigin().client()
    let serial = Serial()
    let parent = Progress.discreteProgress(totalUnitCount: 100)
    let first = client.transfer(.get("a"), as: .data)
    parent.addChild(first.foundationProgress(on: serial.queue), withPendingUnitCount: 80)
    #expect(parent.fractionCompleted == 0)
    _ = try await first.value()
    await serial.drain()
    #expect(parent.fractionCompleted == 0.8)
    #expect(parent.completedUnitCount == 80)
    let second = client.transfer(.get("missing"), as: .data)
    parent.addChild(second.foundationProgress(on: serial.queue), withPendingUnitCount: 20)
    _ = try? await second.value()
    await serial.drain()
    #expect(parent.fractionCompleted == 0.8)
    #expect(!parent.isFinished)
  }

  @Test func anEmptyTransferIsOneUnit() async throws {
    let transfer = try PacedOrigin(size: 0).client().transfer(.get("a"), as: .data)
    let serial = Serial()
    let parent = Progress.discreteProgress(totalUnitCount: 10)
    parent.addChild(transfer.foundationProgress(on: serial.queue), withPendingUnitCount: 10)
    _ = try await transfer.value()
    await serial.drain()
    #expect(parent.isFinished && parent.fractionCompleted == 1)
  }

  @Test(arguments: [false, true])
  func progressControlsTheTransferAlsoFromAParent(isByParent: Bool) async throws {
    let origin = PacedOrigin(isHeld: true)
    let transfer = try origin.client().transfer(.get("a"), as: .data)
    let serial = Serial()
    let progress = transfer.foundationProgress(on: serial.queue)
    let parent = Progress.discreteProgress(totalUnitCount: 10)
    parent.addChild(progress, withPendingUnitCount: 10)
    let control = isByParent ? parent : progress
    transfer.start()
    await origin.requests(atLeast: 1)
    control.pause()
    #expect(transfer.state == .paused && progress.isPaused)
    control.resume()
    #expect(transfer.state == .executing && !progress.isPaused)
    await origin.requests(atLeast: 2)
    control.cancel()
    await #expect(throws: CancellationError.self) { try await transfer.value() }
    #expect(progress.isCancelled)
    #expect(!progress.isFinished)
  }

  @Test func progressShowsPauseResumeAndCancellation() async throws {
    let origin = PacedOrigin(isHeld: true)
    let transfer = try origin.client().transfer(.get("a"), as: .data)
    let progress = transfer.foundationProgress()
    transfer.start()
    transfer.pause()
    #expect(progress.isPaused)
    transfer.resume()
    #expect(!progress.isPaused)
    transfer.cancel()
    #expect(progress.isCancelled)
  }

  @Test func progressDoesNotRetainTheTransfer() async throws {
    weak var released: Transfer<Bytes>?
    let progress: Progress
    do {
      let transfer = try PacedOrigin().client().transfer(.get("a"), as: .data)
      released = transfer
      progress = transfer.foundationProgress()
    }
    #expect(released == nil)
    progress.pause()
    progress.cancel()
    #expect(progress.isCancelled && progress.isPaused)
  }
}
