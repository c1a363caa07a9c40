import Foundation
import StagecoachCore
import StagecoachSerializers
import StagecoachTransfers
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct CompletionHandlerTests {
  /// Says whether it was released on a callback queue.
  private final class Witness: Sendable {
    let released: Log<Bool>
    init(_ released: Log<Bool>) { self.released = released }
    deinit { released.add(Serial.isCurrent) }
    func touch() {}
  }

  @Test func aHandlerIsCalledOnceOnItsQueue() async throws {
    let transfer = try PacedOrigin().client().transfer(.get("a"), as: .data)
    let (serial, calls) = (Serial(), Log<(Int?, Bool)>())
    transfer.onCompletion(on: serial.queue) { calls.add(((try? $0.get())?.count, Serial.isCurrent)) }
    #expect(calls.all.isEmpty)
    _ = try await transfer.value()
    transfer.cancel()
    await serial.drain()
    #expect(calls.all.map(\.0) == [1000])
    #expect(calls.all.map(\.1) == [true])
  }

  @Test(arguments: ["a", "missing"])
  func oneOfThePairIsCalled(path: String) async throws {
    let transfer = try PacedOrigin().client().transfer(.get(path), as: .data)
    let (serial, calls) = (Serial(), Log<String>())
    transfer.onCompletion(on: serial.queue) {
      calls.add("success \($0.count)")
    } failure: {
      calls.add("failure \(($0 as? ExchangeError).map { "\($0.kind)" } ?? "")")
    }
    _ = try? await transfer.value()
    await serial.drain()
    #expect(calls.all == [path == "a" ? "success 1000" : "failure status"])
  }

  @Test func cancellationIsAFailureInEveryState() async throws {
    let origin = PacedOrigin(isHeld: true)
    let client = try origin.client()
    let (serial, calls) = (Serial(), Log<Bool>())
    for state in [TransferState.ready, .executing, .paused] {
      let transfer = client.transfer(.get("a"), as: .data)
      transfer.onCompletion(on: serial.queue) { _ in
        calls.add(false)
      } failure: {
        calls.add($0 is CancellationError)
      }
      if state != .ready { transfer.start() }
      if state == .paused { transfer.pause() }
      #expect(transfer.state == state)
      transfer.cancel()
      transfer.cancel()
      _ = try? await transfer.value()
      await serial.drain()
    }
    #expect(calls.all == [true, true, true])
  }

  @Test func aLateHandlerIsCalledLater() async throws {
    let transfer = try PacedOrigin().client().transfer(.get("a"), as: .data)
    _ = try await transfer.value()
    let (serial, calls) = (Serial(isHeld: true), Log<Int>())
    transfer.onCompletion(on: serial.queue) { _ in calls.add(1) }
    transfer.onCompletion(on: serial.queue) { _ in calls.add(2) }
    #expect(calls.all.isEmpty)
    serial.release()
    await serial.drain()
    #expect(calls.all == [1, 2])
  }

  @Test func noCycleSurvivesTheEnd() async throws {
    weak var released: Transfer<Bytes>?
    let serial = Serial()
    do {
      let transfer = try PacedOrigin().client().transfer(.get("a"), as: .data)
      released = transfer
      transfer.onCompletion(on: serial.queue) { _ in _ = transfer.state }
      transfer.onProgress(on: serial.queue) { _ in _ = transfer.state }
      _ = try await transfer.value()
      await serial.drain()
    }
    while released != nil { await Task.yield() }
  }

  @Test func whatAHandlerCapturedIsReleasedOnItsQueue() async throws {
    let released = Log<Bool>()
    for _ in 0..<200 {
      let transfer = try PacedOrigin().client().transfer(.get("a"), as: .data)
      let serial = Serial()
      register(on: transfer, serial, released)
      _ = try await transfer.value()
      await serial.drain()
    }
    #expect(released.all == [Bool](repeating: true, count: 400))
  }

  private func register(on transfer: Transfer<Bytes>, _ serial: Serial, _ released: Log<Bool>) {
    transfer.onCompletion(on: serial.queue, Self.completion(released))
    transfer.onProgress(on: serial.queue, Self.progress(released))
  }

  private static func completion(_ released: Log<Bool>) -> @Sendable (Transfer<Bytes>.Outcome) -> Void {
    let witness = Witness(released)
    return { _ in witness.touch() }
  }

  private static func progress(_ released: Log<Bool>) -> @Sendable (TransferProgress) -> Void {
    let witness = Witness(released)
    return { _ in witness.touch() }
  }

  @Test func aGroupSeesThatAllHandlersHaveReturned() async throws {
    let client = try PacedOrigin().client()
    let (group, returned) = (DispatchGroup(), Counter())
    let serials = (0..<10).map { _ in Serial(isHeld: true) }
    for serial in serials {
      let transfer = client.transfer(.get("a"), as: .data)
      transfer.onCompletion(on: serial.queue, in: group) { _ in returned.add() }
      transfer.start()
    }
    for serial in serials { serial.release() }
    await withCheckedContinuation { continuation in
      group.notify(queue: .global()) { continuation.resume() }
    }
    #expect(returned.value == 10)
  }

  @Test func aTransferThatNeverRanLeavesTheGroup() async throws {
    let group = DispatchGroup()
    try PacedOrigin().client().transfer(.get("a"), as: .data).onCompletion(in: group) { _ in }
    await withCheckedContinuation { continuation in
      group.notify(queue: .global()) { continuation.resume() }
    }
  }

  @Test func handlersOnAnOperationQueueAreCalledToo() async throws {
    let transfer = try PacedOrigin().client().transfer(.get("a"), as: .data)
    let done = Signal()
    transfer.onCompletion(on: CallbackQueue(OperationQueue())) { _ in done.set() }
    transfer.start()
    await done.wait()
  }

  @Test func handlersThatRaceWithTheEndAreEachCalledOnce() async throws {
    let client = try PacedOrigin(size: 1).client()
    let serial = Serial()
    for _ in 0..<300 {
      let transfer = client.transfer(.get("a"), as: .data)
      let calls = Counter()
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask { transfer.onCompletion(on: serial.queue) { _ in calls.add() } }
        }
        group.addTask { transfer.start() }
        group.addTask { transfer.cancel() }
      }
      _ = try? await transfer.value()
      await serial.drain()
      #expect(calls.value == 4)
    }
  }
}
