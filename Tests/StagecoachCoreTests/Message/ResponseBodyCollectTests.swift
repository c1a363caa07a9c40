import Stagecoach
import TestSupport
import Testing

@Suite struct ResponseBodyCollectTests {
  enum Shape: CaseIterable {
    case memory, oneChunk, twoChunks, bytewise
  }

  /// Ten bytes in a shape, with or without a declared length.
  private static func ten(_ shape: Shape, declared: Bool) -> Response.Body {
    let content: [UInt8] = Array("0123456789".utf8)
    let list: [Bytes] =
      switch shape {
      case .memory, .oneChunk: [Bytes(content)]
      case .twoChunks: [Bytes(content[..<5]), Bytes(content[5...])]
      case .bytewise: content.map { Bytes([$0]) }
      }
    return shape == .memory
      ? .bytes(list[0]) : Response.Body(source: ScriptedSource(chunks: list), length: declared ? 10 : nil)
  }

  @Test(arguments: Shape.allCases, [true, false])
  func theLimitIsExact(shape: Shape, declared: Bool) async throws {
    for limit in [10, 11, 1000, .max] {
      #expect(try await Self.ten(shape, declared: declared).collect(upTo: limit) == "0123456789")
    }
    for limit in [9, 5, 4, 1, 0] {
      let body = Self.ten(shape, declared: declared)
      let error = try await #require(throws: ExchangeError.self) { _ = try await body.collect(upTo: limit) }
      #expect(error.kind == .limit(.body))
      #expect(error.limit == ExchangeError.Limit(option: "bodyLimit", value: "\(limit) bytes"))
      let isToldBefore = declared && shape != .memory
      #expect(
        error.message.contains(isToldBefore ? "of 10 bytes" : "larger than the limit of \(limit) bytes")
      )
    }
  }

  @Test func aDeclaredLengthBeyondTheLimitIsRefusedUnread() async throws {
    let source = ScriptedSource(chunks: ["0123456789"])
    let body = Response.Body(source: source, length: 10)
    await #expect(throws: ExchangeError.self) { _ = try await body.collect(upTo: 9) }
    #expect(source.pulls == 0)
    #expect(source.cancels == 1)
  }

  @Test func aBodyBeyondTheLimitIsCancelledAndTheErrorKeepsItsStart() async throws {
    let source = ScriptedSource(chunks: ["0123", "4567", "89"])
    let body = Response.Body(source: source)
    let error = try await #require(throws: ExchangeError.self) { _ = try await body.collect(upTo: 6) }
    #expect(error.bodyPrefix == "0123")
    #expect(source.cancels == 1)
    #expect(source.pulls == 2)
  }

  @Test(arguments: [0, 1, 7, 1_000_000, Int64.max, Int64.max - 1])
  func theDeclaredLengthIsOnlyAHint(declared: Int64) async throws {
    let body = Response.Body(source: ScriptedSource(chunks: ["abc", "def"]), length: declared)
    #expect(try await body.collect(upTo: .max) == "abcdef")
  }

  @Test func ignoresANegativeLength() async throws {
    let body = Response.Body(source: ScriptedSource(chunks: ["abc", "def"]), length: -1)
    #expect(try await body.collect(upTo: 100) == "abcdef")
  }

  @Test func emptyBodiesFitAnyLimit() async throws {
    for body in [.empty, .bytes(""), Response.Body(source: ScriptedSource([]))] as [Response.Body] {
      #expect(try await body.collect(upTo: 0) == "")
    }
  }

  @Test func aSingleChunkIsNotCopied() async throws {
    let chunk = Bytes(Array(repeating: 1, count: 100_000))
    let address = chunk.withUnsafeBytes { $0.baseAddress }
    for body in [.bytes(chunk), Response.Body(source: ScriptedSource(chunks: [chunk]))] as [Response.Body] {
      let collected = try await body.collect(upTo: .max)
      #expect(collected.withUnsafeBytes { $0.baseAddress } == address)
    }
  }

  @Test func whatReadingThrowsPasses() async throws {
    let body = Response.Body(source: ScriptedSource([.chunk("a"), .fail(Foreign())]))
    await #expect(throws: Foreign()) { _ = try await body.collect(upTo: 100) }
  }
}
