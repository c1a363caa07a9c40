import StagecoachFormats

/// The value of a leaf as a text of a format.
final class InnerText: Sendable {
  /// How the text is written as the value.
  enum Coding: Sendable, Hashable {
    /// As it is.
    case same
    /// In Base64 (RFC 4648), in lines of a length if that is not 0, each with this end.
    case base64(urlSafe: Bool, padded: Bool, lineLength: Int = 0, lineEnd: [UInt8] = [])

    func encode(_ text: [UInt8]) -> [UInt8] {
      guard case .base64(let urlSafe, let padded, let lineLength, let lineEnd) = self else { return text }
      let digits = Base64.encode(text, urlSafe: urlSafe, padded: padded)
      guard lineLength > 0 else { return digits }
      return stride(from: 0, to: digits.count, by: lineLength).reduce(into: []) { lines, start in
        if start > 0 { lines += lineEnd }
        lines += digits[start..<min(start + lineLength, digits.count)]
      }
    }
  }

  let coding: Coding
  let tree: TextTree

  init(_ coding: Coding, _ tree: TextTree) {
    self.coding = coding
    self.tree = tree
  }
}
