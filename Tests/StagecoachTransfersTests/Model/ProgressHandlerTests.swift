import StagecoachCore
import StagecoachSerializers
import TestSupport
import Testing

@testable import StagecoachTransfers

@Suite(.timeLimit(.minutes(2))) struct ProgressHandlerTests {
  private func progress(_ bytes: Int64) -> TransferProgress {
    var progress = TransferProgress()
    progress.received.bytes = bytes
    return progress
  }

  @Test func oneCallWaitsAndGetsTheNewest() async {
    let (serial, bytes) = (Serial(isHeld: true), Log<Int64>())
    let handler = ProgressHandler(serial.queue) { bytes.add($0.received.bytes) }
    handler.note(progress(0))
    for count in 1...100 { handler.note(progress(Int64(count))) }
    serial.release()
    await serial.drain()
    #expect(bytes.all == [100])
    handler.note(progress(100))
    handler.note(progress(101))
    await serial.drain()
    #expect(bytes.all == [100, 101])
  }

  @Test func changesDuringACallAreReportedByTheNext() async {
    let (serial, bytes) = (Serial(), Log<Int64>())
    let (entered, proceed) = (Signal(), Log<Bool>())
    let handler = ProgressHandler(serial.queue) { progress in
      bytes.add(progress.received.bytes)
      entered.set()
      while progress.received.bytes == 1, proceed.all.isEmpty {}
    }
    handler.note(progress(1))
    await entered.wait()
    handler.note(progress(2))
    handler.note(progress(3))
    proceed.add(true)
    await serial.drain()
    await serial.drain()
    #expect(bytes.all == [1, 3])
  }

  @Test func reportsTheLastProgressOnce() async {
    let (serial, bytes) = (Serial(isHeld: true), Log<Int64>())
    let handler = ProgressHandler(serial.queue) { bytes.add($0.received.bytes) }
    handler.note(progress(1))
    handler.finish(progress(2))
    handler.note(progress(3))
    serial.release()
    await serial.drain()
    await serial.drain()
    #expect(bytes.all.count == 1)
  }

  @Test func progressComesInOrderAndBeforeTheCompletion() async throws {
    let client = try PacedOrigin(size: 1 << 20).client()
    for _ in 0..<50 {
      let transfer = client.transfer(
        .put("a", body: .bytes(Bytes([UInt8](repeating: 1, count: 5000)))),
        as: .data
      )
      let (serial, calls, completion) = (Serial(), Log<TransferProgress?>(), Signal())
      transfer.onCompletion(on: serial.queue) { _ in
        calls.add(nil)
        completion.set()
      }
      transfer.onProgress(on: serial.queue) { calls.add($0) }
      _ = try await transfer.value()
      // Handlers are called after the end, not before it.
      await completion.wait()
      await serial.drain()
      let all = calls.all
      #expect(all.last == .some(nil))
      let bytes = all.compactMap { $0?.received.bytes }
      #expect(bytes == bytes.sorted())
      #expect(bytes.last == 1 << 20)
      #expect(all.dropLast().last??.received.fraction == 1)
      #expect(all.count { $0 == nil } == 1)
    }
  }

  @Test func aLateHandlerGetsTheLastProgress() async throws {
    let transfer = try PacedOrigin().client().transfer(.get("a"), as: .data)
    _ = try await transfer.value()
    let (serial, bytes) = (Serial(), Log<Int64>())
    transfer.onProgress(on: serial.queue) { bytes.add($0.received.bytes) }
    await serial.drain()
    #expect(bytes.all == [1000])
  }
}
