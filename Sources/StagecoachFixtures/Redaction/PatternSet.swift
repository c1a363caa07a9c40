#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Searches a text for many patterns at once.
///
/// The first six octets of a position are looked up in a small bit set, which refuses nearly all positions. The
/// patterns with the same start are neighbors in a sorted list, so a binary search finds the longest that matches.
/// Memory is linear in the size of the patterns. A position takes constant time, or if six octets match, the time to
/// compare the text with the logarithm of the number of patterns.
struct PatternSet: Sendable {
  /// The length of the shortest pattern.
  static let minLength = 6
  private static let filterBits = 18

  private let patterns: [[UInt8]]
  private let tags: [Int]
  /// For each pattern the longest other one that it starts with; -1 if there is none.
  private let parents: [Int]
  private let groups: [UInt64: Range<Int>]
  private let filter: [UInt64]

  /// Creates a set. Shorter patterns are ignored; of equal patterns, the first one counts.
  ///
  /// - Parameter patterns: The patterns, each with a number that is reported with its matches.
  init(_ patterns: [(octets: [UInt8], tag: Int)]) {
    let sorted = patterns.enumerated()
      .filter { $0.element.octets.count >= Self.minLength }
      .sorted { left, right in
        let order = Self.order(left.element.octets, right.element.octets)
        return order == 0 ? left.offset < right.offset : order < 0
      }
      .map(\.element)
    var octets: [[UInt8]] = []
    var tags: [Int] = []
    var parents: [Int] = []
    var groups: [UInt64: Range<Int>] = [:]
    var filter = [UInt64](repeating: 0, count: 1 << Self.filterBits / 64)
    var open: [Int] = []
    for pattern in sorted where octets.last != pattern.octets {
      let index = octets.count
      while let last = open.last, !pattern.octets.starts(with: octets[last]) { open.removeLast() }
      parents.append(open.last ?? -1)
      open.append(index)
      octets.append(pattern.octets)
      tags.append(pattern.tag)
      let key = pattern.octets.withUnsafeBytes { Self.key($0, at: 0) }
      groups[key] = (groups[key]?.lowerBound ?? index)..<(index + 1)
      let slot = Self.slot(key)
      filter[slot >> 6] |= 1 << UInt64(slot & 63)
    }
    self.patterns = octets
    (self.tags, self.parents, self.groups, self.filter) = (tags, parents, groups, filter)
  }

  var isEmpty: Bool { patterns.isEmpty }

  /// Calls a closure for the longest pattern at each position that has one, in order; if that returns false, for the
  /// next shorter one.
  func forEachMatch(in text: [UInt8], _ accepts: (_ range: Range<Int>, _ tag: Int) -> Bool) {
    guard !isEmpty, text.count >= Self.minLength else { return }
    text.withUnsafeBytes { text in
      filter.withUnsafeBufferPointer { filter in
        for position in 0...(text.count - Self.minLength) {
          let key = Self.key(text, at: position)
          let slot = Self.slot(key)
          guard filter[slot >> 6] & 1 << UInt64(slot & 63) != 0, let group = groups[key],
            var found = longest(in: group, at: position, of: text)
          else { continue }
          while !accepts(position..<(position + patterns[found].count), tags[found]), parents[found] >= 0 {
            found = parents[found]
          }
        }
      }
    }
  }

  private static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let order = memcmp(left, right, min(left.count, right.count))
    return order == 0 ? left.count - right.count : Int(order)
  }

  private func longest(in group: Range<Int>, at position: Int, of text: UnsafeRawBufferPointer) -> Int? {
    // The last pattern that does not come after the text in the order.
    var (low, high) = (group.lowerBound, group.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if precedes(patterns[middle], position, text) { low = middle + 1 } else { high = middle }
    }
    guard low > group.lowerBound else { return nil }
    var candidate = low - 1
    let common = commonLength(patterns[candidate], position, text)
    while candidate >= 0, patterns[candidate].count > common { candidate = parents[candidate] }
    return candidate >= 0 ? candidate : nil
  }

  /// Returns whether a pattern comes before the text from a position on, or the text starts with it.
  private func precedes(_ pattern: [UInt8], _ position: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    let length = min(pattern.count, text.count - position)
    guard let base = text.baseAddress else { return false }
    let order = memcmp(pattern, base + position, length)
    return order < 0 || order == 0 && pattern.count <= length
  }

  private func commonLength(_ pattern: [UInt8], _ position: Int, _ text: UnsafeRawBufferPointer) -> Int {
    let length = min(pattern.count, text.count - position)
    if let base = text.baseAddress, memcmp(pattern, base + position, length) == 0 { return length }
    var common = 0
    while common < length, pattern[common] == text[position + common] { common += 1 }
    return common
  }

  /// The first six octets as a number.
  @inline(__always)
  private static func key(_ text: UnsafeRawBufferPointer, at position: Int) -> UInt64 {
    if text.count - position >= 8 {
      return UInt64(littleEndian: text.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        & 0xFFFF_FFFF_FFFF
    }
    var key: UInt64 = 0
    for offset in 0..<minLength { key |= UInt64(text[position + offset]) << UInt64(8 * offset) }
    return key
  }

  @inline(__always)
  private static func slot(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - filterBits))
  }
}

extension PatternSet: HidesContent {}
