/// The position of a member by its key.
struct KeyRank {
  /// The first bytes of the key as a number that orders them, which spares most comparisons of texts; zero if
  /// it does not.
  private var start: UInt128
  /// The original position of the member.
  let index: Int

  /// Members in ascending order of their keys, those with the same key in the order that they have.
  static func order(of members: [Parameters.Member]) -> [KeyRank] {
    var (ranks, bits): ([KeyRank], UInt128) = ([], 0)
    ranks.reserveCapacity(members.count)
    for index in members.indices {
      let start = start(of: members[index].key)
      bits |= start
      // Without the last byte: it may be one character with what follows.
      ranks.append(KeyRank(start: start >> 8, index: index))
    }
    // Beyond ASCII, texts are in the order of their canonical form, not of their bytes.
    if bits & 0x8080_8080_8080_8080_8080_8080_8080_8080 != 0 {
      for position in ranks.indices { ranks[position].start = 0 }
    }
    ranks.sort { left, right in
      if left.start != right.start { return left.start < right.start }
      let (leftKey, rightKey) = (members[left.index].key, members[right.index].key)
      // The sort does not promise to be stable.
      return leftKey == rightKey ? left.index < right.index : leftKey < rightKey
    }
    return ranks
  }

  /// The first 16 bytes of a key, the first of them highest.
  private static func start(of key: String) -> UInt128 {
    var start: UInt128 = 0
    key.withUTF8Bytes { bytes in
      withUnsafeMutableBytes(of: &start) { $0.copyBytes(from: bytes.prefix($0.count)) }
    }
    return UInt128(bigEndian: start)
  }
}
