/// Reads the subset of DER (ITU-T X.690) that certificates use: one-byte tags and definite lengths.
struct DERReader {
  /// An element: its tag, its content, and its complete encoding.
  struct Element {
    let tag: UInt8
    let content: ArraySlice<UInt8>
    let whole: ArraySlice<UInt8>

    /// A reader of the nested elements.
    var reader: DERReader { DERReader(content) }
  }

  static let sequence: UInt8 = 0x30

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// The tag of the next element; `nil` at the end.
  var nextTag: UInt8? { rest.first }

  /// Returns the next element; `nil` at the end or if the element is malformed.
  mutating func next() -> Element? {
    let start = rest.startIndex
    guard rest.count >= 2, rest[start] & 0x1f != 0x1f else { return nil }
    let first = rest[start + 1]
    var length = Int(first)
    var header = 2
    if first >= 0x80 {
      let count = Int(first & 0x7f)
      guard (1...4).contains(count), rest.count >= 2 + count else { return nil }
      length = rest[(start + 2)..<(start + 2 + count)].reduce(0) { $0 << 8 | Int($1) }
      header += count
    }
    guard length <= rest.count - header else { return nil }
    let end = start + header + length
    defer { rest = rest[end...] }
    return Element(tag: rest[start], content: rest[(start + header)..<end], whole: rest[start..<end])
  }

  /// Returns the next element if it has the given tag.
  mutating func next(_ tag: UInt8) -> Element? {
    guard nextTag == tag else { return nil }
    return next()
  }
}
