import HTTPTypes
import StagecoachCore
import Synchronization
import TestSupport
import Testing

@testable import StagecoachStages

/// A shared body over a tape: readers fall behind, come late, and lose nothing.
@Suite(.timeLimit(.minutes(15))) struct SharedBodyTapeTests {
  private final class Tape: BodyTape {
    private struct Full: Error {}

    private let state = Mutex((bytes: [UInt8](), finished: 0, abandoned: 0))
    private let capacity: Int

    init(capacity: Int = .max) { self.capacity = capacity }

    var finished: Int { state.withLock { $0.finished } }
    var abandoned: Int { state.withLock { $0.abandoned } }

    func append(_ chunk: Bytes) async throws {
      try state.withLock { state in
        guard state.bytes.count + chunk.count <= capacity else { throw Full() }
        state.bytes += chunk.array
      }
    }

    func read(at offset: Int64, upTo count: Int) async throws -> Bytes {
      state.withLock { Bytes($0.bytes[Int(offset)..<min($0.bytes.count, Int(offset) + count)]) }
    }

    func finish() async { state.withLock { $0.finished += 1 } }
    func abandon() async { state.withLock { $0.abandoned += 1 } }
  }

  private static let chunks: [Bytes] = (0..<100).map { Bytes("chunk \($0);") }
  private static let whole = chunks.map { String(decoding: $0.array, as: UTF8.self) }.joined()

  private static func rest(_ body: SharedBody, _ reader: Int, _ limit: Int = .max) async throws -> String? {
    var text = ""
    for _ in 0..<limit {
      switch try await body.next(for: reader) {
      case .chunk(let chunk): text += String(decoding: chunk.array, as: UTF8.self)
      case .end: return text
      case .cutLoose: return nil
      }
    }
    return text
  }

  private static func body(_ tape: Tape?, limit: Int, tag: String = "\"a\"") -> SharedBody {
    let body = Response.Body(source: ScriptedSource(chunks: chunks), length: Int64(whole.utf8.count))
    return SharedBody(Response(.ok, fields: [.eTag: tag], body: body), limit: limit, tape: tape)
  }

  @Test(arguments: [1, 200, 1 << 20]) func theSlowAndTheLateGetAll(limit: Int) async throws {
    let tape = Tape()
    let body = Self.body(tape, limit: limit)
    let (fast, slow) = (try #require(body.join()), try #require(body.join()))
    let start = try await Self.rest(body, slow, 3)
    _ = try await Self.rest(body, fast, 50)
    let late = try #require(body.join())
    #expect(try await Self.rest(body, late, 10)?.isEmpty == false)
    #expect(try await Self.rest(body, fast)?.isEmpty == false)
    #expect(tape.finished == 1)
    let next = try await Self.rest(body, slow)
    #expect((start ?? "") + (next ?? "") == Self.whole)
    #expect(body.join() == nil)
  }

  @Test func aFullTapeDropsOnlyTheReadersThatNeedIt() async throws {
    let tape = Tape(capacity: 100)
    let body = Self.body(tape, limit: 50)
    let (fast, slow) = (try #require(body.join()), try #require(body.join()))
    #expect(try await Self.rest(body, fast) == Self.whole)
    #expect(tape.abandoned >= 1)
    #expect(tape.finished == 0)
    #expect(try await Self.rest(body, slow) == nil)
  }

  /// Each of the others gets all, or is cut loose before its first byte.
  @Test(arguments: [0, 100, 700, .max] as [Int], [1, 200, 1 << 20])
  func withoutAStrongValidatorNoReaderIsDroppedInTheMiddle(capacity: Int, limit: Int) async throws {
    for isFirstSlow in [true, false] {
      let body = Self.body(Tape(capacity: capacity), limit: limit, tag: "W/\"a\"")
      let (first, second) = (try #require(body.join()), try #require(body.join()))
      let start = try await isFirstSlow ? Self.rest(body, first, 3) : Self.rest(body, first)
      let fits = capacity == .max || limit == 1 << 20
      #expect(try await Self.rest(body, second) == (fits ? Self.whole : nil))
      let end = try await Self.rest(body, first)
      #expect((start ?? "") + (end ?? "") == Self.whole)
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func everyReaderThatStartsGetsTheWholeBody(seed: UInt64) async throws {
    var random = SplitMix(state: seed)
    let capacity = [0, 300, 700, .max].randomElement(using: &random) ?? 0
    let body = Self.body(
      Bool.random(using: &random) ? Tape(capacity: capacity) : nil,
      limit: Int.random(in: 1...2_000, using: &random),
      tag: "W/\"a\""
    )
    let readers = try (0..<Int.random(in: 2...5, using: &random)).map { _ in try #require(body.join()) }
    // The first may leave, and another takes its place.
    let leavesAt = Bool.random(using: &random) ? Int.random(in: 0..<30, using: &random) : nil
    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in readers {
        let pause = Int.random(in: 0..<6, using: &random)
        group.addTask {
          var (text, count) = ("", 0)
          while true {
            if reader == 0, count == leavesAt { return body.leave(reader) }
            switch try await body.next(for: reader) {
            case .chunk(let chunk): text += String(decoding: chunk.array, as: UTF8.self)
            case .end:
              #expect(text == Self.whole)
              return
            case .cutLoose:
              #expect(text == "" && reader > 0)
              return
            }
            count += 1
            for _ in 0..<pause { await Task.yield() }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func withoutATapeALateReaderIsRefused() async throws {
    let body = Self.body(nil, limit: 1 << 20)
    let first = try #require(body.join())
    _ = try await Self.rest(body, first, 1)
    #expect(body.join() == nil)
  }

  @Test func theLastReaderAbandonsTheTape() async throws {
    let tape = Tape()
    let body = Self.body(tape, limit: 1 << 20)
    let reader = try #require(body.join())
    _ = try await Self.rest(body, reader, 2)
    body.leave(reader)
    while tape.abandoned == 0 { await Task.yield() }
    #expect(tape.finished == 0)
    #expect(body.join() == nil)
  }
}
