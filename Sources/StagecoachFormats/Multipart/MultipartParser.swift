public import HTTPTypes

/// An incremental parser that splits multipart content into parts (RFC 2046 5.1).
///
/// It does no I/O and stores no content: pass it chunks with ``feed(_:)``, take events with ``next()`` until that
/// returns `nil`, and repeat; call ``finish()`` after the last chunk and take the remaining events. The chunks only
/// affect how the content of a part is split into events.
///
/// ```swift
/// var parser = try MultipartParser(boundary: "b")
/// parser.feed("--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n")
/// parser.finish()
/// while let event = try parser.next() { print(event) }
/// ```
///
/// A boundary line is `--` and the boundary, `--` again at the end of the content, and whitespace. A line that only
/// starts like a boundary line is content, so that a nested multipart with a longer boundary is kept (RFC 2046 would
/// end the outer part there). Text before the first and after the last boundary is ignored.
///
/// HTTP requires CRLF as the line end. If the first boundary line ends in a bare LF, as written by some generators,
/// then the line break before every boundary is LF only, and a CR before it is content. Otherwise it is CRLF only, and
/// LF is content. Field lines may end in either, and may be folded.
public struct MultipartParser: Sendable {
  /// An event of the parser.
  public enum Event: Sendable, Hashable {
    /// A part started, with these fields.
    case partStarted(HTTPFields)
    /// Content of the part, never empty, sharing the memory of the chunk.
    case content(Bytes)
    /// The part ended.
    case partEnded
    /// The closing boundary was read; the rest is ignored.
    case ended
  }

  private enum State {
    case preamble
    case head
    case content
    case closing
    case epilogue
  }

  private let limits: MultipartLimits
  private let marker: [UInt8]
  private var state = State.preamble
  private var failure: MultipartError?

  /// The bytes that were added but not read yet.
  private var input = Bytes()
  private var isFinished = false

  /// The line break in front of a boundary, and the boundary.
  private var delimiter: [UInt8]
  /// The number of delimiter bytes matched at the end of the read bytes.
  private var matched: Int
  /// The number of those that are not content if the match fails: a line break that was already counted.
  private var virtual: Int
  /// The rest of the line after a complete match, or a field line, as far as it was read.
  private var line: [UInt8] = []

  private var preambleSize = 0
  private var partCount = 0
  private var head: MultipartHead

  /// More blanks behind a boundary make its line content.
  private static let mostPadding = 128

