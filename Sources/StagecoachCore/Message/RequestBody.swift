public import HTTPTypes
import Synchronization

extension Request {
  /// The content of a request, with its length and whether it can be sent again.
  ///
  /// Stages that send a request again (redirects, retry, authentication) check ``isReplayable`` first.
  ///
  /// ```swift
  /// var request = Request(.put, "/notes/7")
  /// request.body = .bytes("hello")
  /// request.body = try .file("/tmp/film.mp4")
  /// request.body = .stream(length: nil) {
  ///   AsyncStream<Bytes> { chunks in  // from the start, each time
  ///     chunks.yield("hello")
  ///     chunks.finish()
  ///   }
  /// }
  /// ```
  public struct Body: Sendable {
    // Indirect, so that a request, which every stage copies, stays small.
    indirect enum Storage {
      case empty
      case bytes(Bytes)
      case file(FileRange)
      case stream(StreamedContent)
    }

    let storage: Storage

    /// No content.
    public static let empty = Body(storage: .empty)

    /// Creates a body from bytes in memory; replayable.
    public static func bytes(_ bytes: Bytes) -> Body {
      Body(storage: .bytes(bytes))
    }

    /// Creates a body from a file or a range of it, read while it is sent; replayable.
    ///
    /// - Parameters:
    ///   - path: The path of a regular file.
    ///   - range: The bytes to send, as offsets from the start of the file; `nil` for the whole file.
    /// - Throws: ``ExchangeError`` of kind `file` if the file cannot be read or is shorter than the
    ///   range.
    public static func file(_ path: String, range: Range<Int64>? = nil) throws -> Body {
      Body(storage: .file(try FileRange(path: path, range: range)))
    }

    /// Creates a body from a sequence of chunks that is created anew each time the body is sent; replayable.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, if known; sent as Content-Length and enforced.
    ///   - trailers: Returns the trailer fields, after the last chunk.
    ///   - make: Creates the sequence, starting at its first chunk.
    public static func stream<Chunks: AsyncSequence & Sendable>(
      length: Int64?,
      trailers: (@Sendable () -> HTTPFields?)? = nil,
      _ make: @escaping @Sendable () throws -> Chunks
    ) -> Body where Chunks.Element == Bytes {
      Body(
        storage: .stream(
          StreamedContent(length: length, hasTrailers: trailers != nil, isReplayable: true) {
            AsyncSequenceSource(try make(), trailers: trailers)
          }
        )
      )
    }

    /// Creates a body from a sequence of chunks that can be iterated only once; not replayable.
    ///
    /// - Parameters:
    ///   - chunks: The chunks, consumed by the first attempt to send them.
    ///   - length: The number of bytes, if known; sent as Content-Length and enforced.
    ///   - trailers: Returns the trailer fields, after the last chunk.
    public static func oneShot<Chunks: AsyncSequence & Sendable>(
      _ chunks: Chunks,
      length: Int64?,
      trailers: (@Sendable () -> HTTPFields?)? = nil
    ) -> Body where Chunks.Element == Bytes {
      Body(
        storage: .stream(
          StreamedContent(length: length, hasTrailers: trailers != nil, isReplayable: false) {
            AsyncSequenceSource(chunks, trailers: trailers)
          }
        )
      )
    }

    /// Creates a body from a custom source.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, if known; sent as Content-Length and enforced.
    ///   - isReplayable: Whether `make` may be called again for another attempt.
    ///   - hasTrailers: Whether the source may have trailer fields.
    ///   - make: Creates the source, starting at its first byte.
    public static func source(
      length: Int64?,
      isReplayable: Bool,
      hasTrailers: Bool = false,
      _ make: @escaping @Sendable () throws -> any BodySource
    ) -> Body {
      Body(
        storage: .stream(
          StreamedContent(length: length, hasTrailers: hasTrailers, isReplayable: isReplayable, make: make)
        )
      )
    }

    /// The number of bytes; `nil` if it is known only at the end of the stream.
    public var length: Int64? {
      switch storage {
      case .empty: 0
      case .bytes(let bytes): Int64(bytes.count)
      case .file(let file): file.length
      case .stream(let content): content.length
      }
    }

    /// Whether there is no content at all, which is different from content of length zero.
    public var isEmpty: Bool {
      if case .empty = storage { true } else { false }
    }

    /// Whether the content can be sent more than once.
    public var isReplayable: Bool {
      if case .stream(let content) = storage { content.isReplayable } else { true }
    }

    /// Whether the content can be sent now: it is replayable or has not been sent yet.
    package var isAvailable: Bool {
      if case .stream(let content) = storage { content.isAvailable } else { true }
    }

