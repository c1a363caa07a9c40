#if Tool
  import Dispatch
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachConformance
  import StagecoachOrigin
  import Testing

  /// Bodies over a real socket: both ways, in any size, at the pace of the slower side.
  @Suite struct BodyTests {
    struct Receipt: Decodable, Sendable {
      var length: Int
      var fnv1a64: String
    }

    /// FNV-1a, 64 bits, as the origin reports it.
    static func checksum(_ bytes: some Sequence<UInt8>) -> String {
      let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      return String(repeating: "0", count: 16 - String(hash, radix: 16).count) + String(hash, radix: 16)
    }

    static let sample = (0..<300_000).map { UInt8($0 % 251) }

    enum Kind: CaseIterable { case bytes, file, knownStream, unknownStream, once }

    @Test(arguments: Kind.allCases)
    func everyKindOfBodyArrivesWhole(_ kind: Kind) async throws {
      let sample = Self.sample
      let path = FileManager.default.temporaryDirectory.appending(path: "stagecoach-\(UUID()).bin").path
      try Data(sample).write(to: URL(fileURLWithPath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      @Sendable func chunks() -> AsyncStream<Bytes> {
        AsyncStream { continuation in
          for start in stride(from: 0, to: sample.count, by: 7919) {
            continuation.yield(Bytes(sample[start..<min(start + 7919, sample.count)]))
          }
          continuation.finish()
        }
      }
      try await withOrigin { origin, client in
        var request = Request.post("upload")
        switch kind {
        case .bytes: request.body = .bytes(Bytes(sample))
        case .file: request.body = try .file(path)
        case .knownStream: request.body = .stream(length: Int64(sample.count)) { chunks() }
        case .unknownStream: request.body = .stream(length: nil) { chunks() }
        case .once: request.body = .oneShot(chunks(), length: Int64(sample.count))
        }
        let receipt = try await client.value(for: request, as: .json(Receipt.self))
        #expect(receipt.length == sample.count)
        #expect(receipt.fnv1a64 == Self.checksum(sample))
        let seen = try await origin.nextRequest(path: "/upload")
        #expect(seen["Content-Length"] == (kind == .unknownStream ? nil : "\(sample.count)"))
        #expect(seen["Transfer-Encoding"] == (kind == .unknownStream ? "chunked" : nil))
      }
    }

    /// A source may have more to do before it ends, and wait for the answer to what it gave.
    @Test(.timeLimit(.minutes(1))) func aResponseDoesNotWaitForTheEndOfASource() async throws {
      try await withOrigin { _, client in
        let (chunks, source) = AsyncStream<Bytes>.makeStream()
        source.yield("hello")
        var request = Request.post("upload")
        request.body = .oneShot(chunks, length: 5)
        let receipt = try await client.value(for: request, as: .json(Receipt.self))
        #expect(receipt.length == 5)
        source.finish()
      }
    }

    @Test func aBodyShorterThanDeclaredFailsAsTheRequestBody() async throws {
      try await withOrigin { _, client in
        var request = Request.post("upload")
        request.body = .oneShot(
          AsyncStream {
            $0.yield("abc"); $0.finish()
          },
          length: 10
        )
        let error = await exchangeError { try await client.value(for: request, as: .data) }
        #expect(error?.kind == .requestBody)
        #expect(error?.message.contains("3") == true)
      }
    }

    @Test func aFailingBodyKeepsItsOwnError() async throws {
      struct Broken: Error {}
      try await withOrigin { _, client in
        var request = Request.post("upload")
        request.body = .oneShot(
          AsyncThrowingStream<Bytes, any Error> {
            $0.yield("abc"); $0.finish(throwing: Broken())
          },
          length: nil
        )
        let error = await exchangeError { try await client.value(for: request, as: .data) }
        #expect(error?.underlying is Broken)
      }
    }

    @Test func aLargeBodyStreamsInOrder() async throws {
      try await withOrigin { _, client in
        let size = 32 << 20
        let response = try await client.send(.get("bytes/\(size)"))
        #expect(response.body.length == Int64(size))
        var position = 0
        var wrong = 0
        for try await chunk in response.body {
          chunk.withUnsafeBytes { bytes in
            for byte in bytes {
              if byte != UInt8(position % 251) { wrong += 1 }
              position += 1
            }
          }
        }
        #expect(position == size)
        #expect(wrong == 0)
      }
    }

    @Test func aReaderThatWaitsHoldsTheServerBack() async throws {
      try await withOrigin { origin, client in
        let response = try await client.send(.get("bytes/\(512 << 20)"))
        var iterator = response.body.makeAsyncIterator()
        _ = try await iterator.next()
        try await Task.sleep(for: .milliseconds(300))
        #expect(origin.bytesSent < 64 << 20)
        response.body.cancel()
      }
    }

    @Test func aDroppedBodyClosesItsConnection() async throws {
      try await withOrigin { origin, client in
        do {
          let response = try await client.send(.get("bytes/\(512 << 20)"))
          #expect(response.status == .ok)
        }
        try await eventually { origin.openConnections == 0 }
        #expect(origin.bytesSent < 64 << 20)
        #expect(try await client.send(.get("json")).status == .ok)
      }
    }

    @Test func aSmallBodyLeftAfterDiscardingKeepsItsConnection() async throws {
      try await withOrigin { origin, client in
        for _ in 0..<5 {
          let response = try await client.send(.get("bytes/8000"))
          #expect(await response.body.discard())
        }
        #expect(origin.acceptedConnections == 1)
        let large = try await client.send(.get("bytes/\(64 << 20)"))
        #expect(await large.body.discard() == false)
        try await eventually { origin.openConnections == 0 }
      }
    }

    @Test func readingACancelledBodySaysSo() async throws {
      try await withOrigin { _, client in
        let response = try await client.send(.get("bytes/\(1 << 30)"))
        var iterator = response.body.makeAsyncIterator()
        _ = try await iterator.next()
        response.body.cancel()
        let error = await exchangeError { try await iterator.next() }
        #expect(error?.kind == .bodyCancelled)
      }
    }

    @Test func aBodyBeyondTheLimitIsRefusedBeforeItIsRead() async throws {
      try await withOrigin(options: limits { $0.bodyLimit = 1000 }) { origin, client in
        let error = await exchangeError { try await client.get("bytes/\(1 << 30)", as: .data) }
        #expect(error?.kind == .limit(.body))
        #expect(error?.limit?.option == "bodyLimit")
        try await eventually { origin.openConnections == 0 }
        #expect(origin.bytesSent < 64 << 20)
      }
    }

    @Test func aChunkedBodyBeyondTheLimitKeepsItsStart() async throws {
      try await withOrigin(options: limits { $0.bodyLimit = 1000 }) { _, client in
        let error = await exchangeError { try await client.get("chunked?chunks=50&size=100", as: .data) }
        #expect(error?.kind == .limit(.body))
        #expect(error?.bodyPrefix.isEmpty == false)
      }
    }

    @Test func chunksArriveWhileTheyAreSent() async throws {
      let gate = DispatchSemaphore(value: 0)
      defer { gate.signal() }
      try await withPeer({ wire in
        try wire.readHead()
        try wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n")
        gate.wait()
        try wire.send("6\r\nsecond\r\n0\r\n\r\n")
        try wire.hold()
      }) { _, client in
        let response = try await client.send(.get("x"))
        var iterator = response.body.makeAsyncIterator()
        let first = try await iterator.next()
        #expect(first.map { String(decoding: $0) } == "first")
        gate.signal()
        let second = try await iterator.next()
        #expect(second.map { String(decoding: $0) } == "second")
        let end = try await iterator.next()
        #expect(end == nil)
      }
    }
  }
#endif
