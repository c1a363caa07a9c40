import Foundation
import HTTPTypes
import StagecoachCore
import StagecoachSerializers
import StagecoachStages
import StagecoachTransfers
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct TransferTests {
  private func data(_ transfer: Transfer<Bytes>) async throws -> [UInt8] {
    let bytes = try await transfer.value()
    return bytes.withUnsafeBytes { Array($0) }
  }

  @Test func aTransferStartsOnceAndHasOneOutcome() async throws {
    let origin = RangeOrigin(count: 5000)
    let transfer = try origin.client().transfer(.get("file"), as: .data)
    #expect(transfer.state == .ready)
    #expect(transfer.outcome == nil)
    #expect(transfer.start())
    #expect(!transfer.start())
    #expect(!transfer.resume())
    #expect(try await data(transfer) == origin.content)
    #expect(try await data(transfer) == origin.content)
    #expect(transfer.state == .finished)
    #expect(!transfer.start() && !transfer.pause() && !transfer.resume() && !transfer.cancel())
    #expect(!transfer.isCancelled)
    #expect(origin.requests.count == 1)
    #expect(transfer.response?.status == .ok)
    #expect(transfer.progress.received.bytes == 5000)
    #expect(transfer.progress.received.fraction == 1)
  }

  @Test func everyObserverSeesTheCurrentStateFirst() async throws {
    let origin = RangeOrigin(count: 5000)
    let held = origin.hold(after: 2000)
    let transfer = try origin.client().transfer(.get("file"), as: .data)
    let first = transfer.states
    let updates = transfer.progressUpdates
    transfer.start()
    await held.wait()
    let second = transfer.states
    #expect(transfer.pause())
    #expect(transfer.resume())
    _ = try await transfer.value()
    let third = transfer.states
    func all<Value>(_ stream: AsyncStream<Value>) async -> [Value] {
      var values: [Value] = []
      for await value in stream { values.append(value) }
      return values
    }
    #expect(await all(first) == [.ready, .executing, .paused, .ready, .executing, .finished])
    #expect(await all(second) == [.executing, .paused, .ready, .executing, .finished])
    #expect(await all(third) == [.finished])
    #expect(await all(updates).last?.received.bytes == 5000)
  }

  @Test func aPausedTransferGoesOnFromItsBytes() async throws {
    let origin = RangeOrigin(count: 5000)
    let held = origin.hold(after: 2000)
    let probe = EventRecorder()
    let transfer = try origin.client(.init(monitors: [probe])).transfer(.get("file"), as: .data)
    transfer.start()
    await held.wait()
    #expect(transfer.pause())
    #expect(!transfer.pause())
    #expect(transfer.state == .paused)
    #expect(transfer.resume())
    #expect(try await data(transfer) == origin.content)
    #expect(origin.ranges == [nil, "bytes=2000-"])
    #expect(origin.requests.last?.fields[.ifRange] == "\"v1\"")
    #expect(origin.sent == 5000)
    #expect(transfer.progress.received == .init(bytes: 5000, total: 5000, rate: 0))
    #expect(transfer.progress.restarts == 0)
  }

  @Test func withoutAStrongValidatorAResumeStartsAgain() async throws {
    let origin = RangeOrigin(count: 5000)
    origin.change { $0.tag = "W/\"v1\"" }
    let held = origin.hold(after: 2000)
    let transfer = try origin.client().transfer(.get("file"), as: .data)
    transfer.start()
    await held.wait()
    transfer.pause()
    transfer.resume()
    #expect(try await data(transfer) == origin.content)
    #expect(origin.ranges == [nil, nil])
    #expect(transfer.progress.restarts == 1)
    #expect(transfer.progress.received.bytes == 5000)
  }

  @Test func aRequestThatIsNotIdempotentIsNotSentTwice() async throws {
    let origin = RangeOrigin(count: 5000)
    func paused(_ request: Request) async throws -> Transfer<Bytes> {
      let held = origin.hold(after: 2000)
      let transfer = try origin.client().transfer(request, as: .data)
      transfer.start()
      await held.wait()
      transfer.pause()
      transfer.resume()
      return transfer
    }
    let refused = try await paused(.post("orders", body: .bytes("one")))
    let error = await #expect(throws: ExchangeError.self) { try await refused.value() }
    #expect(error?.kind == .policy)
    #expect(error?.message.contains("POST") == true)
    #expect(origin.requests.count == 1)

    let allowed = try await paused(.post("orders", body: .bytes("one")).with(\.isIdempotent, true))
    #expect(try await data(allowed) == origin.content)

    let once = Request.Body.oneShot(AsyncStream<Bytes> { $0.finish() }, length: nil)
    var request = Request.put("film", body: once)
    request.options.isIdempotent = true
    // The transport of this test reads no content, so it is opened here.
    _ = try request.body.makeSource()
    let spent = try await paused(request)
    let other = await #expect(throws: ExchangeError.self) { try await spent.value() }
    #expect(other?.kind == .bodyNotReplayable)
    #expect(throws: ExchangeError.self) { try spent.makeRetry() }
  }

  enum Moment: CaseIterable { case ready, executing, paused, pausedBeforeStart, resumed }

  @Test(arguments: Moment.allCases)
  func cancellingWorksInEveryState(moment: Moment) async throws {
    let origin = RangeOrigin(count: 5000)
    let held = origin.hold(after: 2000)
    let transfer = try origin.client().transfer(.get("file"), as: .data)
    switch moment {
    case .ready: break
    case .pausedBeforeStart: transfer.pause()
    case .executing, .paused, .resumed:
      transfer.start()
      await held.wait()
      if moment != .executing { transfer.pause() }
      if moment == .resumed { transfer.resume() }
    }
    #expect(transfer.cancel())
    #expect(!transfer.cancel())
    #expect(transfer.isCancelled)
    #expect(!transfer.start() && !transfer.pause() && !transfer.resume())
    await #expect(throws: CancellationError.self) { try await transfer.value() }
    #expect(transfer.state == .finished)
    #expect(transfer.failure is CancellationError)
    if [.ready, .pausedBeforeStart].contains(moment) { #expect(origin.requests.isEmpty) }
  }

  @Test func cancellingTheWaitingTaskCancelsTheTransfer() async throws {
    let origin = RangeOrigin(count: 5000)
    let held = origin.hold(after: 2000)
    let transfer = try origin.client().transfer(.get("file"), as: .data)
    let task = Task { try await transfer.value() }
    await held.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(transfer.isCancelled)
  }

  @Test func aFailedTransferIsFinishedAndCanBeMadeAgain() async throws {
    let origin = RangeOrigin(count: 5000)
    origin.cut(after: 2000)
    let transfer = try origin.client().transfer(.get("file"), as: .data)
    let error = await #expect(throws: ExchangeError.self) { try await transfer.value() }
    #expect(error?.kind == .connectionReset)
    #expect(transfer.state == .finished)
    let retry = try transfer.makeRetry()
    #expect(retry.id != transfer.id)
    #expect(retry.state == .ready)
    #expect(try await data(retry) == origin.content)
  }

  @Test func anErrorOfTheSinkFailsTheTransfer() async throws {
    struct Full: Error {}
    final class Sink: TransferSink {
      let limit: Int
      let bytes = Mutex<[UInt8]>([])
      init(limit: Int) { self.limit = limit }
      func write(_ chunk: Bytes) throws {
        try bytes.withLock { bytes in
          guard bytes.count + chunk.count <= limit else { throw Full() }
          chunk.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
      }
      func empty() { bytes.withLock { $0 = [] } }
      func finish(_ head: HTTPResponse) -> Int { bytes.withLock(\.count) }
    }
    let origin = RangeOrigin(count: 5000)
    // Also the very last chunk.
    for limit in [0, 2500, 4999] {
      let transfer = try origin.client().transfer(.get("file"), into: Sink(limit: limit))
      let error = await #expect(throws: ExchangeError.self) { try await transfer.value() }
      #expect(error?.underlying is Full)
      #expect(error?.stage == "Sink")
    }
    let sink = Sink(limit: 5000)
    origin.change { $0.tag = nil }
    let held = origin.hold(after: 2000)
    let transfer = try origin.client().transfer(.get("file"), into: sink)
    transfer.start()
    await held.wait()
    transfer.pause()
    transfer.resume()
    #expect(try await transfer.value() == 5000)
    #expect(sink.bytes.withLock { $0 } == origin.content)
  }

  @Test func theDescriptionTellsTheStateAndNoSecret() async throws {
    let origin = RangeOrigin(count: 10)
    var request = Request.get("file?token=s3cret")
    request.fields[.authorization] = "Bearer s3cret"
    let transfer = try origin.client().transfer(request, as: .data)
    #expect("\(transfer)".contains("(ready): GET file"))
    _ = try await transfer.value()
    #expect("\(transfer)".contains("(finished)"))
    #expect("\(transfer)".contains(", 200, received 10 of 10 bytes"))
    #expect(!"\(transfer)".contains("s3cret"))
  }

  @Test func aReleasedTransferEndsItsSequences() async throws {
    let origin = RangeOrigin(count: 10)
    var transfer: Transfer<Bytes>? = try origin.client().transfer(.get("file"), as: .data)
    let states = try #require(transfer?.states)
    let updates = try #require(transfer?.progressUpdates)
    weak let weakly = transfer
    transfer = nil
    #expect(weakly == nil)
    for await state in states { #expect(state == .ready) }
    for await update in updates { #expect(update == TransferProgress()) }
  }

  /// Pauses, resumes and cancels from many threads.
  @Test(.timeLimit(.minutes(30))) func stormsOfPausesAndCancellationsEndOnce() async throws {
    // `STAGECOACH_SOAK_STORMS=10000` is the long form.
    let rounds = ProcessInfo.processInfo.environment["STAGECOACH_SOAK_STORMS"].flatMap(Int.init) ?? 200
    let origin = RangeOrigin(count: 20_000, chunkSize: 500)
    let client = try origin.client()
    for round in 0..<rounds {
      let transfer = client.transfer(.get("file"), as: .data)
      let isCancelled = round % 3 == 0
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<64 {
          group.addTask {
            for step in 0..<4 {
              switch (worker + step) % 4 {
              case 0: transfer.start()
              case 1: transfer.pause()
              case 2: transfer.resume()
              default: if isCancelled, step == 3 { transfer.cancel() } else { transfer.pause() }
              }
              await Task.yield()
            }
          }
        }
      }
      // It may have come to its end before.
      if transfer.isCancelled {
        await #expect(throws: CancellationError.self) { try await transfer.value() }
      } else {
        transfer.resume()
        #expect(try await data(transfer) == origin.content)
      }
      #expect(transfer.state == .finished)
    }
  }
}
