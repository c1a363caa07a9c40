#if canImport(Glibc)
  import Dispatch
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachTransfers
  import TestSupport
  import Testing

  /// A transfer that has ended, or was let go of, leaves nothing behind.
  @Suite(.timeLimit(.minutes(15))) struct TransferMemoryTests {
    /// In processes of their own, so that their memory is that of these transfers alone.
    @Test func transfersLeaveNothing() async {
      await #expect(processExitsWith: .success) {
        try await checkTransfers()
        try await checkCallbacks()
      }
    }

    @Test func downloadsLeaveNothing() async throws {
      let scratch = try ScratchDirectory()
      await #expect(processExitsWith: .success) { [path = scratch.path as String] in
        try await checkDownloads(in: path)
        try await checkQueues(in: path)
      }
    }
  }

  private func client(_ answer: @escaping @Sendable (Request) async throws -> Response) throws -> Client {
    try Client(
      .standard(over: HandlerTransport(recordLimit: 0, answer), retry: nil),
      base: "http://h/"
    )
  }

  private func large() throws -> Client {
    try client { request in
      let source = try request.body.makeSource()
      while try await source.next() != nil {}
      return Response(.ok, fields: [.eTag: "\"1\"", .acceptRanges: "bytes"], body: .large())
    }
  }

  private func endless() throws -> Client {
    try client { _ in Response(.ok, fields: [.eTag: "\"1\"", .acceptRanges: "bytes"], body: .endless()) }
  }

  /// Waits for the first bytes.
  private func begins<Output>(_ transfer: Transfer<Output>) async {
    transfer.start()
    while transfer.progress.received.bytes == 0, transfer.outcome == nil { await Task.yield() }
  }

  private func checkTransfers() async throws {
    let (large, endless) = (try large(), try endless())
    try await expectNoGrowth("transfers") { _ in
      _ = try await large.transfer(.get("a"), as: .data).value()
    }
    try await expectNoGrowth("uploads") { _ in
      let body = Request.Body.bytes(Bytes([UInt8](repeating: 1, count: 64 << 10)))
      _ = try await large.transfer(.put("a", body: body), as: .data).value()
    }
    try await expectNoGrowth("transfers that are not started") { _ in
      let transfer = large.transfer(.get("a"), as: .data)
      transfer.onCompletion { [transfer] _ in _ = transfer.state }
      transfer.cancel()
      _ = large.transfer(.get("a"), as: .data).progressUpdates
    }
    try await expectNoGrowth("transfers that are cancelled") { _ in
      let transfer = endless.transfer(.get("a"), as: .data)
      await begins(transfer)
      transfer.cancel()
      try await failing { _ = try await transfer.value() }
    }
    try await expectNoGrowth("transfers that are paused and dropped") { _ in
      let transfer = endless.transfer(.get("a"), as: .data)
      await begins(transfer)
      transfer.pause()
    }
    try await expectNoGrowth("transfers that go on") { _ in
      let transfer = large.transfer(.get("a"), as: .data)
      transfer.start()
      transfer.pause()
      transfer.resume()
      transfer.start()
      _ = try await transfer.value()
    }
    try await expectNoGrowth("transfers with observers") { _ in
      let transfer = large.transfer(.get("a"), as: .data)
      let progress = transfer.foundationProgress()
      transfer.onProgress { [transfer] _ in _ = transfer.state }
      let states = transfer.states
      async let list = states.reduce(into: 0) { count, _ in count += 1 }
      await withCheckedContinuation { done in
        transfer.onCompletion { [transfer] _ in
          _ = transfer.state
          done.resume()
        }
        transfer.start()
      }
      _ = await (list, progress.fractionCompleted)
    }
  }

  private func checkCallbacks() async throws {
    let api = try CallbackClient { try large() }
    try await expectNoGrowth("calls with handlers") { _ in
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        api.get("a", as: .data) { _, _ in
          done.resume()
        } failure: { _, _ in
          done.resume()
        }
      }
    }
    let silent = try CallbackClient { try endless() }
    try await expectNoGrowth("calls with handlers that are cancelled") { _ in
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        let transfer = silent.get("a", as: .data) { _, _ in
          done.resume()
        } failure: { _, _ in
          done.resume()
        }
        transfer.cancel()
      }
    }
  }

  private func checkDownloads(in folder: String) async throws {
    let (large, endless) = (try large(), try endless())
    let file = FileResponseSerializer.file("\(folder)/a", existing: .overwrite)
    try await expectNoGrowth("downloads", count: 100) { _ in
      _ = try await large.download(.get("a"), to: file).value()
    }
    try await expectNoGrowth("downloads that are cancelled", count: 100) { _ in
      let download = endless.download(.get("a"), to: file)
      await begins(download)
      download.cancel(discarding: true)
      try await failing { _ = try await download.value() }
    }
    try await expectNoGrowth("downloads that are paused and dropped", count: 100) { number in
      let download = endless.download(.get("a"), to: .file("\(folder)/\(number)"))
      await begins(download)
      download.pause()
    }
    let origin = RangeOrigin(count: 3 << 20, chunkSize: 64 << 10)
    let client = try origin.client()
    // Each file has a thread of Dispatch, which keeps idle ones for some seconds.
    try await expectNoGrowth("downloads in parts", count: 10, limit: 20_000) { _ in
      _ = try await client.download(.get("a"), to: file, parts: 3).value()
    }
    try await expectNoGrowth("downloads that go on after they were cut", count: 20, limit: 20_000) { _ in
      origin.cut(after: 70_000)
      let first = client.download(.get("a"), to: file)
      try await failing { _ = try await first.value() }
      _ = try await first.makeRetry().value()
    }
    try await expectNoGrowth("downloads that fail", count: 100) { _ in
      let download = large.download(.get("a"), to: .file("\(folder)/absent/a"))
      try await failing { _ = try await download.value() }
    }
  }

  private func checkQueues(in folder: String) async throws {
    let (large, endless) = (try large(), try endless())
    let queue = TransferQueue(limit: 2, perOrigin: 1)
    try await expectNoGrowth("transfers of a queue", count: 100) { _ in
      for _ in 0..<4 { queue.add(large.transfer(.get("a"), as: .data)) }
      try await queue.waitUntilIdle()
    }
    try await expectNoGrowth("transfers of a queue that are cancelled", count: 100) { _ in
      for _ in 0..<4 { queue.add(endless.transfer(.get("a"), as: .data)) }
      queue.cancelAll()
      try await queue.waitUntilIdle()
    }
    try await expectNoGrowth("transfers of a queue that are paused and dropped", count: 100) { _ in
      for _ in 0..<4 {
        let transfer = endless.transfer(.get("a"), as: .data)
        queue.add(transfer)
        transfer.pause()
      }
      try await queue.waitUntilIdle()
    }
    let operations = OperationQueue()
    try await expectNoGrowth("operations", count: 100) { _ in
      let members = (0..<3).map { _ in TransferOperation(large.transfer(.get("a"), as: .data)) }
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        let batch = TransferOperation.batch(members) { _ in done.resume() }
        operations.addOperations(batch, waitUntilFinished: false)
      }
    }
    try await expectNoGrowth("operations that are dropped", count: 100) { _ in
      let members = (0..<3).map { _ in TransferOperation(large.transfer(.get("a"), as: .data)) }
      _ = TransferOperation.batch(members) { _ in }
      members[0].cancel()
    }
  }
#endif
