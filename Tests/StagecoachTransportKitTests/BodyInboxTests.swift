import Stagecoach
import StagecoachTransportKit
import Synchronization
import TestSupport
import Testing

/// Where the engine of a transport and the reader of a body meet.
@Suite struct BodyInboxTests {
  private struct Broken: Error {}

  private static func bytes(_ count: Int) -> Bytes { Bytes([UInt8](repeating: 1, count: count)) }

  @Test func chunksComeInOrderAndThenTheEnd() throws {
    var inbox = BodyInbox()
    var more = ByteQueue()
    for count in 2...3 { more.append(Self.bytes(count)) }
    inbox.append(Self.bytes(1))
    inbox.append(contentsOf: more)
    inbox.finish(.success(()))
    inbox.finish(.failure(Broken()))
    #expect(inbox.count == 6)
    for count in 1...3 {
      let chunk = try inbox.take()?.chunk
      #expect(chunk?.count == count)
    }
    for _ in 0..<2 {
      let taken = try #require(try inbox.take())
      #expect(taken.chunk == nil)
    }
  }

  @Test func whatCameBeforeAFailureIsReadFirst() throws {
    var inbox = BodyInbox()
    inbox.append(Self.bytes(1))
    inbox.finish(.failure(Broken()))
    let chunk = try inbox.take()?.chunk
    #expect(chunk?.count == 1)
    #expect(throws: Broken.self) { _ = try inbox.take() }
    inbox = BodyInbox()
    inbox.append(Self.bytes(1))
    inbox.discard()
    inbox.finish(.failure(Broken()))
    #expect(throws: Broken.self) { _ = try inbox.take() }
  }

  /// Each takes memory of its own besides its bytes.
  @Test func manySmallChunksAreMuch() {
    var inbox = BodyInbox()
    var count = 0
    var pauses = false
    while !pauses, count < BodyInbox.capacity {
      inbox.append(Self.bytes(1))
      count += 1
      pauses = inbox.pauses()
    }
    #expect(count > 1_000 && count < 5_000)
  }

  @Test func theEnginePausesAtTheCapacityAndGoesOnAtHalfOfIt() throws {
    var inbox = BodyInbox()
    let chunk = Self.bytes(BodyInbox.capacity / 4)
    for _ in 0..<3 {
      inbox.append(chunk)
      let pauses = inbox.pauses()
      #expect(!pauses)
    }
    let pausesForMore = inbox.pauses(with: chunk.count)
    #expect(pausesForMore)
    inbox.append(chunk)
    let pauses = inbox.pauses()
    #expect(pauses)
    #expect(inbox.isPaused)
    var resumptions: [Bool?] = []
    for _ in 0..<4 { resumptions.append(try inbox.take()?.resumesEngine) }
    #expect(resumptions == [false, false, true, false])
    #expect(!inbox.isPaused)
    inbox.finish(.success(()))
    let pausesAtTheEnd = inbox.pauses(with: BodyInbox.capacity)
    #expect(!pausesAtTheEnd)
  }

  /// What a reader gets that waited before something came.
  private static func read(_ then: @Sendable (inout BodyInbox) -> Void) async throws -> Int? {
    let inbox = Mutex(BodyInbox())
    let chunk = try await withUnsafeThrowingContinuation { (reader: BodyInbox.Reader) in
      let served = inbox.withLock { inbox in
        let taken = try? inbox.take(orKeep: reader)
        #expect(taken == nil)
        let early = inbox.serve()
        #expect(early == nil)
        then(&inbox)
        return inbox.serve()
      }
      served?.resume()
      let again = inbox.withLock { $0.serve() }
      #expect(again == nil)
    }
    return chunk?.count
  }

  @Test func aReaderThatWaitsIsServedOnce() async throws {
    #expect(try await Self.read { $0.append(Self.bytes(5)) } == 5)
    #expect(try await Self.read { $0.finish(.success(())) } == nil)
    await #expect(throws: Broken.self) { try await Self.read { $0.finish(.failure(Broken())) } }
  }

  @Test func aQueueIsReadInPieces() {
    var queue = ByteQueue()
    for byte in 0..<200 { queue.append(Bytes([UInt8(byte), UInt8(byte)])) }
    var read: [UInt8] = []
    withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { buffer in
      for _ in 0..<3 where queue.read(into: buffer) == 1 { read.append(buffer[0]) }
    }
    #expect(read == [0, 0, 1])
    #expect(queue.count == 397)
    var rest: [[UInt8]] = []
    while let chunk = queue.popFirst() { rest.append(chunk.array) }
    #expect(rest == [[1]] + (2..<200).map { [$0, $0] })
    #expect(queue.isEmpty)
  }
}
