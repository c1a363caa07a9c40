import StagecoachCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Content of any length in which each byte depends on its offset: a changed, lost, repeated or moved byte shows,
/// however far behind the start it is.
enum PatternedContent {
  /// A prime, so that no buffer size is a multiple of it.
  private static let period = 251
  private static let blockSize = 1 << 20
  /// One block from each phase of the pattern.
  private static let bytes = Bytes((0..<(blockSize + period)).map { UInt8($0 % period) })

  /// The bytes from an offset on, at most 1 MiB of them.
  static func bytes(at offset: Int, count: Int) -> Bytes {
    bytes.dropFirst(offset % period).prefix(min(count, blockSize))
  }

  /// Compares bytes that arrived with the pattern.
  ///
  /// - Parameter offset: The offset of the first of them.
  /// - Throws: ``CheckFailure`` naming the first offset where they differ.
  static func require(_ received: Bytes, at offset: Int) throws {
    var checked = 0
    while checked < received.count {
      let wanted = bytes(at: offset + checked, count: received.count - checked)
      let part = received.dropFirst(checked).prefix(wanted.count)
      if let difference = firstDifference(part, wanted) {
        throw CheckFailure("the byte at offset \(offset + checked + difference) is another one")
      }
      checked += wanted.count
    }
  }

  private static func firstDifference(_ left: Bytes, _ right: Bytes) -> Int? {
    left.withUnsafeBytes { left in
      right.withUnsafeBytes { right in
        guard let first = left.baseAddress, let second = right.baseAddress else { return nil }
        // Many times faster than a loop without optimization.
        guard memcmp(first, second, left.count) != 0 else { return nil }
        return zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      }
    }
  }
}
