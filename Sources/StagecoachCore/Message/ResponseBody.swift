public import HTTPTypes

extension Response {
  /// The content of a response: a sequence of chunks that is read once, at the pace of the reader.
  ///
  /// A body that is dropped unread cancels its transfer and frees the connection. A value lives to the end of its
  /// scope, so a stage that replaces a response must release its body explicitly: with ``discard(upTo:within:)`` for
  /// small bodies, which keeps the connection, or with ``cancel()`` for large ones.
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
      // Indirect, so that a response, which every stage passes on, stays small.
      indirect case bytes(Bytes)
      case stream(BodyStream)
    }

    var storage: Storage

    /// No content.
    public static let empty = Body(storage: .empty)

    /// Creates a body from bytes in memory: a literal, or `Bytes(text)`.
    public static func bytes(_ bytes: Bytes) -> Body {
      Body(storage: .bytes(bytes))
    }

    init(storage: Storage) {
      self.storage = storage
    }

    /// Creates a body from a source.
    ///
    /// - Parameters:
    ///   - source: The source, read at most once; cancelled if it is not read to its end.
    ///   - length: The number of bytes, if known.
    public init(source: any BodySource, length: Int64? = nil) {
      storage = .stream(BodyStream(source, length: length))
    }

    /// Creates a body that a stage, or a transport around another one, makes from another body.
    ///
    /// The events of the exchange report the bytes, the trailers and the end of the original body, once. If the source
    /// reads no other body, those of this one are reported.
    ///
    /// - Parameters:
    ///   - source: Reads the other body, and cancels it when it is cancelled itself.
    ///   - length: The number of bytes of the new body, if known; `nil` by default.
    public init(transforming source: any BodySource, length: Int64? = nil) {
      storage = .stream(BodyStream(source, length: length, isTransformed: true))
    }

    /// Creates a body from a sequence of chunks.
    ///
    /// - Parameters:
    ///   - chunks: The chunks, iterated at most once.
    ///   - length: The number of bytes, if known.
    ///   - trailers: Returns the trailer fields, after the last chunk.
    public init<Chunks: AsyncSequence & Sendable>(
      _ chunks: Chunks,
      length: Int64? = nil,
      trailers: (@Sendable () -> HTTPFields?)? = nil
    ) where Chunks.Element == Bytes {
      self.init(source: AsyncSequenceSource(chunks, trailers: trailers), length: length)
    }

    /// The number of bytes, if it is known before they are read.
    public var length: Int64? {
      switch storage {
      case .empty: 0
      case .bytes(let bytes): Int64(bytes.count)
      case .stream(let stream): stream.length
      }
    }

    /// Whether there is no content at all, which is different from content of length zero.
    package var isEmpty: Bool {
      if case .empty = storage { true } else { false }
    }

    /// Whether the content comes from a source, and can be read only once.
    package var isStreamed: Bool {
      if case .stream = storage { true } else { false }
    }

    /// Returns an iterator, and whether it is the first one: a second iterator of a streamed body must not end the
    /// transfer.
    package func claim() -> (iterator: AsyncIterator, isFirst: Bool) {
      guard case .stream(let stream) = storage else { return (makeAsyncIterator(), true) }
      let isFirst = stream.claim()
      return (AsyncIterator(state: .stream(stream, isFirst: isFirst)), isFirst)
    }

    /// Cancels the transfer because reading failed.
    package func cancel(becauseOf failure: any Error) {
      if case .stream(let stream) = storage { stream.cancel(.cancelled, failure: failure) }
    }

    /// The trailer fields, known once the body has been read to its end (RFC 9110 6.5).
    public var trailers: HTTPFields? {
      if case .stream(let stream) = storage { stream.trailers } else { nil }
    }

    /// Cancels the transfer and frees the connection. Later reads throw an error of kind `bodyCancelled`.
    public func cancel() {
      if case .stream(let stream) = storage { stream.cancel(.cancelled) }
    }

    /// Reads and discards the body if it is small, so that the connection can be reused. Cancels the transfer if the
    /// body is too large, too slow or fails.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes to read, 16 KiB by default.
    ///   - duration: The maximum time to read, 100 ms by default.
    /// - Returns: Whether the body was read to its end.
    @discardableResult
    public func discard(upTo limit: Int = 16 * 1024, within duration: Duration = .milliseconds(100)) async
      -> Bool
    {
      guard case .stream(let stream) = storage else { return true }
      return await stream.discard(upTo: limit, within: duration)
    }

    /// Reads the body to its end into memory. A body of a single chunk is not copied.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: ``ExchangeError`` of kind `limit(.body)` if the body is larger, and any error of reading;
    ///   `CancellationError` if the task is cancelled.
    public func collect(upTo limit: Int) async throws -> Bytes {
      switch storage {
      case .empty: return Bytes()
      case .bytes(let bytes):
        guard bytes.count <= limit else { throw ExchangeError.bodyLimit(limit, prefix: bytes) }
        return bytes
      case .stream(let stream): return try await stream.collect(upTo: limit)
      }
    }

    /// Adds a closure that is called exactly once when the body ends: read to its end, failed, or dropped.
    ///
    /// Use it to release the resources of an exchange, such as a slot, a span or a cache entry being written: an
    /// exchange ends with its body, not when `next` returns. The closure runs on the thread that ends the body and
    /// must not block.
    public mutating func onEnd(_ handler: @escaping @Sendable (BodyEnd) -> Void) {
      becomeReadOnce()
      switch storage {
      case .stream(let stream): stream.onEnd(handler)
      case .empty, .bytes: handler(.finished)
      }
    }

    /// Makes in-memory content behave like streamed content, so that reading it twice fails with every transport.
    mutating func becomeReadOnce() {
      guard case .bytes(let bytes) = storage else { return }
      storage = .stream(BodyStream(SingleChunkSource(bytes), length: Int64(bytes.count)))
    }

    /// Returns an iterator over the chunks of the body. A second iterator of a streamed body throws ``ExchangeError``
    /// of kind `bodyAlreadyRead`.
    public func makeAsyncIterator() -> AsyncIterator {
      switch storage {
      case .empty: AsyncIterator(state: .chunk(nil))
      case .bytes(let bytes): AsyncIterator(state: .chunk(bytes.isEmpty ? nil : bytes))
      case .stream(let stream): AsyncIterator(state: .stream(stream, isFirst: stream.claim()))
      }
    }

    /// An iterator over the chunks of a body.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
      enum State {
        case chunk(Bytes?)
        case stream(BodyStream, isFirst: Bool)
      }

      private var state: State

      init(state: State) {
        self.state = state
      }

      /// Returns the next chunk, or `nil` at the end.
      ///
      /// - Throws: ``ExchangeError`` that names the stage that created the body; `CancellationError`.
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

/// The way a response body ended.
@nonexhaustive
public enum BodyEnd: Sendable {
  /// The body was read to its end.
  case finished
  /// Reading the body failed.
  case failed(any Error)
  /// The body was cancelled, or its last reference went away.
  case dropped
}

extension Response.Body: CustomStringConvertible, CustomReflectable {
  /// The kind and the length of the content, without the content itself.
  public var description: String {
    switch storage {
    case .empty: "no content"
    case .bytes(let bytes): "\(bytes)"
    case .stream: length.map { "a stream of \($0) bytes" } ?? "a stream"
    }
  }

  /// An empty mirror, so that the content is not shown.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