    /// The identity of content that can be sent only once; `nil` for replayable content.
    package var identityOfOnce: ObjectIdentifier? {
      guard case .stream(let content) = storage, !content.isReplayable else { return nil }
      return ObjectIdentifier(content)
    }

    /// The path of the file, if the content is a whole file.
    package var wholeFile: String? {
      guard case .file(let file) = storage, file.isWhole else { return nil }
      return file.path
    }

    /// The path and the range of the file, if the content is one; the range is `nil` for a whole file.
    package var fileRange: (path: String, range: Range<Int64>?)? {
      guard case .file(let file) = storage else { return nil }
      return (file.path, file.isWhole ? nil : file.offset..<file.offset + file.length)
    }

    /// Whether trailer fields may follow the content.
    public var hasTrailers: Bool {
      if case .stream(let content) = storage { content.hasTrailers } else { false }
    }

    /// The content, if it is in memory as one chunk.
    public var bytes: Bytes? {
      switch storage {
      case .empty: Bytes()
      case .bytes(let bytes): bytes
      case .file, .stream: nil
      }
    }

    /// Opens the content at its first byte and checks it against its declared length while it is read.
    ///
    /// - Throws: ``ExchangeError`` of kind `bodyNotReplayable` if content that can be sent only once was opened
    ///   before, of kind `file` if the file does not exist any more.
    public func makeSource() throws -> any BodySource {
      switch storage {
      case .empty: EmptySource()
      case .bytes(let bytes): SingleChunkSource(bytes)
      case .file(let file): try FileSource(file)
      case .stream(let content): try content.open()
      }
    }
  }
}

extension Request.Body: CustomStringConvertible, CustomReflectable {
  /// The kind and the length of the content, without the content itself.
  public var description: String {
    switch storage {
    case .empty: "no content"
    case .bytes(let bytes): "\(bytes)"
    case .file(let file): "\(file.length) bytes of a file"
    case .stream(let content): content.length.map { "a stream of \($0) bytes" } ?? "a stream"
    }
  }

  /// An empty mirror, so that the content is not shown.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Streamed content: the closure that creates its source, and whether it was called.
final class StreamedContent: Sendable {
  let length: Int64?
  let hasTrailers: Bool
  let isReplayable: Bool
  private let make: @Sendable () throws -> any BodySource
  private let wasOpened = Atomic(false)

  init(
    length: Int64?,
    hasTrailers: Bool,
    isReplayable: Bool,
    make: @escaping @Sendable () throws -> any BodySource
  ) {
    self.length = length
    self.hasTrailers = hasTrailers
    self.isReplayable = isReplayable
    self.make = make
  }

  var isAvailable: Bool { isReplayable || !wasOpened.load(ordering: .relaxed) }

  func open() throws -> any BodySource {
    let again = wasOpened.exchange(true, ordering: .relaxed)
    guard isReplayable || !again else {
      throw ExchangeError(
        .bodyNotReplayable,
        "the request body can be sent only once, and was already sent",
        advice: "create the body with .bytes, .file or .stream, which can be sent again"
      )
    }
    let source = try make()
    guard length != nil || hasTrailers else { return source }
    return CheckedSource(source, length: length, hasTrailers: hasTrailers)
  }
}

/// Checks that a body has exactly its declared length: a body that differs from its Content-Length breaks the framing
/// of everything after it (RFC 9112 6.3). Also checks trailer fields.
private final class CheckedSource: BodySource {
  private let source: any BodySource
  private let length: Int64?
  private let hasTrailers: Bool
  private let passed = Atomic<Int64>(0)
  /// The checked trailer fields; their source is called only once.
  private let checked = Mutex<HTTPFields?>(nil)

  init(_ source: any BodySource, length: Int64?, hasTrailers: Bool) {
    self.source = source
    self.length = length
    self.hasTrailers = hasTrailers
  }

  func next() async throws -> Bytes? {
    let chunk = try await source.next()
    let total = passed.add(Int64(chunk?.count ?? 0), ordering: .relaxed).newValue
    if let length {
      guard total <= length, chunk != nil || total == length else {
        source.cancel()
        throw ExchangeError(
          .requestBody,
          "the request body has \(chunk == nil ? "only" : "at least") \(total) bytes (declared \(length))",
          advice: "declare the actual length, or nil to send the body chunked"
        )
      }
    }
    if chunk == nil, hasTrailers, let trailers = source.trailers {
      try FieldSafety.check(trailers: trailers)
      checked.withLock { $0 = trailers }
    }
    return chunk
  }

  var trailers: HTTPFields? { checked.withLock { $0 } }

  func cancel() { source.cancel() }
}
