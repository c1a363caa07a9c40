import HTTPTypes
import TestSupport
import Testing

@testable import StagecoachCore
@testable import StagecoachResilience

/// One body for all who share a response.
@Suite(.timeLimit(.minutes(15))) struct SharedBodyTests {
  @Test func theSharedBodyOutlivesItsLeader() async throws {
    let source = ScriptedSource(chunks: ["ab", "cd", "ef"], trailers: [HTTPField.Name("X-Sum")!: "1"])
    let (_, responses) = try await CoalescingBench.shared(3) { _ in
      Response(.ok, body: Response.Body(source: source, length: 6))
    }
    #expect(responses.map(\.body.length) == [6, 6, 6])
    var first = responses[0].body.makeAsyncIterator()
    #expect(try await first.next() == "ab")
    responses[0].body.cancel()
    for response in responses[1...] {
      #expect(try await response.body.collect(upTo: 10) == "abcdef")
      #expect(response.body.trailers?.count == 1)
    }
    #expect(source.cancels == 0)
  }

  @Test func theSharedBodyIsCancelledByItsLastReader() async throws {
    let source = ScriptedSource([.chunk("ab"), .wait])
    let (_, responses) = try await CoalescingBench.shared(3) { _ in
      Response(.ok, fields: [.eTag: "\"a\""], body: Response.Body(source: source))
    }
    for (number, response) in responses.enumerated() {
      #expect(source.cancels == 0)
      if number < 2 { response.body.cancel() }
    }
    let last = Task { try await responses[2].body.collect(upTo: 10) }
    await source.pulled(2)
    // Cancelled while it waits for a chunk.
    last.cancel()
    await #expect(throws: CancellationError.self) { try await last.value }
    #expect(source.cancels == 1)
  }

  @Test func aCancelledReaderDoesNotDisturbTheOthers() async throws {
    let (gate, asked) = (Signal(), Counter())
    let (_, responses) = try await CoalescingBench.shared(2) { _ in
      Response(
        .ok,
        fields: [.eTag: "\"a\""],
        body: Response.Body(
          AsyncStream<Bytes>(unfolding: {
            await gate.wait()
            return asked.add() == 1 ? "late" : nil
          })
        )
      )
    }
    let (gone, stays) = (
      Task { try await responses[0].body.collect(upTo: 10) },
      Task { try await responses[1].body.collect(upTo: 10) }
    )
    gone.cancel()
    await #expect(throws: CancellationError.self) { try await gone.value }
    gate.set()
    #expect(try await stays.value == "late")
  }

  @Test func aFailureOfTheBodyReachesAllReaders() async throws {
    let source = ScriptedSource([.chunk("ab"), .fail(ExchangeError(.connectionReset, "reset"))])
    let (_, responses) = try await CoalescingBench.shared(3) { _ in
      Response(.ok, fields: [.eTag: "\"a\""], body: Response.Body(source: source))
    }
    for response in responses {
      var iterator = response.body.makeAsyncIterator()
      #expect(try await iterator.next() == "ab")
      let error = try await #require(throws: ExchangeError.self) { try await iterator.next() }
      #expect(error.kind == .connectionReset)
      #expect(error.stage == "HandlerTransport")
    }
  }

  enum Second: CaseIterable {
    case same, otherTag, shorter, unread
  }

  @Test("9.1 coalescing: a slow reader is cut loose to its own request", arguments: Second.allCases)
  func slowReadersAreCutLoose(second: Second) async throws {
    let count = Counter()
    let text = String(repeating: "0123456789", count: 10)
    let (bench, responses) = try await CoalescingBench.shared(2, Coalescing(replayLimit: 200)) { _ in
      let isSecond = count.add() == 2
      // The second one comes in other chunks, and may be another one.
      let size = isSecond ? 7 : 10
      let sent = isSecond && second == .shorter ? String(text.prefix(5)) : text
      let chunks = stride(from: 0, to: sent.count, by: size).map {
        Bytes(String(sent.dropFirst($0).prefix(size)))
      }
      let tag = isSecond && second == .otherTag ? "\"b\"" : "\"a\""
      return Response(.ok, fields: [.eTag: tag], body: Response.Body(source: ScriptedSource(chunks: chunks)))
    }
    var slow = responses[1].body.makeAsyncIterator()
    if second != .unread { #expect(try await slow.next() == "0123456789") }
    #expect(try await responses[0].body.collect(upTo: 1000).count == 100)
    #expect(bench.transport.requests.count == 1)
    var rest = ""
    var failure: ExchangeError?
    do {
      while let chunk = try await slow.next() { rest += String(decoding: chunk) }
    } catch {
      failure = error as? ExchangeError
    }
    switch second {
    case .same: #expect(rest == text.dropFirst(10))
    case .unread: #expect(rest == text)
    case .otherTag, .shorter:
      #expect(rest == "")
      #expect(failure?.kind == .incompleteBody)
    }
    #expect(bench.transport.requests.count == 2)
    #expect(bench.probe.words.last?.contains("detached after \(second == .unread ? 0 : 10) bytes") == true)
  }

  /// Each response of the origin is another one: nobody gets parts of two, and nobody loses one.
  @Test(arguments: [[:], [.eTag: "W/\"a\""]] as [HTTPFields], [true, false])
  func withoutAStrongValidatorNoReaderIsDropped(fields: HTTPFields, isShort: Bool) async throws {
    let count = Counter()
    let stage = Coalescing(replayLimit: isShort ? 1 << 20 : 200)
    let (bench, responses) = try await CoalescingBench.shared(3, stage) { _ in
      let chunk = Bytes(String(repeating: "\(count.add())", count: 10))
      let source = ScriptedSource(chunks: [Bytes](repeating: chunk, count: 10))
      let body = Response.Body(source: source, length: 100)
      return Response(.ok, fields: fields, body: body)
    }
    // The slowest first, each a chunk at a time.
    var iterators = responses.map { $0.body.makeAsyncIterator() }
    var texts = ["", "", ""]
    for (number, steps) in [(0, 1), (1, 2), (2, 20), (1, 20), (0, 20)] {
      for _ in 0..<steps {
        guard let chunk = try await iterators[number].next() else { break }
        texts[number] += String(decoding: chunk)
      }
    }
    #expect(texts[0] == String(repeating: "1", count: 100))
    #expect(texts[1] == String(repeating: isShort ? "1" : "2", count: 100))
    #expect(texts[2] == String(repeating: isShort ? "1" : "3", count: 100))
    #expect(bench.transport.requests.count == (isShort ? 1 : 3))
  }

  /// An event stream has no end to wait for: each gets its first event at once.
  @Test(arguments: [[:], [.eTag: "W/\"a\""]] as [HTTPFields])
  func aBodyWithoutAnEndInSightIsNotShared(fields: HTTPFields) async throws {
    let (bench, responses) = try await CoalescingBench.shared(3) { _ in
      Response(.ok, fields: fields, body: Response.Body(source: ScriptedSource([.chunk("event"), .wait])))
    }
    for response in responses.reversed() {
      var iterator = response.body.makeAsyncIterator()
      #expect(try await iterator.next() == "event")
    }
    #expect(bench.transport.requests.count == 3)
    #expect(!bench.probe.words.contains { $0.contains("shared with") })
    for response in responses { response.body.cancel() }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func allReadersGetTheSame(seed: UInt64) async throws {
    var random = SplitMix(state: seed)
    let bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    var chunks: [Bytes] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let size = Int.random(in: 1...1500, using: &random)
      chunks.append(Bytes(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    let limit = Int.random(in: 1...30_000, using: &random)
    let readers = Int.random(in: 2...6, using: &random)
    let seeds = (0..<readers).map { _ in random.next() }
    let stage = Coalescing(replayLimit: limit)
    let (_, responses) = try await CoalescingBench.shared(readers, stage) { [chunks] _ in
      Response(.ok, fields: [.eTag: "\"a\""], body: Response.Body(source: ScriptedSource(chunks: chunks)))
    }
    await withTaskGroup(of: Bool.self) { group in
      for (response, seed) in zip(responses, seeds) {
        group.addTask {
          var random = SplitMix(state: seed)
          let stopsAt = Int.random(in: 0..<40_000, using: &random)
          var all: [UInt8] = []
          do {
            for try await chunk in response.body {
              all += chunk.array
              if all.count > stopsAt { break }
              for _ in 0..<Int.random(in: 0..<5, using: &random) { await Task.yield() }
            }
          } catch {
            return false
          }
          return all[...] == bytes.prefix(all.count) && (all.count > stopsAt || all.count == bytes.count)
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  /// With room for all of them and with room for few, although the bytes alone would fit.
  @Test(arguments: [(1 << 20, 1), (6_000, 2)])
  func smallChunksComeInOrderAndCostMoreThanTheyHold(limit: Int, requests: Int) async throws {
    let bytes = (0..<600).map { UInt8($0 % 251) }
    let (bench, responses) = try await CoalescingBench.shared(2, Coalescing(replayLimit: limit)) { _ in
      let source = ScriptedSource(chunks: bytes.map { Bytes([$0]) })
      return Response(.ok, fields: [.eTag: "\"a\""], body: Response.Body(source: source))
    }
    var (fast, slow) = (responses[0].body.makeAsyncIterator(), responses[1].body.makeAsyncIterator())
    var (ahead, behind): ([UInt8], [UInt8]) = ([], [])
    while let chunk = try await fast.next() {
      ahead += chunk.array
      if ahead.count % 3 == 0, let chunk = try await slow.next() { behind += chunk.array }
    }
    while let chunk = try await slow.next() { behind += chunk.array }
    #expect(ahead == bytes)
    #expect(behind == bytes)
    #expect(bench.transport.requests.count == requests)
  }

  @Test(
    "RFC 9110 8.8.2.2: a Last-Modified is proof if the response was sent a second later at least",
    arguments: [
      (nil, false), ("Thu, 28 May 2026 20:26:40 GMT", false), ("Thu, 28 May 2026 20:26:41 GMT", true),
    ] as [(String?, Bool)]
  )
  func anOldEnoughLastModifiedCountsAsAStrongValidator(date: String?, isProof: Bool) async throws {
    let (bench, responses) = try await CoalescingBench.shared(2, Coalescing(replayLimit: 200)) { _ in
      let source = ScriptedSource(chunks: [Bytes](repeating: "0123456789", count: 10))
      var response = Response(.ok, body: Response.Body(source: source, length: 100))
      response.fields[.lastModified] = "Thu, 28 May 2026 20:26:40 GMT"
      response.fields[.date] = date
      return response
    }
    var slow = responses[1].body.makeAsyncIterator()
    var count = try await slow.next()?.count ?? 0
    #expect(try await responses[0].body.collect(upTo: 1000).count == 100)
    while let chunk = try await slow.next() { count += chunk.count }
    #expect(count == 100)
    #expect(bench.transport.requests.count == 2)
    #expect(bench.probe.words.contains { $0.contains("detached after \(isProof ? 10 : 0) bytes") })
  }
}