  /// Creates a parser for one body.
  ///
  /// - Parameters:
  ///   - boundary: The parameter `boundary` of the media type.
  ///   - limits: The limits.
  /// - Throws: ``MultipartError`` if the boundary is empty, too long, or contains CR, LF or NUL.
  public init(boundary: String, limits: MultipartLimits = MultipartLimits()) throws(MultipartError) {
    guard !boundary.isEmpty else { throw .missingBoundary }
    guard boundary.utf8.count <= limits.boundaryLength else {
      throw .limit(.boundaryLength, limits.boundaryLength)
    }
    guard !boundary.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
      throw .invalidBoundary(boundary)
    }
    self.limits = limits
    marker = Array("--\(boundary)".utf8)
    // In front of the first boundary either line end will do, and at the very start none is needed.
    delimiter = [0x0A] + marker
    matched = 1
    virtual = 1
    head = MultipartHead(limit: limits.headSize)
  }

  /// Creates a parser for content of a media type.
  ///
  /// - Throws: ``MultipartError/missingBoundary`` if it is not `multipart/...` with a boundary; see also
  ///   ``init(boundary:limits:)``.
  public init(mediaType: MediaType?, limits: MultipartLimits = MultipartLimits()) throws(MultipartError) {
    guard let mediaType, mediaType.type == "multipart", let boundary = mediaType[parameter: "boundary"] else {
      throw .missingBoundary
    }
    try self.init(boundary: boundary, limits: limits)
  }

  /// Adds a chunk. Take the events of a chunk before adding the next one, otherwise both are copied into one.
  public mutating func feed(_ bytes: Bytes) {
    input = input.isEmpty ? bytes : Bytes(input.array + bytes.array)
  }

  /// Marks the end of the input, after the last chunk.
  public mutating func finish() {
    isFinished = true
  }

  /// Returns the next event; `nil` if more input is needed, or at the end.
  ///
  /// - Throws: ``MultipartError``, and the same error on every later call. Earlier events remain valid.
  public mutating func next() throws(MultipartError) -> Event? {
    if let failure { throw failure }
    do throws(MultipartError) {
      return try advance()
    } catch {
      failure = error
      input = Bytes()
      throw error
    }
  }

  private mutating func advance() throws(MultipartError) -> Event? {
    while true {
      switch state {
      case .preamble, .content:
        if matched == delimiter.count {
          if let event = try readBoundaryLine() { return event }
          // The line is complete, or it was content, or more input is needed.
          if matched == delimiter.count { return nil }
        } else if let event = try readContent() {
          return event
        } else if input.isEmpty, matched < delimiter.count {
          return try end()
        }
      case .head:
        guard partCount <= limits.partCount else { throw .limit(.partCount, limits.partCount) }
        guard let fields = try readHead() else {
          if isFinished { throw .truncated(parts: partCount) }
          return nil
        }
        state = .content
        // The empty line is also the line break before a boundary: a part may have no content at all.
        matched = delimiter.count - marker.count
        virtual = matched
        return .partStarted(fields)
      case .closing:
        state = .epilogue
        return .ended
      case .epilogue:
        input = Bytes()
        return nil
      }
    }
  }

  /// Reads content up to the next delimiter or the end of the input; returns `nil` if there is none.
  private mutating func readContent() throws(MultipartError) -> Event? {
    guard !input.isEmpty else { return nil }
    if matched > 0 {
      let more = input.withUnsafeBytes { Self.commonPrefix($0, delimiter[matched...]) }
      let isComplete = matched + more == delimiter.count
      let isMismatch = !isComplete && more < input.count
      input = input.dropFirst(more)
      matched += more
      return isMismatch ? try failMatch() : nil
    }
    let (content, held) = input.withUnsafeBytes { octets in
      if let offset = OctetSearch.firstOffset(of: delimiter, in: octets) { return (offset, delimiter.count) }
      let held = Self.heldBack(octets, delimiter)
      return (octets.count - held, held)
    }
    let bytes = input.prefix(content)
    input = input.dropFirst(content + held)
    matched = held
    return try pass(bytes)
  }

  /// Reads the bytes after a complete delimiter, which determine whether it is a boundary line.
  private mutating func readBoundaryLine() throws(MultipartError) -> Event? {
    let (taken, verdict) = input.withUnsafeBytes { [line] octets in Self.judge(octets, behind: line) }
    input.withUnsafeBytes { line.append(contentsOf: $0.prefix(taken)) }
    input = input.dropFirst(taken)
    switch verdict {
    case .ends: return endLine()
    case .isContent: return try failMatch()
    case .goesOn:
      guard isFinished else { return nil }
      // A closing boundary needs no line end at the end of the content.
      return line.starts(with: "--".utf8) ? endLine() : try failMatch()
    }
  }

  private enum Verdict { case goesOn, ends, isContent }

  /// Returns the verdict on the octets after a boundary, and the number of them that belong to its line.
  private static func judge(_ octets: UnsafeRawBufferPointer, behind line: [UInt8]) -> (Int, Verdict) {
    var line = line
    for (offset, octet) in octets.enumerated() {
      let isShort = line.count < mostPadding || line.last == 0x0D
      let verdict = isShort ? judge(octet, behind: line) : .isContent
      guard verdict == .goesOn else { return (verdict == .ends ? offset + 1 : offset, verdict) }
      line.append(octet)
    }
    return (octets.count, .goesOn)
  }

  /// Returns the verdict on an octet on the line of a boundary.
  private static func judge(_ octet: UInt8, behind line: [UInt8]) -> Verdict {
    if line.last == 0x0D { return octet == 0x0A ? .ends : .isContent }
    let dashes = line.prefix { $0 == UInt8(ascii: "-") }.count
    switch octet {
    case UInt8(ascii: "-"): return dashes == line.count && dashes < 2 ? .goesOn : .isContent
    case 0x20, 0x09, 0x0D: return dashes == 1 ? .isContent : .goesOn
    case 0x0A: return dashes == 1 ? .isContent : .ends
    default: return .isContent
    }
  }

  /// A boundary was read: the part before it is complete.
  private mutating func endLine() -> Event? {
    let isClosing = line.starts(with: "--".utf8)
    let wasPart = state == .content
    if !wasPart, line.suffix(2) == [0x0D, 0x0A] { delimiter = [0x0D, 0x0A] + marker }
    line = []
    matched = 0
    virtual = 0
    if isClosing {
      state = .closing
    } else {
      partCount += 1
      state = .head
    }
    return wasPart ? .partEnded : nil
  }

  /// Handles a partial match that was content.
  private mutating func failMatch() throws(MultipartError) -> Event? {
    let content = Bytes(delimiter[virtual..<matched] + line)
    matched = 0
    virtual = 0
    line = []
    return try pass(content)
  }

  /// Returns an event for content of a part; before the first part, only counts the bytes.
  private mutating func pass(_ content: Bytes) throws(MultipartError) -> Event? {
    guard !content.isEmpty else { return nil }
    guard state == .preamble else { return .content(content) }
    preambleSize += content.count
    guard preambleSize <= limits.preambleSize else { throw .limit(.preambleSize, limits.preambleSize) }
    return nil
  }

  /// The input is used up.
  private mutating func end() throws(MultipartError) -> Event? {
    guard isFinished else { return nil }
    if matched > virtual, let event = try failMatch() { return event }
    throw .truncated(parts: partCount)
  }

  private mutating func readHead() throws(MultipartError) -> HTTPFields? {
    while !input.isEmpty {
      let end = input.withUnsafeBytes { OctetSearch.firstOffset(of: 0x0A, in: $0) }
      let piece = input.prefix(end.map { $0 + 1 } ?? input.count)
      input = input.dropFirst(piece.count)
      if let fields = try head.read(piece, endsLine: end != nil, part: partCount) { return fields }
    }
    return nil
  }

  private static func commonPrefix(_ octets: UnsafeRawBufferPointer, _ other: ArraySlice<UInt8>) -> Int {
    zip(octets, other).prefix { $0 == $1 }.count
  }

  /// Returns the number of octets at the end that may be the start of a delimiter, whose first octet occurs in it only
  /// once.
  private static func heldBack(_ octets: UnsafeRawBufferPointer, _ delimiter: [UInt8]) -> Int {
    let tail = octets.suffix(delimiter.count - 1)
    guard let start = tail.lastIndex(of: delimiter[0]) else { return 0 }
    return delimiter.starts(with: octets[start...]) ? octets.count - start : 0
  }
}
