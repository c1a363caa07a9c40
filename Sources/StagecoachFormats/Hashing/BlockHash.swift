/// The block function of a hash: its state, and how a block changes it.
package protocol BlockFunction: Sendable {
  /// The count of bytes of a block.
  static var blockSize: Int { get }

  /// Returns the bytes at the end of the last block, which contain the length of the input.
  static func lengthField(byteCount: UInt64) -> [UInt8]

  /// The state before the first block.
  init()

  /// Processes blocks; the number of bytes is a multiple of the block size.
  mutating func absorb(_ blocks: UnsafeRawBufferPointer)

  /// The digest of the current state.
  var digest: [UInt8] { get }
}

/// A hash that processes blocks; the last block is padded and contains the length (Merkle–Damgård).
package struct BlockHash<Function: BlockFunction>: HashFunction {
  private var function = Function()
  private var byteCount: UInt64 = 0
  /// The bytes that do not fill a block yet.
  private var pending: [UInt8] = []

  /// Creates a hash without any input.
  package init() {}

  /// Adds input.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    byteCount &+= UInt64(bytes.count)
    var rest = bytes[...]
    if !pending.isEmpty {
      let missing = Function.blockSize - pending.count
      pending.append(contentsOf: rest.prefix(missing))
      rest = rest.dropFirst(missing)
      guard pending.count == Function.blockSize else { return }
      // A copy, since the closure cannot change one property while another is read.
      var function = function
      pending.withUnsafeBytes { function.absorb($0) }
      self.function = function
      pending.removeAll(keepingCapacity: true)
    }
    let whole = rest.count - rest.count % Function.blockSize
    if whole > 0 { function.absorb(UnsafeRawBufferPointer(rebasing: rest.prefix(whole))) }
    pending.append(contentsOf: rest.dropFirst(whole))
  }

  /// Returns the digest of the input so far.
  package func digest() -> [UInt8] {
    let length = Function.lengthField(byteCount: byteCount)
    var end = pending
    end.append(0x80)
    let gap = (Function.blockSize - (end.count + length.count) % Function.blockSize) % Function.blockSize
    end.append(contentsOf: repeatElement(0, count: gap))
    end.append(contentsOf: length)
    var function = function
    end.withUnsafeBytes { function.absorb($0) }
    return function.digest
  }
}

// Not generic: without optimization a generic function takes a hundred times as long.

extension UInt32 {
  @inline(__always)
  func rotatedRight(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}

extension UInt64 {
  @inline(__always)
  func rotatedRight(_ count: UInt64) -> UInt64 { self &>> count | self &<< (64 &- count) }
}

extension FixedWidthInteger {
  /// The bytes, most significant first.
  package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian, Array.init) }
}
