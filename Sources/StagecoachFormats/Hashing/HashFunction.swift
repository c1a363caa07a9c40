/// A cryptographic hash that takes its input in pieces.
///
/// The hashes for pins and Digest authentication are implemented here, because no available package has all of them.
package protocol HashFunction: Sendable {
  /// A hash of nothing yet.
  init()

  /// Takes in more of the input.
  mutating func update(_ bytes: UnsafeRawBufferPointer)

  /// The digest of what was taken in so far; more may follow.
  func digest() -> [UInt8]
}

extension HashFunction {
  /// Adds a chunk of a body.
  package mutating func update(_ chunk: Bytes) {
    chunk.withUnsafeBytes { update($0) }
  }

  /// Returns the digest of data in one piece.
  package static func hash(_ data: some Collection<UInt8>) -> [UInt8] {
    var function = Self()
    if data.withContiguousStorageIfAvailable({ function.update(UnsafeRawBufferPointer($0)) }) == nil {
      Array(data).withUnsafeBytes { function.update($0) }
    }
    return function.digest()
  }
}
