/// Where an engine leaves what comes of a response body, and its reader finds it: the chunks, the end, and who waits.
///
/// A transfer keeps it under its lock. It resumes nobody: whom to resume is handed out once, to be resumed when the
/// lock is free again.
package struct BodyInbox: Sendable {
  /// A task that waits for a chunk; resumed exactly once, by whoever gets it from the inbox.
  package typealias Reader = UnsafeContinuation<Bytes?, any Error>

  /// What a reader gets without waiting.
  package struct Taken {
    /// The chunk; nil at the end.
    package let chunk: Bytes?
    /// Whether the engine, which had to pause, can go on.
    package let resumesEngine: Bool
  }

  /// A reader that need not wait any longer.
  package struct Served {
    private let reader: Reader
    private let result: Result<Bytes?, any Error>
    /// Whether the engine, which had to pause, can go on.
    package let resumesEngine: Bool

    fileprivate init(_ reader: Reader, _ result: Result<Taken, any Error>) {
      self.reader = reader
      self.result = result.map(\.chunk)
      resumesEngine = if case .success(let taken) = result { taken.resumesEngine } else { false }
    }

    /// Lets the reader go on.
    package func resume() {
      reader.resume(with: result)
    }
  }

  /// How many bytes wait for their reader, counted as the memory they take, before the engine is to pause.
  package static let capacity = 256 * 1024

  private var chunks = ByteQueue()
  private var reader: Reader?
  /// Whether the engine was told to pause.
  package private(set) var isPaused = false
  /// How the body ended, if it did; what came before a failure can be read first.
  package private(set) var end: Result<Void, any Error>?

  package init() {}

  /// Whether a reader waits.
  package var hasReader: Bool { reader != nil }

  /// How many bytes wait for their reader.
  package var count: Int { chunks.count }

  /// How much memory they take, in bytes.
  package var footprint: Int { chunks.footprint }

  package mutating func append(_ chunk: Bytes) {
    chunks.append(chunk)
  }

  package mutating func append(contentsOf more: ByteQueue) {
    chunks.append(contentsOf: more)
  }

  /// Ends the body, once.
  package mutating func finish(_ result: Result<Void, any Error>) {
    end = end ?? result
  }

  /// Forgets what was not read.
  package mutating func discard() {
    chunks = ByteQueue()
  }

  /// Whether the engine is to pause: there is enough for the reader, who has yet to read it.
  ///
  /// - Parameter more: How much memory the engine holds besides, in bytes.
  package mutating func pauses(with more: Int = 0) -> Bool {
    isPaused = end == nil && chunks.footprint + more >= Self.capacity
    return isPaused
  }

  /// What the reader can have at once; nil if it has to wait.
  ///
  /// - Parameter reader: Kept, where there is nothing for it, until ``serve()`` hands it out.
  /// - Throws: The failure, after all that came before it.
  package mutating func take(orKeep reader: Reader? = nil) throws -> Taken? {
    if let chunk = chunks.popFirst() {
      let resumesEngine = isPaused && chunks.footprint < Self.capacity / 2
      if resumesEngine { isPaused = false }
      return Taken(chunk: chunk, resumesEngine: resumesEngine)
    }
    switch end {
    case nil:
      if let reader { self.reader = reader }
      return nil
    case .success: return Taken(chunk: nil, resumesEngine: false)
    case .failure(let error): throw error
    }
  }

  /// The reader that waits, if there is something for it now.
  package mutating func serve() -> Served? {
    guard let reader else { return nil }
    do {
      guard let taken = try take(orKeep: reader) else { return nil }
      self.reader = nil
      return Served(reader, .success(taken))
    } catch {
      self.reader = nil
      return Served(reader, .failure(error))
    }
  }
}
