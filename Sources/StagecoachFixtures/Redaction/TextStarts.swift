/// Texts by how they start, so that nearly all positions of another text are refused before anything is compared.
struct TextStarts<Value: Sendable>: Sendable {
  private typealias Entry = (text: [UInt8], value: Value)

  /// A bit for each pair of octets with which a text may start.
  private var pairs = [UInt64](repeating: 0, count: 1 << 16 / 64)
  /// The entries by their first octets.
  private var entries = [[Entry]](repeating: [], count: 256)

  /// - Parameter entries: The texts, none of which is empty, each with its value.
  init(_ entries: [(text: String, value: Value)]) {
    for (text, value) in entries {
      let text = Array(text.utf8)
      let first = Int(text[0])
      self.entries[first].append((text, value))
      for second in text.count > 1 ? text[1]...text[1] : 0...UInt8.max {
        let pair = first << 8 | Int(second)
        pairs[pair >> 6] |= 1 << UInt64(pair & 63)
      }
    }
  }

  /// Calls a closure for each text that stands at an offset, in the order of the entries, until it returns true.
  ///
  /// - Parameter end: Where the other text ends.
  @inline(__always)
  func forEach(in text: [UInt8], at start: Int, before end: Int, _ body: (_ count: Int, Value) -> Bool) {
    let pair = Int(text[start]) << 8 | (start + 1 < end ? Int(text[start + 1]) : 0)
    guard pairs[pair >> 6] & 1 << UInt64(pair & 63) != 0 else { return }
    for entry in entries[pair >> 8] where text[start..<end].starts(with: entry.text) {
      if body(entry.text.count, entry.value) { return }
    }
  }
}
