import Foundation
import StagecoachCore
import StagecoachSerializers
import Synchronization
import TestSupport
import Testing

@testable import StagecoachTransfers

@Suite(.timeLimit(.minutes(2))) struct TransferNoticesTests {
  private static let names: [Notification.Name] = [
    .transferDidStart, .transferDidResume, .transferDidSuspend, .transferDidComplete,
  ]

  /// Notes what a center posts.
  private func observe(_ center: NotificationCenter, _ log: Log<String>, serial: Serial) {
    for name in Self.names {
      _ = center.addObserver(forName: name, object: nil, queue: nil) { notification in
        let word = name.rawValue.split(separator: ".").last ?? ""
        let info = notification.userInfo ?? [:]
        let value = (info[Notification.transferValueKey] as? Bytes).map { " \($0.count)" } ?? ""
        let error = info[Notification.transferErrorKey].map {
          $0 is CancellationError ? " cancelled" : " failed"
        }
        #expect(Serial.isCurrent)
        #expect(notification.object is Transfer<Bytes>)
        log.add(word + value + (error ?? ""))
      }
    }
  }

  @Test func everyChangeIsPostedOnceAndTheEndAfterTheHandlers() async throws {
    let origin = PacedOrigin(isHeld: true)
    let transfer = try origin.client().transfer(.get("a"), as: .data)
    let (center, log, serial, handlers) = (NotificationCenter(), Log<String>(), Serial(), Serial())
    observe(center, log, serial: serial)
    transfer.postNotifications(to: center, on: serial.queue)
    transfer.onCompletion(on: handlers.queue) { _ in log.add("elsewhere") }
    transfer.onCompletion(on: serial.queue) { _ in log.add("handler") }
    transfer.pause()
    transfer.resume()
    transfer.resume()
    transfer.start()
    transfer.pause()
    transfer.pause()
    transfer.resume()
    origin.release()
    _ = try await transfer.value()
    await handlers.drain()
    await serial.drain()
    await serial.drain()
    // The other queue may be ahead of the one of the notices.
    #expect(
      log.all.filter { $0 != "elsewhere" } == [
        "didStart", "didSuspend", "didResume", "handler", "didComplete 1000",
      ]
    )
    #expect(log.all.dropLast().contains("elsewhere"))
  }

  @Test(arguments: ["missing", "cancelled"])
  func theEndTellsTheError(path: String) async throws {
    let transfer = try PacedOrigin().client().transfer(.get(path), as: .data)
    let (center, log, serial) = (NotificationCenter(), Log<String>(), Serial())
    observe(center, log, serial: serial)
    transfer.postNotifications(to: center, on: serial.queue)
    if path == "cancelled" { transfer.cancel() }
    _ = try? await transfer.value()
    await serial.drain()
    #expect(log.all == (path == "missing" ? ["didStart", "didComplete failed"] : ["didComplete cancelled"]))
  }

  @Test func nothingIsPostedUnaskedOrAfterTheEnd() async throws {
    let client = try PacedOrigin().client()
    let (center, log, serial) = (NotificationCenter(), Log<String>(), Serial())
    observe(center, log, serial: serial)
    let transfer = client.transfer(.get("a"), as: .data)
    _ = try await transfer.value()
    transfer.postNotifications(to: center, on: serial.queue)
    await serial.drain()
    #expect(log.all.isEmpty)
  }

  @Test func aTransferThatNeverRunsIsReleased() async throws {
    weak var released: Transfer<Bytes>?
    do {
      let transfer = try PacedOrigin().client().transfer(.get("a"), as: .data)
      released = transfer
      transfer.postNotifications()
    }
    #expect(released == nil)
  }

  @Test(
    arguments: [
      ([.ready, .executing, .finished], ["didStart", "didComplete"]),
      ([.ready, .paused, .ready, .executing], ["didStart"]),
      ([.executing, .paused, .ready, .executing, .finished], ["didSuspend", "didResume", "didComplete"]),
      ([.paused, .ready, .executing], ["didResume"]), ([.ready, .finished], ["didComplete"]),
      ([.finished], []),
      ([.ready, .executing, .paused, .finished], ["didStart", "didSuspend", "didComplete"]),
      ([.ready, .executing, .paused, .ready, .paused], ["didStart", "didSuspend"]),
    ] as [([TransferState], [String])]
  )
  func onlyRealChangesAreWorthANotice(states: [TransferState], words: [String]) {
    var changes = NoticeChanges()
    let names = states.compactMap {
      changes.name(at: $0)?.rawValue.split(separator: ".").last.map(String.init)
    }
    #expect(names == words)
  }
}
