/// Puts the pieces of a content together. A single one is not copied; more are copied into one array as they come,
/// so that content in many small pieces takes hardly more memory than its octets.
struct MultipartCollector {
  /// The first piece, as long as it is the only one.
  private var first = Bytes()
  private var all: [UInt8] = []

  var count: Int { first.count + all.count }

  /// What came so far.
  var bytes: Bytes { all.isEmpty ? first : Bytes(all) }

  mutating func append(_ piece: Bytes) {
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
