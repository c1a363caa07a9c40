import StagecoachFormats

/// The white space of a JSON text on one line, which a scenario keeps apart from the text: the text is stored with line
/// breaks, and replayed as it was.
///
/// It is a list of the marks that have white space, as they are written: `", "` and `": "` for the default of Python, `"{ "`
/// and `" }"` for white space within braces, `"[ ]"` for an empty array with a blank in it, `"\n"` for the end of the text.
/// A mark has the same white space wherever it stands; a text in which it does not has no spacing.
package struct JSONSpacing: Sendable, Hashable {
  /// A place where white space may stand.
  private enum Place: Int, CaseIterable {
    case start, afterBrace, beforeBrace, inBraces, afterBracket, beforeBracket, inBrackets
    case beforeComma, afterComma, beforeColon, afterColon, end

    /// - Parameters:
    ///   - last: The octet before the place; `nil` at the start.
    ///   - next: The octet behind it; `nil` at the end.
    init(_ last: UInt8?, _ next: UInt8?) {
      switch (last, next) {
      case (nil, _): self = .start
      case (_, nil): self = .end
      case (UInt8(ascii: "{"), UInt8(ascii: "}")): self = .inBraces
      case (UInt8(ascii: "["), UInt8(ascii: "]")): self = .inBrackets
      case (UInt8(ascii: "{"), _): self = .afterBrace
      case (UInt8(ascii: "["), _): self = .afterBracket
      case (UInt8(ascii: ","), _): self = .afterComma
      case (UInt8(ascii: ":"), _): self = .afterColon
      case (_, UInt8(ascii: "}")): self = .beforeBrace
      case (_, UInt8(ascii: "]")): self = .beforeBracket
      case (_, UInt8(ascii: ",")): self = .beforeComma
      default: self = .beforeColon
      }
    }
  }

  /// The white space of the places.
  private var gaps = [[UInt8]](repeating: [], count: Place.allCases.count)

  /// Reads the spacing of a JSON text; `nil` if it is not JSON, or does not stand on one line with the same white space
  /// everywhere.
  package init?(of text: [UInt8]) {
    guard (try? JSONValue(parsing: text)) != nil else { return nil }
    var known: [[UInt8]?] = gaps.map { _ in nil }
    var isRegular = true
    JSONTokens.read(text) { last, next, range, _ in
      let (place, gap) = (Place(last, next), text[range])
      if let before = known[place.rawValue] {
        if !gap.elementsEqual(before) { isRegular = false }
      } else {
        known[place.rawValue] = Array(gap)
        if place == .start, !gap.isEmpty { isRegular = false }
        if place != .end, gap.contains(where: { $0 == 0x0a || $0 == 0x0d }) { isRegular = false }
      }
    }
    guard isRegular else { return nil }
    gaps = known.map { $0 ?? [] }
  }

  /// Creates a spacing from its marks; `nil` if one of them is none.
  package init?(marks: [String]) {
    for mark in marks {
      let octets = Array(mark.utf8)
      let before = Array(octets.prefix(while: JSONTokens.isSpace))
      let first = octets.dropFirst(before.count).first
      let inner = Array(octets.dropFirst(before.count + 1).prefix(while: JSONTokens.isSpace))
      let last = octets.dropFirst(before.count + 1 + inner.count)
      switch first {
      case nil: self[.end] = before
      case UInt8(ascii: "{") where last.isEmpty && before.isEmpty: self[.afterBrace] = inner
      case UInt8(ascii: "{") where last == [UInt8(ascii: "}")] && before.isEmpty: self[.inBraces] = inner
      case UInt8(ascii: "[") where last.isEmpty && before.isEmpty: self[.afterBracket] = inner
      case UInt8(ascii: "[") where last == [UInt8(ascii: "]")] && before.isEmpty: self[.inBrackets] = inner
      case UInt8(ascii: "}") where last.isEmpty && inner.isEmpty: self[.beforeBrace] = before
      case UInt8(ascii: "]") where last.isEmpty && inner.isEmpty: self[.beforeBracket] = before
      case UInt8(ascii: ",") where last.isEmpty: (self[.beforeComma], self[.afterComma]) = (before, inner)
      case UInt8(ascii: ":") where last.isEmpty: (self[.beforeColon], self[.afterColon]) = (before, inner)
      default: return nil
      }
    }
  }

  private subscript(place: Place) -> [UInt8] {
    get { gaps[place.rawValue] }
    set { gaps[place.rawValue] = newValue }
  }

  /// The marks that have white space, with it.
  package var marks: [String] {
    let marks: [(before: Place?, mark: String, after: Place?, end: String)] = [
      (nil, "{", .afterBrace, ""), (.beforeBrace, "}", nil, ""), (nil, "{", .inBraces, "}"),
      (nil, "[", .afterBracket, ""), (.beforeBracket, "]", nil, ""), (nil, "[", .inBrackets, "]"),
      (.beforeComma, ",", .afterComma, ""), (.beforeColon, ":", .afterColon, ""), (nil, "", .end, ""),
    ]
    return marks.compactMap { before, mark, after, end in
      func text(_ place: Place?) -> String { String(decoding: place.map { self[$0] } ?? [], as: UTF8.self) }
      let spaced = text(before) + mark + text(after)
      return spaced == mark ? nil : spaced + end
    }
  }

  /// Returns a JSON text with this spacing. Strings and numbers stay as they are written.
  package func applied(to text: [UInt8]) -> [UInt8] {
    JSONTokens.spaced(text) { result, last, next, _ in result += self[Place(last, next)] }
  }

  /// Returns a JSON text with a line for each member and element. Strings and numbers stay as they are written.
  package static func lines(of text: [UInt8]) -> [UInt8] {
    JSONTokens.spaced(text) { result, last, next, level in
      switch Place(last, next) {
      case .start, .inBraces, .inBrackets, .beforeComma, .beforeColon: break
      case .afterColon: result.append(0x20)
      case .afterBrace, .afterBracket, .afterComma, .beforeBrace, .beforeBracket:
        result.append(0x0a)
        result.append(contentsOf: repeatElement(0x20, count: 2 * level))
      case .end: result.append(0x0a)
      }
    }
  }
}

