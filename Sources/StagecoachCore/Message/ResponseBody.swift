public import HTTPTypes

extension Response {
  /// The content of a response, read once, chunk by chunk, at the reader's pace.
  ///
  /// A body that is dropped unread cancels its transfer and frees the connection. Since a value lives
  /// to the end of its scope, a stage that leaves a response to go on says so: it calls
  /// ``discard(upTo:within:)`` (small bodies: the connection is kept) or ``cancel()`` (large ones).
  ///
  /// ```swift
  /// let response = try await client.send(.get("/log"))
  /// for try await chunk in response.body {
  ///   chunk.withUnsafeBytes { print($0.count) }
  /// }
  /// print(response.body.trailers as Any)
  /// ```
  public struct Body: Sendable, AsyncSequence {
    enum Storage {
      case empty
      // Indirect, so that a response stays small: every stage passes it on.
      indirect case bytes(Bytes)
      case stream(BodyStream)
    }

    var storage: Storage

    /// No content.
    public static let empty = Body(storage: .empty)

    /// Content in memory.
    public static func bytes(_ bytes: Bytes) -> Body {
      Body(storage: .bytes(bytes))
    }

    init(storage: Storage) {
      self.storage = storage
    }

    /// Content from a source.
    ///
    /// - Parameters:
    ///   - source: Read at most once; cancelled if nobody reads it to its end.
    ///   - length: The count of bytes where it is known; nil else.
    public init(source: any BodySource, length: Int64? = nil) {
      storage = .stream(BodyStream(source, length: length))
    }

    /// What a stage makes of another body.
    ///
    /// The events of the exchange tell of the bytes that came, not of those that were made of them.
    ///
    /// - Parameters:
    ///   - source: Reads the other body, and cancels it when it is cancelled.
    ///   - length: The count of bytes that are made, where it is known; nil by default.
    public init(transforming source: any BodySource, length: Int64? = nil) {
      storage = .stream(BodyStream(source, length: length, isTransformed: true))
    }

    /// Content from a sequence of chunks.
    ///
    /// - Parameters:
    ///   - chunks: Iterated at most once.
    ///   - length: The count of bytes where it is known; nil else.
    ///   - trailers: Asked for trailer fields after the last chunk.
    public init<Chunks: AsyncSequence & Sendable>(
      _ chunks: Chunks,
      length: Int64? = nil,
      trailers: (@Sendable () -> HTTPFields?)? = nil
    ) where Chunks.Element == Bytes {
      self.init(source: AsyncSequenceSource(chunks, trailers: trailers), length: length)
    }

    /// The count of bytes, where it is known before they were read.
    public var length: Int64? {
      switch storage {
      case .empty: 0
      case .bytes(let bytes): Int64(bytes.count)
      case .stream(let stream): stream.length
      }
    }

    /// The trailer fields (RFC 9110 6.5), known once the body was read to its end.
    public var trailers: HTTPFields? {
      if case .stream(let stream) = storage { stream.trailers } else { nil }
    }

    /// Ends the transfer and frees the connection; reading on fails with kind `bodyCancelled`.
    public func cancel() {
      if case .stream(let stream) = storage { stream.cancel(.cancelled) }
    }

    /// Reads and forgets a body of at most so many bytes, which keeps the connection for the next
    /// request, and cancels a larger, slower or failing one.
    ///
    /// - Parameters:
    ///   - limit: The most bytes to read, 16 KiB by default.
    ///   - duration: The longest time to read for, 100 ms by default.
    /// - Returns: Whether the body was read to its end.
    @discardableResult
    public func discard(upTo limit: Int = 16 * 1024, within duration: Duration = .milliseconds(100)) async
      -> Bool
    {
      guard case .stream(let stream) = storage else { return true }
      return await stream.discard(upTo: limit, within: duration)
    }

    /// Reads the body to its end into one piece of memory; a body of a single chunk is not copied.
    ///
    /// - Parameter limit: The most bytes to accept.
    /// - Throws: ``ExchangeError`` of kind `limit(.body)` when there are more, and whatever reading
    ///   throws; `CancellationError` when the task is cancelled.
    public func collect(upTo limit: Int) async throws -> Bytes {
      switch storage {
      case .empty: return Bytes()
      case .bytes(let bytes):
        guard bytes.count <= limit else { throw ExchangeError.bodyLimit(limit, prefix: bytes) }
        return bytes
      case .stream(let stream): return try await stream.collect(upTo: limit)
      }
    }

    /// Calls a closure when the body ends, exactly once: read to its end, failed, or dropped.
    ///
    /// What was acquired for an exchange (a slot, a span, a cache entry being written) is released
    /// here, because an exchange ends with its body and not when `next` returns. The closure runs
    /// on whatever thread ends the body and must not block.
    public mutating func onEnd(_ handler: @escaping @Sendable (BodyEnd) -> Void) {
      becomeReadOnce()
      switch storage {
      case .stream(let stream): stream.onEnd(handler)
      case .empty, .bytes: handler(.finished)
      }
    }

    /// Makes content in memory behave as what comes from a network does: whoever reads twice learns of it
    /// over every transport.
    mutating func becomeReadOnce() {
      guard case .bytes(let bytes) = storage else { return }
      storage = .stream(BodyStream(SingleChunkSource(bytes), length: Int64(bytes.count)))
    }

    /// The chunks of the body. A second iterator of a streamed body throws
    /// ``ExchangeError`` of kind `bodyAlreadyRead`.
    public func makeAsyncIterator() -> AsyncIterator {
      switch storage {
      case .empty: AsyncIterator(state: .chunk(nil))
      case .bytes(let bytes): AsyncIterator(state: .chunk(bytes.isEmpty ? nil : bytes))
      case .stream(let stream): AsyncIterator(state: .stream(stream, isFirst: stream.claim()))
      }
    }

    /// Iterates over the chunks of a body.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
      enum State {
        case chunk(Bytes?)
        case stream(BodyStream, isFirst: Bool)
      }

      private var state: State

      init(state: State) {
        self.state = state
      }

      /// The next chunk, or nil at the end.
      ///
      /// - Throws: ``ExchangeError`` naming the stage that made the body; `CancellationError`.
      public mutating func next() async throws -> Bytes? {
        switch state {
        case .chunk(let chunk):
          state = .chunk(nil)
          return chunk
        case .stream(let stream, let isFirst):
          guard isFirst else { throw stream.alreadyRead }
          return try await stream.next()
        }
      }
    }
  }
}

/// How a response body ended.
@nonexhaustive
public enum BodyEnd: Sendable {
  /// It was read to its end.
  case finished
  /// Reading it failed.
  case failed(any Error)
  /// It was cancelled, or nobody holds it any more.
  case dropped
}

extension Response.Body: CustomStringConvertible, CustomReflectable {
  /// Where the content is and how long it is, and nothing of it.
  public var description: String {
    switch storage {
    case .empty: "no content"
    case .bytes(let bytes): "\(bytes)"
    case .stream: length.map { "a stream of \($0) bytes" } ?? "a stream"
    }
  }

  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
