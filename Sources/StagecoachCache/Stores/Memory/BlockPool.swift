import Synchronization

/// The blocks that large entries are kept in. A store uses the blocks of removed entries again: given back to the
/// allocator, memory of changing sizes on several threads would be lost to fragmentation.
final class BlockPool: Sendable {
  /// The size of a block in bytes.
  static let size = 64 << 10

  private let blocks = Mutex<[[UInt8]]>([])
  private let unused = Atomic(0)

  /// The bytes of the blocks that no entry uses.
  var unusedBytes: Int { unused.load(ordering: .relaxed) }

  /// Returns an empty piece, to be filled with at most `count` bytes, and at most those of a block.
  func piece(of count: Int) -> [UInt8] {
    var piece = count >= Self.size ? take() ?? [] : []
    // Without the memory of the block if somebody still reads it.
    piece.removeAll(keepingCapacity: true)
    piece.reserveCapacity(min(count, Self.size))
    return piece
  }

  /// Takes the pieces of an entry that are blocks.
  func giveBack(_ pieces: [[UInt8]]) {
    let full = pieces.filter { $0.count == Self.size }
    guard !full.isEmpty else { return }
    blocks.withLock { $0 += full }
    unused.add(full.count * Self.size, ordering: .relaxed)
  }

  /// Gives an unused block back to the allocator.
  func shrink() { _ = take() }

  private func take() -> [UInt8]? {
    guard let block = blocks.withLock({ $0.popLast() }) else { return nil }
    unused.subtract(Self.size, ordering: .relaxed)
    return block
  }
}
