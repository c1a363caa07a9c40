import Foundation
import HTTPTypes
import StagecoachCore
import StagecoachSerializers
import StagecoachStages
import TestSupport
import Testing

@testable import StagecoachTransfers

@Suite(.timeLimit(.minutes(2))) struct TransferSnapshotTests {
  struct Film: Codable, Sendable, Equatable {
    var title: String
    var added: Date
  }

  private struct NotCodable: ResponseSerializer {
    struct Value: Sendable {}
    var accepts: Acceptance { .any }
    func serialize(_ response: Response) async throws -> Value { Value() }
  }

  private static func client(_ answer: @escaping @Sendable (Request) throws -> Response) throws -> Client {
    try Client(
      Pipeline(over: HandlerTransport { try answer($0) }) { Validation() },
      base: "http://test/"
    )
  }

  /// The snapshot after a trip through its encoded form.
  private static func stored<Output>(_ transfer: Transfer<Output>) throws -> TransferSnapshot {
    try TransferSnapshot(decoding: try transfer.snapshot().encoded)
  }

  // MARK: Bytes in memory

  @Test(arguments: [true, false])
  func aRestoredTransferCompletesWithAllBytes(_ isPaused: Bool) async throws {
    let origin = RangeOrigin(count: 10_000)
    let held = origin.hold(after: 4000)
    let transfer = try origin.client().transfer(.get("film"), as: .data)
    transfer.start()
    await held.wait()
    if isPaused { transfer.pause() }
    let snapshot = try Self.stored(transfer)
    #expect(snapshot.state == (isPaused ? .paused : .executing))
    #expect(snapshot.serializer == DataResponseSerializer().name)
    #expect(transfer.state == snapshot.state)
    transfer.cancel()
    let restored = try origin.client().restore(snapshot, as: .data)
    #expect(restored.state == .ready)
    #expect(restored.progress.received.bytes == 4000)
    #expect(restored.progress.received.total == 10_000)
    #expect(restored.response?.status == .ok)
    #expect(try await restored.value().array == origin.content)
    #expect(origin.ranges == [nil, "bytes=4000-"])
    #expect(restored.progress.restarts == 0)
  }

  @Test func bytesOfAnotherVersionAreNotMixed() async throws {
    let origin = RangeOrigin(count: 10_000)
    let held = origin.hold(after: 4000)
    let transfer = try origin.client().transfer(.get("film"), as: .data)
    transfer.start()
    await held.wait()
    let snapshot = try Self.stored(transfer)
    transfer.cancel()
    origin.change {
      $0.content = RangeOrigin.content(9000, seed: 2)
      $0.tag = "\"v2\""
    }
    #expect(try await origin.client().restore(snapshot, as: .data).value().array == origin.content)
  }

  @Test func withoutAValidatorNothingIsKept() async throws {
    let origin = RangeOrigin(count: 10_000)
    origin.change { $0.tag = nil }
    let held = origin.hold(after: 4000)
    let transfer = try origin.client().transfer(.get("film"), as: .data)
    transfer.start()
    await held.wait()
    let snapshot = try Self.stored(transfer)
    transfer.cancel()
    #expect(snapshot.work.memory?.bytes.isEmpty == true)
    #expect(try await origin.client().restore(snapshot, as: .data).value().array == origin.content)
    #expect(origin.ranges == [nil, nil])
  }

  @Test func aRequestThatWasSentIsNotSentTwiceIfThatDoesHarm() async throws {
    let origin = RangeOrigin(count: 10_000)
    let held = origin.hold(after: 4000)
    let transfer = try origin.client().transfer(.post("film", body: .bytes("x")), as: .data)
    transfer.start()
    await held.wait()
    let snapshot = try Self.stored(transfer)
    transfer.cancel()
    let restored = try origin.client().restore(snapshot, as: .data)
    let error = await #expect(throws: ExchangeError.self) { try await restored.value() }
    #expect(error?.kind == .policy)
    #expect(try await restored.makeRetry().value().array == origin.content)
    // One that was not sent may be.
    let ready = try Self.stored(try origin.client().transfer(.post("film", body: .bytes("x")), as: .data))
    #expect(try await origin.client().restore(ready, as: .data).value().array == origin.content)
  }

  // MARK: Outcomes

  @Test func aFinishedTransferIsRestoredWithItsValue() async throws {
    let film = Film(title: "Stagecoach", added: Date(timeIntervalSince1970: 1.25))
    let client = try Self.client { request in
      switch request.head.path {
      case "/json":
        Response(
          .ok,
          fields: [.contentType: "application/json"],
          body: .bytes(Bytes(try JSONEncoder().encode(film)))
        )
      default: Response(.ok, fields: [.contentType: "text/plain"], body: .bytes("hello"))
      }
    }
    func restored<Serializer: ResponseSerializer>(_ path: String, _ serializer: Serializer) async throws
      -> Transfer<Serializer.Output>
    {
      let transfer = client.transfer(.get(path), as: serializer)
      _ = try await transfer.value()
      let restored = try client.restore(try Self.stored(transfer), as: serializer)
      #expect(restored.state == .finished)
      #expect(restored.response?.status == .ok)
      #expect(!restored.start() && !restored.pause() && !restored.cancel())
      for await state in restored.states { #expect(state == .finished) }
      return restored
    }
    #expect(try await restored("text", .text).value() == "hello")
    #expect(try await restored("text", .data).value() == "hello")
    #expect(try await restored("json", .json(Film.self)).value() == film)
    try await restored("text", .ignored).value()
    let unknown = try await restored("text", NotCodable())
    let error = await #expect(throws: ExchangeError.self) { try await unknown.value() }
    #expect(error?.message.contains("Value is not Codable") == true)
    #expect(throws: Never.self) { try unknown.makeRetry() }
  }

  @Test func aValueOfAnotherTypeIsAFailure() async throws {
    let client = try Self.client { _ in Response(.ok, body: .bytes("hello")) }
    let transfer = client.transfer(.get("a"), as: .data)
    _ = try await transfer.value()
    let restored = try client.restore(try Self.stored(transfer), as: .text)
    let error = await #expect(throws: ExchangeError.self) { try await restored.value() }
    #expect(error?.kind == .serialization)
  }

  @Test func aFailedTransferIsRestoredWithItsFailure() async throws {
    let client = try Self.client { _ in Response(.notFound, fields: [.setCookie: "secret=1"]) }
    let transfer = client.transfer(.get("a"), as: .data)
    let original = await #expect(throws: ExchangeError.self) { try await transfer.value() }
    let restored = try client.restore(try Self.stored(transfer), as: .data)
    let error = await #expect(throws: ExchangeError.self) { try await restored.value() }
    #expect(error?.kind == .status)
    #expect(error?.message == original?.message)
    #expect(error?.advice == original?.advice)
    #expect(error?.stage == original?.stage)
    #expect(error?.response?.status.code == 404)
    #expect(!String(decoding: try transfer.snapshot().encoded, as: UTF8.self).contains("secret=1"))
  }

  @Test func aCancelledTransferIsRestoredAsCancelled() async throws {
    let client = try Self.client { _ in Response(.ok) }
    let transfer = client.transfer(.get("a"), as: .data)
    transfer.cancel()
    await transfer.reaches(.finished)
    let restored = try client.restore(try Self.stored(transfer), as: .data)
    #expect(restored.isCancelled)
    await #expect(throws: CancellationError.self) { try await restored.value() }
  }

  // MARK: Forms

  @Test func aSnapshotIsAPartOfOtherArchives() async throws {
    struct Archive: Codable {
      var snapshots: [TransferSnapshot]
    }
    let client = try Self.client { _ in Response(.ok) }
    let archive = Archive(snapshots: [try client.transfer(.get("a"), as: .data).snapshot()])
    let plist = try PropertyListDecoder().decode(
      Archive.self,
      from: try PropertyListEncoder().encode(archive)
    )
    #expect(plist.snapshots.map(\.reference) == ["a"])
    #expect(plist.snapshots.map(\.method) == ["GET"])
    #expect(try client.restore(plist.snapshots[0], as: .data).request.reference == "a")
  }

  @Test func aSinkCannotBeArchived() throws {
    struct Sink: TransferSink {
      func write(_ bytes: Bytes) {}
      func empty() {}
      func finish(_ head: HTTPResponse) {}
    }
    let transfer = try Self.client { _ in Response(.ok) }.transfer(.get("a"), into: Sink())
    let error = #expect(throws: ExchangeError.self) { try transfer.snapshot() }
    #expect(error?.kind == .unsupported)
  }
}
