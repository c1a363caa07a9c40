/// The lines of a body as they arrive, without the LF, CR or CR LF that ends each.
///
/// The body is read at the pace of the reader, and once: a second iterator is refused. Leaving the loop before the end
/// cancels the transfer. A line of more than ``RequestOptions/elementLimit`` bytes, or one that is not text in the
/// charset of the body, is an ``ExchangeError`` with an ``ElementError`` underneath.
///
/// ```swift
/// for try await line in try await client.get("log", as: .lines) where line.hasPrefix("E") {
///   print(line)
/// }
/// ```
public struct TextLines: AsyncSequence, Sendable {
  let source: ElementSource
  let text: LineText
  let limit: Int

  /// An iterator that reads the body.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: ElementIterator(source, LineDecoder(text, limit: limit)))
  }

  /// Iterates over the lines of a body.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: ElementIterator<LineDecoder>

    /// The next line, nil at the end.
    ///
    /// - Throws: ``ExchangeError``; `CancellationError` if the task is cancelled.
    public mutating func next() async throws -> String? {
      try await base.next()
    }
  }
}

/// Splits bytes into lines of text.
struct LineDecoder: ElementDecoder {
  private var splitter: ByteSplitter
  private var text: LineText

  init(_ text: LineText, limit: Int) {
    splitter = ByteSplitter(.lineEnd, limit: limit)
    self.text = text
  }

  var index: Int { text.count }

  mutating func append(_ chunk: Bytes) {
    splitter.append(chunk)
  }

  mutating func next() throws -> String? {
    try splitter.next { try text.read($0, at: $1) }
  }

  mutating func finish() throws -> String? {
    // A byte order mark alone is no line.
    try splitter.finish { bytes, offset in
      let line = try text.read(bytes, at: offset)
      return line.isEmpty ? nil : line
    }
  }
}

/// Decodes one line after the other.
struct LineText: Sendable {
  /// The charset, in which LF and CR are what they are in ASCII.
  private(set) var charset: Charset
  let mode: Charset.Mode
  /// Whether a UTF-8 byte order mark decides over the charset.
  let heedsMark: Bool
  /// How many lines have been read.
  private(set) var count = 0

  init(charset: Charset, mode: Charset.Mode, heedsMark: Bool) {
    self.charset = charset
    self.mode = mode
    self.heedsMark = heedsMark
  }

  mutating func read(_ line: UnsafeRawBufferPointer, at offset: Int64) throws -> String {
    var line = line
    if count == 0, heedsMark, line.startsWithUTF8Mark {
      charset = .utf8
      line = UnsafeRawBufferPointer(rebasing: line.dropFirst(3))
    }
    do throws(CharsetError) {
      let text = try charset.decode(line, mode: mode)
      count += 1
      return text
    } catch {
      throw ElementError(.notText(error), index: count, offset: offset, bytes: line)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes begin with the byte order mark of UTF-8.
  var startsWithUTF8Mark: Bool {
    count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
  }
}
