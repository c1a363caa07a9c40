/// A text without escapes, which knows where each part of it comes from: percent escapes, those of JSON strings and of
/// markup, and the breaks between lines of Base64.
///
/// All kinds are decoded at once, so it makes no difference how a writer mixes them.
struct TextView: Sendable {
  /// From this offset on, a decoded offset is as far from a source offset as from the start of the piece.
  private struct Piece {
    let decoded: Int
    let source: Int
  }

  let octets: [UInt8]
  /// The pieces of each decoding in relation to the text before it.
  private let chain: [[Piece]]

  /// The text as it is.
  init(_ octets: [UInt8]) {
    self.octets = octets
    chain = []
  }

  /// Decodes the escapes of a text; `nil` if it has none.
  init?(unescaping text: [UInt8]) { self.init(unescaping: text, []) }

  private init?(unescaping text: [UInt8], _ outer: [[Piece]]) {
    guard text[...].mayHaveEscapes else { return nil }
    var (octets, escaped): ([UInt8], [UInt8]) = ([], [])
    var pieces: [Piece] = []
    var (position, run) = (0, 0)
    while position < text.count {
      guard text[position].mayEscape else {
        position += 1
        continue
      }
      let length = Self.appendEscape(at: position, of: text, to: &escaped)
      guard length > 0 else {
        position += 1
        continue
      }
      if pieces.isEmpty {
        octets.reserveCapacity(text.count)
        pieces.append(Piece(decoded: 0, source: 0))
      }
      octets += text[run..<position]
      pieces.append(Piece(decoded: octets.count, source: position))
      octets += escaped
      escaped.removeAll(keepingCapacity: true)
      position += length
      run = position
      pieces.append(Piece(decoded: octets.count, source: position))
    }
    guard !pieces.isEmpty else { return nil }
    octets += text[run...]
    self.octets = octets
    chain = outer + [pieces]
  }

  /// How deep escapes in escapes are decoded.
  private static let maxDepth = 2

  /// Returns the text, and without its escapes, and those of what they stand for.
  static func all(of octets: [UInt8]) -> [TextView] {
    var views = [TextView(octets)]
    while views.count <= maxDepth, let last = views.last,
      let next = TextView(unescaping: last.octets, last.chain)
    {
      views.append(next)
    }
    return views
  }

  /// Returns the range of the source that a range of the decoded text comes from; whole escapes.
  func sourceRange(_ range: Range<Int>) -> Range<Int> {
    chain.reversed().reduce(range) { range, pieces in
      let first = Self.piece(of: range.lowerBound, in: pieces)
      let lower = pieces[first].source + (Self.isEscape(first) ? 0 : range.lowerBound - pieces[first].decoded)
      let last = Self.piece(of: range.upperBound, in: pieces)
      let isInside = Self.isEscape(last) && range.upperBound > pieces[last].decoded
      let upper =
        isInside ? pieces[last + 1].source : pieces[last].source + range.upperBound - pieces[last].decoded
      return lower..<max(lower, upper)
    }
  }

  /// Every escape is a piece of its own, and the plain text after it another one.
  private static func isEscape(_ index: Int) -> Bool { index % 2 == 1 }

  /// Returns the last piece that starts at or before an offset.
  private static func piece(of offset: Int, in pieces: [Piece]) -> Int {
    var (low, high) = (0, pieces.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if pieces[middle].decoded <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Appends what the escape at an offset stands for.
  ///
  /// - Returns: The length of the escape; 0 if there is none.
  private static func appendEscape(at start: Int, of text: [UInt8], to octets: inout [UInt8]) -> Int {
    let coding: LeafCoding
    switch text[start] {
    case UInt8(ascii: "%"): coding = .percent
    case UInt8(ascii: "\\"): coding = .json
    case UInt8(ascii: "&"): coding = .markup()
    default:
      let end = start + (text[start] == 0x0D && text.has(start + 1, { $0 == 0x0A }) ? 2 : 1)
      // Four digits are a group of Base64.
      let isBetweenDigits =
        start >= 4 && text.has(end, \.isBase64Digit)
        && text[(start - 4)..<start].allSatisfy(\.isBase64Digit)
      return isBetweenDigits ? end - start : 0
    }
    return coding.appendEscape(at: start, of: text[...], to: &octets)
  }
}

extension ArraySlice<UInt8> {
  /// Whether there may be an escape: most texts have none, and need no other view.
  var mayHaveEscapes: Bool {
    withUnsafeBufferPointer { text in
      for index in text.indices.dropLast() where text[index].mayEscape {
        let next = text[index + 1]
        switch text[index] {
        case UInt8(ascii: "%"): if next.isHexDigit { return true }
        case UInt8(ascii: "&"): if text[index...].prefix(12).contains(UInt8(ascii: ";")) { return true }
        case UInt8(ascii: "\\"): return true
        default: if next == 0x0A || next.isBase64Digit { return true }
        }
      }
      return false
    }
  }
}

extension UInt8 {
  /// Whether an escape may begin with the octet.
  fileprivate var mayEscape: Bool { isOne(of: "%\\&\r\n") }
}

extension TextView: HidesContent {}
