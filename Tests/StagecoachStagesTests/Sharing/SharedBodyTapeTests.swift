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

  private static func body(_ tape: Tape?, limit: Int) -> SharedBody {
    SharedBody(Response.Body(source: ScriptedSource(chunks: chunks)), limit: limit, tape: tape)
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

  @Test func aFullTapeCutsOnlyThoseLooseWhoNeedIt() async throws {
    let tape = Tape(capacity: 100)
    let body = Self.body(tape, limit: 50)
    let (fast, slow) = (try #require(body.join()), try #require(body.join()))
    #expect(try await Self.rest(body, fast) == Self.whole)
    #expect(tape.abandoned >= 1)
    #expect(tape.finished == 0)
    #expect(try await Self.rest(body, slow) == nil)
  }

  @Test func withoutATapeNobodyComesLate() async throws {
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
