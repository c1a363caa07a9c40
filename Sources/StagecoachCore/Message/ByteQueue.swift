/// Chunks in order, and how many bytes they are.
package struct ByteQueue: Sendable {
  private var chunks: [Bytes] = []
  private var first = 0
  /// The bytes of all chunks.
  package private(set) var count = 0

  package init() {}

  /// About how many bytes of memory they take: small chunks take more than they hold.
  package var footprint: Int { count + (chunks.count - first) * 64 }

  package var isEmpty: Bool { first == chunks.count }

  /// Adds a chunk; an empty one is nothing, and reading would take it for the end.
  package mutating func append(_ chunk: Bytes) {
    guard !chunk.isEmpty else { return }
    chunks.append(chunk)
    count += chunk.count
  }

  package mutating func append(contentsOf more: ByteQueue) {
    if isEmpty {
      self = more
    } else {
      for chunk in more.chunks[more.first...] { append(chunk) }
    }
  }

  package mutating func popFirst() -> Bytes? {
    guard first < chunks.count else { return nil }
    let chunk = chunks[first]
    chunks[first] = Bytes()
    first += 1
    count -= chunk.count
    if first == chunks.count || first == 64 {
      chunks.removeFirst(first)
      first = 0
    }
    return chunk
  }

  /// Copies the start of the first chunk to memory, and no more than that chunk.
  package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard first < chunks.count else { return 0 }
    let chunk = chunks[first]
    let taken = min(chunk.count, buffer.count)
    chunk.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<taken])) }
    if taken == chunk.count {
      _ = popFirst()
    } else {
      chunks[first] = chunk.dropFirst(taken)
      count -= taken
    }
    return taken
  }
}