/// The tokens of a valid JSON text.
private enum JSONTokens {
  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  static func isSpace(_ octet: UInt8) -> Bool {
    octet == 0x20 || octet == 0x0a || octet == 0x0d || octet == 0x09
  }

  /// Reads the places between tokens, which may have white space.
  ///
  /// - Parameter visit: Receives the octets before and behind a place, its range, and the number of arrays and objects
  ///   around what follows.
  static func read(_ text: [UInt8], _ visit: (UInt8?, UInt8?, Range<Int>, Int) -> Void) {
    var (start, level) = (0, 0)
    var index = text.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    var last: UInt8?
    while true {
      while index < text.count, isSpace(text[index]) { index += 1 }
      let next = index < text.count ? text[index] : nil
      if next == UInt8(ascii: "}") || next == UInt8(ascii: "]") { level -= 1 }
      visit(last, next, start..<index, level)
      guard let next else { return }
      if next == UInt8(ascii: "{") || next == UInt8(ascii: "[") { level += 1 }
      start = end(ofTokenAt: index, in: text)
      index = start
      last = text[index - 1]
    }
  }

  /// Returns a text with other white space between its tokens.
  ///
  /// - Parameter appendGap: Appends the white space of a place, which is given as to the closure of `read`.
  static func spaced(
    _ text: [UInt8],
    _ appendGap: (inout [UInt8], UInt8?, UInt8?, Int) -> Void
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count * 2)
    var copied = 0
    read(text) { last, next, range, level in
      result += text[copied..<range.lowerBound]
      appendGap(&result, last, next, level)
      copied = range.upperBound
    }
    return result
  }

  private static func end(ofTokenAt start: Int, in text: [UInt8]) -> Int {
    switch text[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
      UInt8(ascii: ":"):
      return start + 1
    case UInt8(ascii: "\""):
      var index = start + 1
      while text[index] != UInt8(ascii: "\"") { index += text[index] == UInt8(ascii: "\\") ? 2 : 1 }
      return index + 1
    default:
      return text[start...].firstIndex { isSpace($0) || ",]}".utf8.contains($0) } ?? text.count
    }
  }
}
