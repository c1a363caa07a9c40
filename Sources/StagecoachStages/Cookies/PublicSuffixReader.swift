import StagecoachCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Collects the rules of a list of public suffixes.
struct PublicSuffixReader {
  private var rules: [PublicSuffixList.Rule] = []
  private var text: [UInt8] = []
  private var depth = 0

  /// The most octets of a domain.
  private static let longestName = 253

  mutating func read(_ octets: UnsafeBufferPointer<UInt8>) {
    text.reserveCapacity(octets.count / 2)
    var start = 0
    while start < octets.count {
      var end = start
      while end < octets.count, octets[end] != UInt8(ascii: "\n") { end += 1 }
      readLine(octets[start..<end].prefix { $0 > 0x20 })
      start = end + 1
    }
  }

  private mutating func readLine(_ line: Slice<UnsafeBufferPointer<UInt8>>) {
    guard let first = line.first, first != UInt8(ascii: "/") else { return }
    var name = line
    var kind = PublicSuffixList.Kind.suffix
    if first == UInt8(ascii: "!") {
      kind = .exception
      name = name.dropFirst()
    } else if name.starts(with: "*.".utf8) {
      kind = .wildcard
      name = name.dropFirst(2)
    }
    var labels = 1
    for octet in name {
      if octet >= 0x80 { return readInternationalName(name, kind) }
      if octet == UInt8(ascii: "*") { return }
      if octet == UInt8(ascii: ".") { labels += 1 }
    }
    append(name, kind, labels: labels)
  }

  private mutating func readInternationalName(
    _ name: Slice<UnsafeBufferPointer<UInt8>>,
    _ kind: PublicSuffixList.Kind
  ) {
    guard let name = String(validating: name, as: UTF8.self), !name.contains("*") else { return }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    let encoded = labels.compactMap { Punycode.label($0.unicodeScalars) }
    guard encoded.count == labels.count else { return }
    append(encoded.joined(separator: [UInt8(ascii: ".")]), kind, labels: labels.count)
  }

  private mutating func append(_ name: some Sequence<UInt8>, _ kind: PublicSuffixList.Kind, labels: Int) {
    let start = text.count
    for octet in name { text.append(octet.lowercasedInField) }
    let count = text.count - start
    guard (1...Self.longestName).contains(count), let position = UInt32(exactly: start) else {
      text.removeSubrange(start...)
      return
    }
    rules.append(PublicSuffixList.Rule(start: position, count: UInt8(count), kind: kind))
    depth = max(depth, kind == .wildcard ? labels + 1 : labels)
  }

  /// Returns the rules in order, with rules for the same name merged.
  consuming func finish() -> (rules: [PublicSuffixList.Rule], text: [UInt8], depth: Int) {
    var merged: [PublicSuffixList.Rule] = []
    merged.reserveCapacity(rules.count)
    text.withUnsafeBufferPointer { text in
      func name(_ rule: PublicSuffixList.Rule) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: text[Int(rule.start)..<Int(rule.start) + Int(rule.count)])
      }
      rules.sort { OctetOrder.compare(name($0), name($1)) < 0 }
      for rule in rules {
        if let last = merged.last, OctetOrder.compare(name(last), name(rule)) == 0 {
          merged[merged.count - 1].kind = last.kind.union(rule.kind)
        } else {
          merged.append(rule)
        }
      }
    }
    return (merged, text, depth)
  }
}

/// The order of octet strings as dictionaries have it.
enum OctetOrder {
  /// Less than, equal to or greater than 0 as the first string is to the second.
  static func compare(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
    let count = min(a.count, b.count)
    if count > 0, let first = a.baseAddress, let second = b.baseAddress {
      let order = memcmp(first, second, count)
      if order != 0 { return Int(order) }
    }
    return a.count - b.count
  }
}
