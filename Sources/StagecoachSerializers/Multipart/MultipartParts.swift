public import StagecoachCore

/// The parts of a multipart response as they arrive. The content of each part is read chunk by chunk, at the pace of
/// the reader.
///
/// The parts are read once, in order, by one task at a time. Reading the next part discards the rest of the previous
/// one, whose content cannot be read any more. The transfer is cancelled when the last reference to the parts goes
/// away.
///
/// ```swift
/// for try await part in try await client.get("archive", as: .multipart) {
///   guard part.mediaType == .jpeg else { continue }
///   for try await chunk in part.content { print(chunk.count) }
/// }
/// ```
public struct MultipartParts: AsyncSequence, Sendable {
  /// A part whose content has not been read yet.
  public typealias Element = MultipartPart<MultipartPartBody>

  let reader: MultipartReader

  /// Returns an iterator; all iterators share one position.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: reader)
  }

  /// An iterator over the parts.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let reader: MultipartReader

    /// Returns the next part, or `nil` after the last one.
    ///
    /// - Throws: ``ExchangeError`` of kind `serialization` if the content is not multipart, of kind
    ///   `limit(.structure)` if a limit is exceeded, with ``MultipartError`` as the underlying error; any error
    ///   of reading the body; `CancellationError`.
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

  /// Returns an iterator; all iterators share one position.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: reader, number: number)
  }

  /// An iterator over the chunks.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let reader: MultipartReader
    let number: Int

    /// Returns the next chunk, which is never empty, or `nil` at the end of the part.
    ///
    /// - Throws: ``ExchangeError`` of kind `bodyAlreadyRead` if the next part was read meanwhile; otherwise as
    ///   ``MultipartParts/AsyncIterator/next()``.
    public mutating func next() async throws -> Bytes? {
      try await reader.nextChunk(of: number)
    }
  }

  /// Reads the content to its end into memory.
  ///
  /// - Parameter limit: The maximum number of bytes.
  /// - Throws: ``ExchangeError`` of kind `limit(.body)` if there are more bytes, with the part left at that position;
  ///   any error of reading.
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
