public import StagecoachCore

/// A queue of chunks that knows its size in bytes.
public struct ByteQueue: Sendable {
  private var chunks: [Bytes] = []
  private var first = 0
  /// The number of bytes of all chunks.
  public private(set) var count = 0

  /// Creates an empty queue.
  public init() {}

  /// The approximate memory of the chunks in bytes: a small chunk takes more than it contains.
  public var footprint: Int { count + (chunks.count - first) * 64 }

  /// Whether there is no chunk.
  public var isEmpty: Bool { first == chunks.count }

  /// Adds a chunk. An empty chunk is ignored, because a reader would take it for the end.
  public mutating func append(_ chunk: Bytes) {
    guard !chunk.isEmpty else { return }
    chunks.append(chunk)
    count += chunk.count
  }

  /// Adds the chunks of another queue.
  public mutating func append(contentsOf more: ByteQueue) {
    if isEmpty {
      self = more
    } else {
      for chunk in more.chunks[more.first...] { append(chunk) }
    }
  }

  /// Removes and returns the first chunk; `nil` if there is none.
  public mutating func popFirst() -> Bytes? {
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

  /// Moves bytes of the first chunk to a buffer.
  ///
  /// - Returns: The number of bytes; 0 if the queue is empty.
  public mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
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
