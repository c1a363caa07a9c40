import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct MultipartSourceTests {
  private static func body(_ parts: [MultipartBody.Part]) throws -> Request.Body {
    var request = Request(.post, "/")
    try RequestContent.multipart(.mixed(parts, boundary: "B")).apply(to: &request)
    return request.body
  }

  /// A source per part, pulled as far as it is read and opened when its turn comes.
  @Test func partsAreOpenedInTurnAndOneAtATime() async throws {
    let opened = Counter()
    let parts = (1...3).map { _ in
      MultipartBody.Part(
        body: .source(length: 2, isReplayable: true) {
          opened.add()
          return ScriptedSource(chunks: ["a", "b"])
        }
      )
    }
    let source = try Self.body(parts).makeSource()
    var seen: [String] = []
    while let chunk = try await source.next() { seen.append("\(opened.value):\(String(decoding: chunk))") }
    let next = "\r\n--B\r\n\r\n"
    #expect(
      seen == [
        "0:--B\r\n\r\n", "1:a", "1:b", "1:\(next)", "2:a", "2:b", "2:\(next)", "3:a", "3:b",
        "3:\r\n--B--\r\n",
      ]
    )
  }

  @Test func smallPiecesAreJoinedAndLargeOnesAreNotCopied() async throws {
    let large = Bytes([UInt8](repeating: 1, count: 100_000))
    let small = (0..<2_000).map { _ in MultipartBody.Part.data(Bytes([UInt8](repeating: 2, count: 90))) }
    let source = try Self.body(small + [.data(large)] + small).makeSource()
    var counts: [Int] = []
    while let chunk = try await source.next() {
      counts.append(chunk.count)
      guard chunk.count == large.count else { continue }
      #expect(chunk.withUnsafeBytes { $0.baseAddress } == large.withUnsafeBytes { $0.baseAddress })
    }
    #expect(counts.contains(100_000))
    #expect(counts.allSatisfy { $0 <= 100_000 } && counts.filter { $0 > 65_536 }.count == 1)
    #expect(counts.count < 12)
  }

  @Test func cancellingReachesThePartAndEndsTheSource() async throws {
    let part = ScriptedSource([.chunk("a"), .wait])
    let source = try Self.body([MultipartBody.Part(body: .source(length: nil, isReplayable: true) { part })])
      .makeSource()
    _ = try await source.next()
    #expect(try await source.next() == "a")
    let waiting = Task { try await source.next() }
    await part.pulled(2)
    source.cancel()
    #expect(part.cancels == 1)
    _ = try? await waiting.value
    await #expect(throws: CancellationError.self) { _ = try await source.next() }
  }

  @Test func aPartThatFailsEndsTheBodyWithItsError() async throws {
    let part = ScriptedSource([.chunk("a"), .fail(Foreign(text: "disk"))])
    let failing = MultipartBody.Part(body: .source(length: nil, isReplayable: true) { part })
    let source = try Self.body([failing, .text("never sent")]).makeSource()
    var sent = ""
    await #expect(throws: Foreign(text: "disk")) {
      while let chunk = try await source.next() { sent += String(decoding: chunk) }
    }
    #expect(sent == "--B\r\n\r\na")
  }

  @Test func contentThatIsGoneIsMissedBeforeAnythingIsSent() async throws {
    let once = MultipartBody.Part(body: .oneShot(chunks(["ab"]), length: nil))
    let parts: [MultipartBody.Part] = [.text("first"), once]
    let (first, second) = (try Self.body(parts), try Self.body(parts))
    #expect(try await read(first) == "--B\r\n\r\nfirst\r\n--B\r\n\r\nab\r\n--B--\r\n")
    let error = #expect(throws: ExchangeError.self) { _ = try second.makeSource() }
    #expect(error?.kind == .bodyNotReplayable)
    #expect(error?.message.contains("part 2") == true)
  }

  @Test func contentThatExistsOnceHasOnePart() async throws {
    let once = MultipartBody.Part(body: .oneShot(chunks(["ab"]), length: 2))
    let twice = try Self.body([once, .text("x"), once])
    let error = #expect(throws: ExchangeError.self) { _ = try twice.makeSource() }
    #expect(error?.kind == .bodyNotReplayable)
    #expect(error?.message.contains("part 3") == true)
    // It was not opened, and can be sent by another.
    #expect(try await read(Self.body([once])) == "--B\r\n\r\nab\r\n--B--\r\n")
    let again = MultipartBody.Part(body: .stream(length: nil) { chunks(["a"]) })
    #expect(
      try await read(Self.body([again, again])) == "--B\r\n\r\na\r\n--B\r\n\r\na\r\n--B--\r\n"
    )
  }

  @Test func aFileThatWentAwayIsSaidWhenItsTurnComes() async throws {
    let directory = try ScratchDirectory()
    let path = try directory.file("f", [1])
    let source = try Self.body([.file(path)]).makeSource()
    try FileManager.default.removeItem(atPath: path)
    _ = try await source.next()
    let error = await #expect(throws: ExchangeError.self) { _ = try await source.next() }
    #expect(error?.kind == .file)
    #expect(error?.message.contains(path) == true)
  }

  /// 200 MiB that take no room on the disk: no chunk is larger than those of the file.
  @Test func aLargeFileIsNeverInMemory() async throws {
    let directory = try ScratchDirectory()
    let path = try directory.file("large.bin", [])
    let size: Int64 = 200 << 20
    #expect(truncate(path, off_t(size)) == 0)
    let body = try Self.body([.file(path)])
    let length = try #require(body.length)
    let source = try body.makeSource()
    var (count, largest): (Int64, Int) = (0, 0)
    while let chunk = try await source.next() {
      count += Int64(chunk.count)
      largest = max(largest, chunk.count)
    }
    #expect(count == length && count > size && count < size + 200)
    #expect(largest <= 256 * 1024)
  }
}
