import Dispatch
import Foundation
import HTTPTypes
import Stagecoach
import StagecoachTransfers
import Synchronization
import TestSupport
import Testing

/// Lists, cancelling, invalidation and reset (C4, 2.12).
@Suite(.timeLimit(.minutes(2))) struct CallbackClientLifeTests {
  private let queue = DispatchQueue(label: "test")

  /// A client of which each new one has a transport of its own.
  private func makeAPI(_ transports: Log<GatedReplies>) throws -> CallbackClient {
    try CallbackClient(callbackQueue: CallbackQueue(queue)) {
      let transport = GatedReplies()
      transports.add(transport)
      return try Client(owning: Pipeline(over: transport, stages: []), base: "http://h/v1/")
    }
  }

  private func get(_ api: CallbackClient, _ reference: String = "a") -> (Transfer<Bytes>, HandlerLog<Bytes>) {
    let log = HandlerLog<Bytes>()
    return (api.get(reference, as: .data, success: log.success, failure: log.failure), log)
  }

  @Test func listsTransfersByKind() async throws {
    let (transports, folder) = (Log<GatedReplies>(), try ScratchDirectory())
    let api = try makeAPI(transports)
    let (data, log) = get(api)
    let (uploadLog, fileLog) = (HandlerLog<Bytes>(), HandlerLog<SavedFile>())
    let upload = api.upload(
      .put("b"),
      .data(Bytes("x")),
      as: .data,
      success: uploadLog.success,
      failure: uploadLog.failure
    )
    let download = api.download(
      .get("c"),
      to: .file("\(folder.path)/c"),
      success: { [weak api] transfer, file in
        // Where the handler runs, the transfer is not under way any more.
        #expect(api?.downloads.isEmpty == true)
        fileLog.success(transfer, file)
      },
      failure: fileLog.failure
    )
    #expect(api.transfers.map(\.id) == [data.id, upload.id, download.id])
    #expect(api.uploads.map(\.id) == [upload.id])
    #expect(api.downloads.map(\.id) == [download.id])
    transports.all[0].open()
    _ = try await (log.value(), uploadLog.value())
    #expect(try await fileLog.value().size == 4)
    await drain(queue)
    #expect(api.transfers.isEmpty)
  }

  @Test func cancelsByMethodAndPath() async throws {
    let transports = Log<GatedReplies>()
    let api = try makeAPI(transports)
    let (_, first) = get(api, "users?page=1")
    let (_, second) = get(api, "films")
    let third = HandlerLog<Bytes>()
    api.post("users", as: .data, success: third.success, failure: third.failure)
    await transports.all[0].arrived(3)
    api.cancelAll { $0.method == .get && $0.path?.hasPrefix("/v1/users") == true }
    let error = try #require(await first.error())
    #expect(error is CancellationError)
    let bridged = NSError(bridging: error)
    #expect((bridged.domain, bridged.code) == (NSURLErrorDomain, NSURLErrorCancelled))
    #expect(api.transfers.count == 2)
    transports.all[0].open()
    #expect(try await second.value() == "body")
    #expect(try await third.value() == "body")
    await drain(queue)
    #expect([first, second, third].map(\.ends) == [1, 1, 1])
  }

  @Test func cancelAllEndsPausedTransfersToo() async throws {
    let transports = Log<GatedReplies>()
    let api = try makeAPI(transports)
    let (paused, log) = get(api)
    let (_, other) = get(api)
    await transports.all[0].arrived(2)
    #expect(paused.pause())
    api.cancelAll()
    #expect(await log.error() is CancellationError)
    #expect(await other.error() is CancellationError)
    #expect(api.transfers.isEmpty)
  }

  // MARK: Invalidation

  @Test func invalidationCancelsTransfers() async throws {
    let transports = Log<GatedReplies>()
    let api = try makeAPI(transports)
    let (paused, first) = get(api)
    let (_, second) = get(api)
    await transports.all[0].arrived(2)
    paused.pause()
    let completed = Signal()
    api.invalidate(cancelling: true) { [transport = transports.all[0]] in
      // Last, on the same queue.
      #expect(transport.isShutDown)
      #expect([first, second].map(\.ends) == [1, 1])
      completed.set()
    }
    let (_, later) = get(api)
    #expect(await later.kind() == .shutdown)
    #expect(await first.error() is CancellationError)
    #expect(await second.error() is CancellationError)
    await completed.wait()
    #expect(api.transfers.isEmpty)
    #expect(transports.all.count == 1)
  }

  @Test func invalidationLetsRunningTransfersEnd() async throws {
    let transports = Log<GatedReplies>()
    let api = try makeAPI(transports)
    let (paused, first) = get(api)
    let (_, second) = get(api)
    await transports.all[0].arrived(2)
    paused.pause()
    let completed = Signal()
    api.invalidate(cancelling: false) { completed.set() }
    let (_, refused) = get(api)
    #expect(await refused.kind() == .shutdown)
    transports.all[0].open()
    #expect(try await second.value() == "body")
    #expect(!transports.all[0].isShutDown)
    // What is paused is under way too.
    #expect(api.transfers.map(\.id) == [paused.id])
    #expect(paused.resume())
    #expect(try await first.value() == "body")
    await completed.wait()
    #expect(transports.all[0].isShutDown)
  }

  @Test func whatWasLetRunCanBeCancelledLater() async throws {
    let transports = Log<GatedReplies>()
    let api = try makeAPI(transports)
    let (_, log) = get(api)
    await transports.all[0].arrived(1)
    let (first, second) = (Signal(), Signal())
    api.invalidate(cancelling: false) { first.set() }
    api.invalidate(cancelling: true) { second.set() }
    #expect(await log.error() is CancellationError)
    await first.wait()
    await second.wait()
  }

  @Test func invalidationOfAnIdleClientCompletes() async throws {
    let transports = Log<GatedReplies>()
    let api = try makeAPI(transports)
    await withCheckedContinuation { continuation in
      api.invalidate(cancelling: false) { continuation.resume() }
    }
    #expect(transports.all[0].isShutDown)
    await #expect(throws: ExchangeError.self) { try await api.client.get("a", as: .data) }
  }

  // MARK: Reset

  @Test(arguments: [true, false])
  func resetGoesOnWithANewClient(cancelling: Bool) async throws {
    let transports = Log<GatedReplies>()
    let api = try makeAPI(transports)
    let before = api.client
    let (_, old) = get(api)
    await transports.all[0].arrived(1)
    let completed = Signal()
    try api.reset(cancelling: cancelling) { completed.set() }
    #expect(api.client !== before)
    transports.all[1].open()
    let (_, new) = get(api)
    #expect(try await new.value() == "body")
    if cancelling {
      #expect(await old.error() is CancellationError)
    } else {
      #expect(!transports.all[0].isShutDown)
      transports.all[0].open()
      #expect(try await old.value() == "body")
    }
    await completed.wait()
    #expect(transports.all[0].isShutDown)
    #expect(!transports.all[1].isShutDown)
  }

  @Test func resetAfterInvalidationTakesCallsAgain() async throws {
    let transports = Log<GatedReplies>()
    let api = try makeAPI(transports)
    api.invalidate(cancelling: true)
    #expect(await get(api).1.kind() == .shutdown)
    try api.reset(cancelling: true)
    transports.all[1].open()
    #expect(try await get(api).1.value() == "body")
  }

  @Test func aFailedResetChangesNothing() async throws {
    struct NoClient: Error {}
    let (transport, made) = (GatedReplies(), Counter())
    let api = try CallbackClient(callbackQueue: CallbackQueue(queue)) {
      if made.add() > 1 { throw NoClient() }
      return try Client(over: transport, base: "http://h/")
    }
    let (_, log) = get(api)
    #expect(throws: NoClient.self) { try api.reset(cancelling: true) { Issue.record("completed") } }
    transport.open()
    #expect(try await log.value() == "body")
    #expect(try await get(api).1.value() == "body")
  }

  // MARK: Threads

  @Test func everyCallEndsOnceWhateverOthersDo() async throws {
    let transports = Log<GatedReplies>()
    let api = try makeAPI(transports)
    let logs = Log<HandlerLog<Bytes>>()
    transports.all[0].open()
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<64 {
        group.addTask {
          for round in 0..<20 {
            let (transfer, log) = get(api, "\(thread)/\(round)")
            logs.add(log)
            switch (thread + round) % 8 {
            case 0: transfer.cancel()
            case 1:
              transfer.pause()
              transfer.resume()
            case 2: api.cancelAll { $0.path == "/v1/\(thread)/\(round)" }
            case 3 where round == 10: api.invalidate(cancelling: thread % 16 == 0)
            case 4 where round == 10:
              #expect(throws: Never.self) { try api.reset(cancelling: thread % 16 == 0) }
              for transport in transports.all { transport.open() }
            default: _ = api.transfers.count
            }
          }
        }
      }
    }
    for transport in transports.all { transport.open() }
    for log in logs.all { _ = await log.result() }
    await drain(queue)
    #expect(logs.all.count == 64 * 20)
    #expect(logs.all.allSatisfy { $0.ends == 1 })
    #expect(api.transfers.isEmpty)
  }
}
