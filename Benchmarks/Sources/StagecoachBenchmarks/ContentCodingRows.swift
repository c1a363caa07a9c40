import CInflate
import HTTPTypes
import Stagecoach
import StagecoachContentCoding
import Synchronization

/// Decoding gzip through the stage, chunks of 64 KiB of a body in memory, against zlib driven from C.
struct ContentCodingRows {
  let quick: Bool

  private static let chunkSize = 64 * 1024

  private struct Failure: Error {}

  private struct CodedTransport: Transport {
    let chunks: [Bytes]

    func send(_ request: Request) async throws -> Response {
      let fields: HTTPFields = [.contentEncoding: "gzip"]
      return Response(.ok, fields: fields, body: Response.Body(source: ChunkSource(chunks)))
    }
  }

  func run() async throws -> [Row] {
    let plain = Self.text(of: (quick ? 16 : 64) * 1024 * 1024)
    let coded = try Self.gzip(plain)
    let chunks = stride(from: 0, to: coded.count, by: Self.chunkSize).map {
      Bytes(coded[$0..<min($0 + Self.chunkSize, coded.count)])
    }
    let pipeline = Pipeline(over: CodedTransport(chunks: chunks), stages: [ContentDecoding()])
    let request = Request.get("http://test/")
    let costs = try await interleaved(rounds: quick ? 5 : 15, units: plain.count) {
      var count = 0
      for try await chunk in try await pipeline.send(request).body { count += chunk.count }
      guard count == plain.count else { throw Failure() }
    } peer: {
      guard inflate_blocks(coded, coded.count) == plain.count else { throw Failure() }
    }
    return [
      Row("gzip/decode/throughput", unit: "MB/s", peerName: "zlib from C", costs) { 1e-6 / $0.wall },
      Row("gzip/decode/throughput-per-cpu", unit: "MB/s of CPU", peerName: "zlib from C", costs) {
        1e-6 / $0.cpu
      },
    ]
  }

  /// Text like that of an API: names repeat, values do not.
  private static func text(of size: Int) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(size + 200)
    var state: UInt64 = 42
    while text.count < size {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let item =
        #"{"id":\#(state >> 40),"name":"item \#(state >> 50)","price":\#(state >> 44),"active":true}"#
      text.append(contentsOf: item.utf8)
    }
    return text
  }

  private static func gzip(_ plain: [UInt8]) throws -> [UInt8] {
    let coded = [UInt8](unsafeUninitializedCapacity: plain.count) { output, count in
      count = inflate_gzip(plain, plain.count, output.baseAddress, output.count)
    }
    guard !coded.isEmpty else { throw Failure() }
    return coded
  }
}

/// Gives chunks that are in memory.
private final class ChunkSource: BodySource {
  private let chunks: Mutex<ArraySlice<Bytes>>

  init(_ chunks: [Bytes]) { self.chunks = Mutex(chunks[...]) }

  func next() async throws -> Bytes? { chunks.withLock { $0.popFirst() } }
  func cancel() { chunks.withLock { $0 = [] } }
}
