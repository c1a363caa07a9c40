import StagecoachCore

/// Splits a body at delimiters, independent of chunk boundaries.
///
/// A piece within one chunk is not copied; a piece that spans chunks is collected, up to the limit.
struct ByteSplitter {
  /// The delimiter of pieces.
  struct Delimiter {
    fileprivate let first: UInt8
    fileprivate let second: UInt8

    /// LF, CR, or CR LF.
    static let lineEnd = Delimiter(first: UInt8(ascii: "\n"), second: UInt8(ascii: "\r"))
    /// A single LF.
    static let lineFeed = Delimiter(first: UInt8(ascii: "\n"), second: UInt8(ascii: "\n"))
    /// The record separator of RFC 7464.
    static let recordSeparator = Delimiter(first: 0x1E, second: 0x1E)
  }

  /// A piece is larger than the limit.
  struct Overflow: Error {
    let limit: Int
    let offset: Int64
    let start: Bytes
  }

  private let delimiter: Delimiter
  private let limit: Int
  private var chunk = Bytes()
  private var position = 0
  /// The start of a piece, from earlier chunks.
  private var held: [UInt8] = []
  /// Whether the last byte was a CR, so that a following LF ends no line.
  private var followsCarriageReturn = false
  /// The number of bytes before the chunk.
  private var chunkOffset: Int64 = 0

  init(_ delimiter: Delimiter, limit: Int) {
    self.delimiter = delimiter
    self.limit = max(0, limit)
  }

  /// The number of bytes received.
  var received: Int64 { chunkOffset + Int64(chunk.count) }

  /// Appends the next chunk, once ``next(_:)`` has found no more pieces in the previous one.
  mutating func append(_ next: Bytes) {
    chunkOffset += Int64(chunk.count)
    chunk = next
    position = 0
  }

  /// Reads pieces until one gives a result; `nil` at the end of the chunk.
  ///
  /// - Parameter read: Receives the bytes of a piece, without its delimiter, and its offset in the body.
  /// - Throws: ``Overflow``, and the errors of `read`.
  mutating func next<Result>(
    _ read: (UnsafeRawBufferPointer, Int64) throws -> Result?
  ) throws -> Result? {
    let chunk = chunk
    var result: Result?
    // Not returned through the closure, because that would copy it as a generic result.
    try chunk.withUnsafeBytes { result = try scan($0, read) }
    return result
  }

  private mutating func scan<Result>(
    _ bytes: UnsafeRawBufferPointer,
    _ read: (UnsafeRawBufferPointer, Int64) throws -> Result?
  ) throws -> Result? {
    while position < bytes.count {
      if followsCarriageReturn {
        followsCarriageReturn = false
        if bytes[position] == UInt8(ascii: "\n") {
          position += 1
          continue
        }
      }
      let end = bytes.firstIndex(of: delimiter.first, or: delimiter.second, from: position)
      let part = UnsafeRawBufferPointer(rebasing: bytes[position..<(end ?? bytes.count)])
      guard part.count <= limit - held.count else { throw overflow(part) }
      guard let end else {
        held.append(contentsOf: part)
        position = bytes.count
        return nil
      }
      let offset = chunkOffset + Int64(position - held.count)
      followsCarriageReturn = delimiter.second != delimiter.first && bytes[end] == delimiter.second
      position = end + 1
      if let result = try piece(part, offset, read) { return result }
    }
    return nil
  }

  private mutating func piece<Result>(
    _ part: UnsafeRawBufferPointer,
    _ offset: Int64,
    _ read: (UnsafeRawBufferPointer, Int64) throws -> Result?
  ) throws -> Result? {
    guard !held.isEmpty else { return try read(part, offset) }
    held.append(contentsOf: part)
    defer { held.removeAll(keepingCapacity: true) }
    return try held.withUnsafeBytes { try read($0, offset) }
  }

  /// Reads the last piece, which has no delimiter, once the body has ended; `nil` if it is empty.
  mutating func finish<Result>(
    _ read: (UnsafeRawBufferPointer, Int64) throws -> Result?
  ) throws -> Result? {
    guard !held.isEmpty else { return nil }
    defer { held = [] }
    return try held.withUnsafeBytes { try read($0, received - Int64($0.count)) }
  }

  private func overflow(_ part: UnsafeRawBufferPointer) -> Overflow {
    // No more than is available with any chunk boundaries.
    let length = min(256, limit)
    let start = held.prefix(length) + part.prefix(length - min(held.count, length))
    return Overflow(limit: limit, offset: chunkOffset + Int64(position - held.count), start: Bytes(start))
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the index of the first byte at or after `start` that equals one of two; tests eight bytes at a time.
  fileprivate func firstIndex(of first: UInt8, or second: UInt8, from start: Int) -> Int? {
    let (ones, highBits): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let (firsts, seconds) = (ones &* UInt64(first), ones &* UInt64(second))
    var index = start
    while count - index >= 8 {
      let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let (a, b) = (word ^ firsts, word ^ seconds)
      // The high bit of each equal byte; exact for the lowest such byte, which is the only one used.
      let found = ((a &- ones) & ~a | (b &- ones) & ~b) & highBits
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count {
      if self[index] == first || self[index] == second { return index }
      index += 1
    }
    return nil
  }
}
