/// Collects the pieces of content. A single piece is not copied; several are copied into one array as they arrive, so
/// that many small pieces need little more memory than their octets.
package struct MultipartCollector {
  /// The first piece, as long as it is the only one.
  private var first = Bytes()
  private var all: [UInt8] = []

  package init() {}

  package var count: Int { first.count + all.count }

  /// The content so far.
  package var bytes: Bytes { all.isEmpty ? first : Bytes(all) }

  package mutating func append(_ piece: Bytes) {
    guard count > 0 else {
      first = piece
      return
    }
    if !first.isEmpty {
      first.withUnsafeBytes { all.append(contentsOf: $0) }
      first = Bytes()
    }
    piece.withUnsafeBytes { all.append(contentsOf: $0) }
  }
}
