import Synchronization

/// A source without content.
final class EmptySource: BodySource {
  func next() async throws -> Bytes? { nil }
  func cancel() {}
}

/// A source of content held in memory as one chunk.
final class SingleChunkSource: BodySource {
  private let chunk: Mutex<Bytes?>

  init(_ bytes: Bytes) {
    chunk = Mutex(bytes.isEmpty ? nil : bytes)
  }

  func next() async throws -> Bytes? {
    chunk.withLock { chunk in
      defer { chunk = nil }
      return chunk
    }
  }

  func cancel() {
    chunk.withLock { $0 = nil }
  }
}
