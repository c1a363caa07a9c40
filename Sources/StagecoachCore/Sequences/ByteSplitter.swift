/// Splits a body at delimiters, wherever its chunks begin and end.
///
/// A piece that lies within one chunk is not copied; one that spans chunks is collected, up to the limit.
struct ByteSplitter {
  /// What ends a piece.
  struct Delimiter {
    fileprivate let first: UInt8
    fileprivate let second: UInt8

    /// LF, CR, or CR LF.
    static let lineEnd = Delimiter(first: UInt8(ascii: "\n"), second: UInt8(ascii: "\r"))
    /// LF alone.
    static let lineFeed = Delimiter(first: UInt8(ascii: "\n"), second: UInt8(ascii: "\n"))
    /// The record separator of RFC 7464.
    static let recordSeparator = Delimiter(first: 0x1E, second: 0x1E)
  }

  /// A piece has more bytes than it may have.
  struct Overflow: Error {
    let limit: Int
    let offset: Int64
    let start: Bytes
  }

  private let delimiter: Delimiter
  private let limit: Int
  private var chunk = Bytes()
  private var position = 0
  /// The start of a piece, from chunks before this one.
  private var held: [UInt8] = []
  /// Whether a CR was the last byte, so that a LF behind it ends nothing.
  private var followsCarriageReturn = false
  /// How many bytes came before the chunk.
  private var chunkOffset: Int64 = 0

  init(_ delimiter: Delimiter, limit: Int) {
    self.delimiter = delimiter
    self.limit = max(0, limit)
  }

  /// How many bytes of the body have been handed in.
  var received: Int64 { chunkOffset + Int64(chunk.count) }

  /// Hands in the next chunk, once ``next(_:)`` has found no more in the one before.
  mutating func append(_ next: Bytes) {
    chunkOffset += Int64(chunk.count)
    chunk = next
    position = 0
  }

  /// Reads pieces until one gives a result; nil once the chunk is used up.
  ///
  /// - Parameter read: Gets the bytes of a piece, without its delimiter, and its offset in the body.
  /// - Throws: ``Overflow``, and what reading throws.
  mutating func next<Result>(
    _ read: (UnsafeRawBufferPointer, Int64) throws -> Result?
  ) throws -> Result? {
    let chunk = chunk
    var result: Result?
    // Not returned through the closure, which would copy it as a generic result.
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

  /// Reads what no delimiter ends, once the body has ended; nil if there is nothing.
  mutating func finish<Result>(
    _ read: (UnsafeRawBufferPointer, Int64) throws -> Result?
  ) throws -> Result? {
    guard !held.isEmpty else { return nil }
    defer { held = [] }
    return try held.withUnsafeBytes { try read($0, received - Int64($0.count)) }
  }

  private func overflow(_ part: UnsafeRawBufferPointer) -> Overflow {
    // No more than is there under any chunking.
    let length = min(256, limit)
    let start = held.prefix(length) + part.prefix(length - min(held.count, length))
    return Overflow(limit: limit, offset: chunkOffset + Int64(position - held.count), start: Bytes(start))
  }
}

extension UnsafeRawBufferPointer {
  /// The index of the first byte, not before `start`, that is one of two: eight bytes at a time.
  fileprivate func firstIndex(of first: UInt8, or second: UInt8, from start: Int) -> Int? {
    let (ones, highBits): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let (firsts, seconds) = (ones &* UInt64(first), ones &* UInt64(second))
    var index = start
    while count - index >= 8 {
      let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let (a, b) = (word ^ firsts, word ^ seconds)
      // The high bit of each byte that is equal; exact for the lowest such byte, which is all that is used.
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
