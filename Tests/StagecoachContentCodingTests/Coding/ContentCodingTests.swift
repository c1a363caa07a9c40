import HTTPTypes
import Stagecoach
import StagecoachContentCoding
import Testing

/// A coding that writes every byte twice.
struct Doubling: ContentCoding {
  var name: String { "doubling" }
  var aliases: [String] { ["x-doubling"] }
  func makeDecoder() -> any ContentDecoder { Decoder() }

  final class Decoder: ContentDecoder {
    private var first: UInt8?

    func decode(
      _ input: UnsafeRawBufferPointer,
      into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> (consumed: Int, produced: Int) {
      var (consumed, produced) = (0, 0)
      while consumed < input.count, produced < output.count {
        let byte = input[consumed]
        consumed += 1
        guard let expected = first else {
          first = byte
          continue
        }
        guard byte == expected else { throw ContentCodingError(.malformed, "\(byte) is not \(expected)") }
        output[produced] = byte
        produced += 1
        first = nil
      }
      return (consumed, produced)
    }

    func finish() throws(ContentCodingError) {
      guard first == nil else { throw ContentCodingError(.truncated, "half a pair") }
    }
  }
}

/// A coding whose decoder says what it was told to say.
struct Lying: ContentCoding {
  var consumed: Int
  var produced: Int
  var name: String { "lying" }
  func makeDecoder() -> any ContentDecoder { Decoder(consumed: consumed, produced: produced) }

  final class Decoder: ContentDecoder {
    let (consumed, produced): (Int, Int)

    init(consumed: Int, produced: Int) { (self.consumed, self.produced) = (consumed, produced) }

    func decode(
      _ input: UnsafeRawBufferPointer,
      into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> (consumed: Int, produced: Int) {
      output.initializeMemory(as: UInt8.self, repeating: 0)
      return (consumed, produced)
    }

    func finish() throws(ContentCodingError) {}
  }
}

struct Unavailable: ContentCoding {
  var name: String { "unavailable" }
  func makeDecoder() throws(ContentCodingError) -> any ContentDecoder {
    throw ContentCodingError(.coder, "no memory")
  }
}

@Suite(.timeLimit(.minutes(1))) struct ContentCodingTests {
  @Test func aCustomCodingIsUsed() async throws {
    let stage = ContentDecoding([Doubling(), GzipCoding()])
    let transport = HandlerTransport { _ in coded("x-Doubling", pieces(Array("aabbcc".utf8), of: 1)) }
    let response = try await Pipeline(over: transport, stages: [stage]).send(.get("http://h/"))
    #expect(try await response.body.collect(upTo: 9) == "abc")
    #expect(transport.requests.first?.fields[.acceptEncoding] == "doubling, gzip")
    let inGzip = try await decode(try await gzip(Array("aabb".utf8)), as: "doubling, gzip", through: stage)
    #expect(inGzip == Reading(bytes: Array("ab".utf8)))
    #expect(
      try await decode(Array("aab".utf8), as: "doubling", through: stage).failure
        == .contentCoding(.truncated)
    )
  }

  @Test func errorsNameTheDefect() async throws {
    let stage = ContentDecoding([Doubling()])
    let response = try await respond(with: coded("doubling", ["ab"]), through: stage)
    let error = try await #require(throws: ExchangeError.self) { try await response.body.collect(upTo: 9) }
    #expect(error.message == "the content is not valid doubling: 98 is not 97")
    #expect(error.underlying as? ContentCodingError == ContentCodingError(.malformed, "98 is not 97"))
  }

  @Test(arguments: [(-1, 0), (9, 0), (1, -1), (1, Int.max), (Int.max, 1)])
  func aDecoderThatContradictsItselfIsStopped(consumed: Int, produced: Int) async throws {
    let stage = ContentDecoding([Lying(consumed: consumed, produced: produced)])
    let reading = try await decode(Array("abc".utf8), as: "lying", through: stage)
    #expect(reading.failure == .contentCoding(.coder))
  }

  @Test func aDecoderThatCannotBeMadeIsAnError() async throws {
    let source = ScriptedSource(["abc"])
    let stage = ContentDecoding([Unavailable()])
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await respond(
        with: Response(.ok, fields: [.contentEncoding: "unavailable"], body: Response.Body(source: source)),
        through: stage
      )
    }
    #expect(error.kind == .contentCoding(.coder))
    #expect(source.isCancelled)
  }

  @Test func aCutBodyMayComeCompleteNextTime() {
    #expect(ExchangeError(.contentCoding(.truncated), "x").isTransient)
    for reason in [.unknown, .malformed, .checksum, .coder] as [ExchangeError.CodingFailure] {
      #expect(!ExchangeError(.contentCoding(reason), "x").isTransient)
      #expect("\(ExchangeError.Kind.contentCoding(reason))" == "contentCoding.\(reason.rawValue)")
    }
  }
}
