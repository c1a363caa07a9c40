import HTTPTypes
import StagecoachCore
import Synchronization

/// Reads a body and gives it compressed, as the reader asks for it.
final class CompressedSource: BodySource {
  private let source: any BodySource
  private let deflater: Mutex<Deflater?>

  init(_ source: any BodySource, level: Int) throws {
    self.source = source
    deflater = Mutex(try Deflater(level: level))
  }

  func next() async throws -> Bytes? {
    while true {
      try Task.checkCancellation()
      let step = try deflater.withLock { deflater in
        guard let deflater else { throw CancellationError() }
        return try deflater.next()
      }
      switch step {
      case .chunk(let chunk): return chunk
      case .end: return nil
      case .needsInput:
        let chunk = try await source.next()
        deflater.withLock { $0?.append(chunk) }
      }
    }
  }

  var trailers: HTTPFields? { source.trailers }

  func cancel() {
    source.cancel()
    deflater.withLock { $0 = nil }
  }
}
