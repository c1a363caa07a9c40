/// A cryptographic hash that takes its input piece by piece.
///
/// Those that pins and Digest authentication need are small code of ours: no package at hand has all of them.
package protocol HashFunction: Sendable {
  /// A hash of nothing yet.
  init()

  /// Takes in more of the input.
  mutating func update(_ bytes: UnsafeRawBufferPointer)

  /// The digest of what was taken in so far; more may follow.
  func digest() -> [UInt8]
}

extension HashFunction {
  /// Takes in a chunk of a body.
  package mutating func update(_ chunk: Bytes) {
    chunk.withUnsafeBytes { update($0) }
  }

  /// The digest of data in one piece.
  package static func hash(_ data: some Collection<UInt8>) -> [UInt8] {
    var function = Self()
    if data.withContiguousStorageIfAvailable({ function.update(UnsafeRawBufferPointer($0)) }) == nil {
      Array(data).withUnsafeBytes { function.update($0) }
    }
    return function.digest()
  }
}

extension Sequence<UInt8> {
  /// Two lower-case hexadecimal digits a byte.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
