public import StagecoachCore

/// The buffer between the engine of a transport and the reader of a response body: the chunks, the end, and the reader
/// that waits.
///
/// It is kept under the lock of a transfer and resumes nothing itself: it hands out the reader, to be resumed after the
/// lock is released.
public struct BodyInbox: Sendable {
  /// A task that waits for a chunk. The code that takes it from the inbox resumes it, exactly once.
  public typealias Reader = UnsafeContinuation<Bytes?, any Error>

  /// A chunk or the end, available without waiting.
  public struct Taken: Sendable {
    /// The chunk; nil at the end.
    public let chunk: Bytes?
    /// Whether the engine was paused and must resume.
    public let resumesEngine: Bool
  }

  /// A reader that waited, with its chunk or the end.
  public struct Served: Sendable {
    private let reader: Reader
    private let result: Result<Bytes?, any Error>
    /// Whether the engine was paused and must resume.
    public let resumesEngine: Bool

    fileprivate init(_ reader: Reader, _ result: Result<Taken, any Error>) {
      self.reader = reader
      self.result = result.map(\.chunk)
      resumesEngine = if case .success(let taken) = result { taken.resumesEngine } else { false }
    }

    /// Resumes the reader.
    public func resume() {
      reader.resume(with: result)
    }
  }

  /// The amount of unread memory at which the engine must pause: 256 KiB.
  public static let capacity = 256 * 1024

  private var chunks = ByteQueue()
  private var reader: Reader?
  /// Whether the engine was told to pause.
  public private(set) var isPaused = false
  /// The end of the body, once known. Chunks before a failure can still be read.
  public private(set) var end: Result<Void, any Error>?

  /// Creates an empty inbox.
  public init() {}

  /// Whether a reader waits.
  public var hasReader: Bool { reader != nil }

  /// The number of unread bytes.
  public var count: Int { chunks.count }

  /// The memory of the unread chunks, in bytes.
  public var footprint: Int { chunks.footprint }

  /// Adds a chunk.
  public mutating func append(_ chunk: Bytes) {
    chunks.append(chunk)
  }

  /// Adds several chunks.
  public mutating func append(contentsOf more: ByteQueue) {
    chunks.append(contentsOf: more)
  }

  /// Ends the body. A second end is ignored.
  public mutating func finish(_ result: Result<Void, any Error>) {
    end = end ?? result
  }

  /// Drops the unread chunks.
  public mutating func discard() {
    chunks = ByteQueue()
  }

  /// Decides whether the engine must pause, because the capacity is reached, and remembers that.
  ///
  /// - Parameter more: The memory that the engine holds in addition, in bytes.
  public mutating func pauses(with more: Int = 0) -> Bool {
    isPaused = end == nil && chunks.footprint + more >= Self.capacity
    return isPaused
  }

  /// Takes the next chunk or the end; `nil` if there is neither yet.
  ///
  /// - Parameter reader: The task that waits in that case, until ``serve()`` hands it out.
  /// - Throws: The failure of the body, after the chunks before it.
  public mutating func take(orKeep reader: Reader? = nil) throws -> Taken? {
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

  /// Takes the reader that waits, if there is a chunk or the end for it.
  public mutating func serve() -> Served? {
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
