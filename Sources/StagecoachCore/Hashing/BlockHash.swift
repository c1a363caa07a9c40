/// What distinguishes the hashes that work on blocks: the state, and how a block changes it.
package protocol BlockFunction: Sendable {
  /// The count of bytes of a block.
  static var blockSize: Int { get }

  /// The bytes at the end of the last block that tell the length of the input.
  static func lengthField(byteCount: UInt64) -> [UInt8]

  /// The state before the first block.
  init()

  /// Mixes in blocks; the count of bytes is a multiple of that of a block.
  mutating func absorb(_ blocks: UnsafeRawBufferPointer)

  /// The digest that the state stands for.
  var digest: [UInt8] { get }
}

/// A hash that works on blocks, the last of which is padded and tells the length (Merkle and Damgård).
package struct BlockHash<Function: BlockFunction>: HashFunction {
  private var function = Function()
  private var byteCount: UInt64 = 0
  /// What does not fill a block yet.
  private var pending: [UInt8] = []

  /// A hash of nothing yet.
  package init() {}

  /// Takes in more of the input.
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

  /// The digest of what was taken in so far.
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

extension FixedWidthInteger {
  func rotatedRight(_ count: Self) -> Self { self &>> count | self &<< (Self(Self.bitWidth) &- count) }

  /// Most significant byte first.
  var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian, Array.init) }
}
