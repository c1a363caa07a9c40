import StagecoachFormats

/// A text with its escapes decoded, which knows where each part of it comes from.
struct TextView: Sendable {
  /// A way of escaping characters.
  enum Escaping: Sendable, CaseIterable {
    case percent, json, markup
    /// Lines of base64.
    case lineBreak

    /// The octet with which each escape starts.
    var mark: UInt8 {
      switch self {
      case .percent: UInt8(ascii: "%")
      case .json: UInt8(ascii: "\\")
      case .markup: UInt8(ascii: "&")
      case .lineBreak: 0x0A
      }
    }
  }

  /// From this offset on, a decoded offset is as far from a source offset as from the start of the piece.
  private struct Piece {
    let decoded: Int
    let source: Int
  }

  let octets: [UInt8]
  /// How the source is escaped; the outermost escaping first.
  let escapings: [Escaping]
  /// The pieces of each decoding in relation to the text before it.
  private let chain: [[Piece]]

  /// The text as it is.
  init(_ octets: [UInt8]) {
    self.octets = octets
    escapings = []
    chain = []
  }

  /// Decodes the escapes of a text; `nil` if it has none.
  init?(_ octets: [UInt8], decoding escaping: Escaping) {
    self.init(TextView(octets), escaping)
  }

  /// Decodes the escapes of another view; `nil` if it has none.
  private init?(_ view: TextView, _ escaping: Escaping) {
    let text = view.octets
    guard text.firstOffset(of: [escaping.mark]) != nil else { return nil }
    var octets: [UInt8] = []
    octets.reserveCapacity(text.count)
    var pieces = [Piece(decoded: 0, source: 0)]
    var position = 0
    var run = 0
    while let start = text.firstOffset(of: [escaping.mark], from: position) {
      guard let (decoded, length) = Self.escape(escaping, text, at: start) else {
        position = start + 1
        continue
      }
      octets.append(contentsOf: text[run..<start])
      pieces.append(Piece(decoded: octets.count, source: start))
      octets.append(contentsOf: decoded)
      position = start + length
      run = position
      pieces.append(Piece(decoded: octets.count, source: position))
    }
    guard pieces.count > 1 else { return nil }
    octets.append(contentsOf: text[run...])
    self.octets = octets
    escapings = view.escapings + [escaping]
    chain = view.chain + [pieces]
  }

  /// Returns the text and its decoded forms, at most two escapings deep. Equal forms are only returned once.
  static func all(of octets: [UInt8], depth: Int = 2) -> [TextView] {
    var views = [TextView(octets)]
    var start = 0
    for _ in 0..<depth {
      let end = views.count
      for index in start..<end {
        for escaping in Escaping.allCases {
          guard let view = TextView(views[index], escaping) else { continue }
          if !views.contains(where: { $0.octets == view.octets }) { views.append(view) }
        }
      }
      start = end
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
}

// MARK: Escapes

extension TextView {
  /// Returns the octets of the escape at an offset and its length; `nil` if there is none.
  private static func escape(_ escaping: Escaping, _ text: [UInt8], at start: Int) -> ([UInt8], Int)? {
    switch escaping {
    case .percent: text.escapedOctet(at: start).map { ([$0], 3) }
    case .json: jsonEscape(text, at: start)
    case .markup: reference(text, at: start)
    case .lineBreak: ([], 1)
    }
  }

  private static func jsonEscape(_ text: [UInt8], at start: Int) -> ([UInt8], Int)? {
    guard start + 1 < text.count else { return nil }
    switch text[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"):
      return ([text[start + 1]], 2)
    case UInt8(ascii: "b"): return ([0x08], 2)
    case UInt8(ascii: "f"): return ([0x0C], 2)
    case UInt8(ascii: "n"): return ([0x0A], 2)
    case UInt8(ascii: "r"): return ([0x0D], 2)
    case UInt8(ascii: "t"): return ([0x09], 2)
    case UInt8(ascii: "u"):
      guard let unit = codeUnit(text, at: start) else { return nil }
      if let scalar = Unicode.Scalar(unit) { return (Array(Character(scalar).utf8), 6) }
      guard UTF16.isLeadSurrogate(unit), let trail = codeUnit(text, at: start + 6),
        UTF16.isTrailSurrogate(trail)
      else { return nil }
      return (Array(String(decoding: [unit, trail], as: UTF16.self).utf8), 12)
    default: return nil
    }
  }

  private static func codeUnit(_ text: [UInt8], at start: Int) -> UInt16? {
    guard start + 6 <= text.count, text[start] == UInt8(ascii: "\\"), text[start + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for digit in text[(start + 2)..<(start + 6)] {
      guard let value = Hexadecimal.value(digit) else { return nil }
      unit = unit << 4 | UInt16(value)
    }
    return unit
  }

  /// The characters that writers of XML and HTML escape by name.
  private static let names: [String: UInt8] = [
    "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "quot": UInt8(ascii: "\""),
    "apos": UInt8(ascii: "'"), "sol": UInt8(ascii: "/"), "equals": UInt8(ascii: "="),
    "plus": UInt8(ascii: "+"),
    "colon": UInt8(ascii: ":"), "num": UInt8(ascii: "#"), "percnt": UInt8(ascii: "%"),
    "commat": UInt8(ascii: "@"),
  ]

  /// Returns the character of a reference such as `&amp;`, `&#38;` or `&#x26;`.
  private static func reference(_ text: [UInt8], at start: Int) -> ([UInt8], Int)? {
    let body = text[(start + 1)...].prefix(10)
    guard let end = body.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: body[..<end], as: UTF8.self)
    let length = end + 1 - start
    guard name.hasPrefix("#") else { return names[name].map { ([$0], length) } }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    guard let value, let scalar = Unicode.Scalar(value) else { return nil }
    return (Array(Character(scalar).utf8), length)
  }
}

extension TextView: HidesContent {}
