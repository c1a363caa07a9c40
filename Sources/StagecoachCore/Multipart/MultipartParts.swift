/// The parts of a multipart response as they arrive, each with its fields and a content that is read chunk by
/// chunk, at the reader's pace.
///
/// They are read once, in order, by one task at a time. Asking for the next part discards what is left of the
/// one before, whose content cannot be read from then on. When nobody holds the parts any more, the transfer
/// is cancelled.
///
/// ```swift
/// for try await part in try await client.get("archive", as: .multipart) {
///   guard part.mediaType == .jpeg else { continue }
///   for try await chunk in part.content { write(chunk) }
/// }
/// ```
public struct MultipartParts: AsyncSequence, Sendable {
  /// A part whose content is still to be read.
  public typealias Element = MultipartPart<MultipartPartBody>

  let reader: MultipartReader

  /// An iterator; all of them share one position.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: reader)
  }

  /// Iterates over the parts.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let reader: MultipartReader

    /// The next part, or nil behind the last.
    ///
    /// - Throws: ``ExchangeError`` of kind `serialization` if the content is no multipart, of kind
    ///   `limit(.structure)` if a limit is reached, with ``MultipartSyntaxError`` underneath; whatever reading
    ///   the body throws; `CancellationError`.
    public mutating func next() async throws -> Element? {
      guard let (number, fields) = try await reader.nextPart() else { return nil }
      return MultipartPart(fields: fields, content: MultipartPartBody(reader: reader, number: number))
    }
  }
}

/// The content of a part, read once, chunk by chunk.
public struct MultipartPartBody: AsyncSequence, Sendable {
  let reader: MultipartReader
  let number: Int

  /// An iterator; all of them share one position.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: reader, number: number)
  }

  /// Iterates over the chunks.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let reader: MultipartReader
    let number: Int

    /// The next chunk, never empty, or nil at the end of the part.
    ///
    /// - Throws: ``ExchangeError`` of kind `bodyAlreadyRead` if the next part was asked for meanwhile; else as
    ///   ``MultipartParts/AsyncIterator/next()``.
    public mutating func next() async throws -> Bytes? {
      try await reader.nextChunk(of: number)
    }
  }

  /// Reads the content to its end into one piece of memory.
  ///
  /// - Parameter limit: The most bytes to accept.
  /// - Throws: ``ExchangeError`` of kind `limit(.body)` when there are more, with the part left where it is;
  ///   whatever reading throws.
  public func collect(upTo limit: Int) async throws -> Bytes {
    var content = MultipartCollector()
    for try await piece in self {
      guard piece.count <= limit - content.count else {
        let start = content.count > 0 ? content.bytes : piece
        // A copy, since a slice would keep all of the content in memory as long as the error.
        let prefix = Bytes(start.prefix(RequestOptions.errorBodyLimit.defaultValue).array)
        throw ExchangeError.bodyLimit(limit, prefix: prefix)
      }
      content.append(piece)
    }
    return content.bytes
  }
}
