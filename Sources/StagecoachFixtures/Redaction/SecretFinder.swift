import StagecoachFormats

/// Finds known secrets in a text, in every encoding.
///
/// Escapes (of percent-encoding, forms, JSON and markup) are decoded before the search, so it makes no difference which
/// characters a writer escapes and how. For base64, the digits that do not depend on the octets around the secret are
/// searched at each of the three alignments, and then compared with the decoded text.
struct SecretFinder: Sendable {
  /// A secret in a text.
  struct Match: Sendable {
    let range: Range<Int>
    /// The number of the secret.
    let secret: Int
    let encoding: SecretEncoding
    var replacement: [UInt8]
  }

  private struct Pattern {
    let secret: Int
    let form: Spelling
  }

  private enum Spelling { case plain, form, hexadecimal, base64(offset: Int), wide(Wide) }

  /// An encoding with more than one octet for a character.
  private enum Wide: CaseIterable {
    case utf16LittleEndian, utf16BigEndian, utf32LittleEndian, utf32BigEndian

    func encode(_ octets: [UInt8]) -> [UInt8] {
      let text = String(decoding: octets, as: UTF8.self)
      return switch self {
      case .utf16LittleEndian: text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      case .utf16BigEndian: text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
      case .utf32LittleEndian:
        text.unicodeScalars.flatMap { scalar in
          (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> (8 * $0)) }
        }
      case .utf32BigEndian:
        text.unicodeScalars.flatMap { scalar in
          (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> (24 - 8 * $0)) }
        }
      }
    }
  }

  /// From this length on a secret is also found within a word.
  private static let minLongLength = 16
  /// How deep base64 in base64 is decoded.
  private static let maxDepth = 2

  private let values: [[UInt8]]
  private let substitutes: [[UInt8]]
  private let patterns: [Pattern]
  private let set: PatternSet

  /// Finds the secrets of a book that are replaced wherever they stand. Those of less than 6 octets are not searched.
  init(_ book: SecretBook) {
    let values = book.secrets.map(\.value)
    self.values = values
    substitutes = book.secrets.map { Array($0.placeholder.text.utf8) }
    var patterns: [Pattern] = []
    var octets: [(octets: [UInt8], tag: Int)] = []
    func add(_ value: [UInt8], _ secret: Int, _ form: Spelling) {
      octets.append((value, patterns.count))
      patterns.append(Pattern(secret: secret, form: form))
    }
    let searched = values.indices.filter {
      book.secrets[$0].isKnown && values[$0].count >= PatternSet.minLength
    }
    // Of equal patterns the first one counts.
    for secret in searched { add(values[secret], secret, .plain) }
    for secret in searched {
      let value = values[secret]
      if value.contains(UInt8(ascii: " ")) {
        add(value.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }, secret, .form)
      }
      add(Self.hexadecimal(value, letters: UInt8(ascii: "a")), secret, .hexadecimal)
      add(Self.hexadecimal(value, letters: UInt8(ascii: "A")), secret, .hexadecimal)
      for wide in Wide.allCases { add(wide.encode(value), secret, .wide(wide)) }
      for offset in 0..<3 {
        for urlSafe in [false, true] {
          add(Base64.core(of: value, offset: offset, urlSafe: urlSafe), secret, .base64(offset: offset))
        }
      }
    }
    self.patterns = patterns
    set = PatternSet(octets)
  }

  /// Returns the matches in a text that do not overlap: of those that do, the first one, and of those with the same
  /// start, the longest.
  ///
  /// This is enough to remove all secrets: a match that is passed over starts in a replaced one, so it is not complete
  /// afterwards.
  func matches(in text: [UInt8]) -> [Match] { Self.withoutOverlaps(allMatches(in: text, depth: 0)) }

  private static func withoutOverlaps(_ matches: [Match]) -> [Match] {
    let sorted = matches.enumerated().sorted { left, right in
      let (a, b) = (left.element.range, right.element.range)
      if a == b { return left.offset < right.offset }
      return a.lowerBound == b.lowerBound ? a.upperBound > b.upperBound : a.lowerBound < b.lowerBound
    }
    var result: [Match] = []
    for (_, match) in sorted where match.range.lowerBound >= (result.last?.range.upperBound ?? 0) {
      result.append(match)
    }
    return result
  }

  static func replace(_ matches: [Match], in text: [UInt8]) -> [UInt8] {
    guard !matches.isEmpty else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var position = 0
    for match in matches {
      result.append(contentsOf: text[position..<match.range.lowerBound])
      result.append(contentsOf: match.replacement)
      position = match.range.upperBound
    }
    result.append(contentsOf: text[position...])
    return result
  }

  private func allMatches(in text: [UInt8], depth: Int) -> [Match] {
    var matches: [Match] = []
    guard !set.isEmpty else { return matches }
    for view in TextView.all(of: text) {
      /// The end of the base64 text that was decoded last, for each position of its groups.
      var decodedUpTo = [0, 0, 0, 0]
      set.forEachMatch(in: view.octets) { range, tag in
        let pattern = patterns[tag]
        switch pattern.form {
        case .plain:
          guard !isPartOfWord(range, view.octets) else { return false }
          add(range, pattern.secret, view.encoding, substitutes[pattern.secret])
        case .form:
          add(range, pattern.secret, .form, substitutes[pattern.secret])
        case .hexadecimal:
          add(range, pattern.secret, .hexadecimal, hexadecimal(range, pattern.secret, view.octets))
        case .wide(let wide):
          add(range, pattern.secret, .wide, wide.encode(substitutes[pattern.secret]))
        case .base64(let offset):
          let start = range.lowerBound - Base64.leadingDigits[offset]
          guard start >= 0, range.lowerBound >= decodedUpTo[start & 3], depth < Self.maxDepth else {
            return false
          }
          if offset == 0, let range = whole(pattern.secret, from: start, in: view.octets) {
            decodedUpTo[start & 3] = range.upperBound
            add(range, pattern.secret, view.octets[range].base64Encoding, substitutes[pattern.secret])
            return true
          }
          let digits = Self.digits(from: start, view.octets)
          decodedUpTo[start & 3] = digits.upperBound
          let decoded = Base64.decode(view.octets[digits])
          let inner = Self.withoutOverlaps(allMatches(in: decoded, depth: depth + 1))
          // The digits at the ends of the pattern may belong to other octets.
          guard let first = inner.first else { return false }
          let replacement = base64(digits, decoded, inner, view)
          add(
            replacement.range,
            first.secret,
            view.octets[replacement.range].base64Encoding,
            replacement.octets
          )
        }
        return true
      }
      func add(_ range: Range<Int>, _ secret: Int, _ encoding: SecretEncoding, _ replacement: [UInt8]) {
        matches.append(
          Match(range: view.sourceRange(range), secret: secret, encoding: encoding, replacement: replacement)
        )
      }
    }
    return matches
  }

  /// Whether a short secret is only a part of another word.
  private func isPartOfWord(_ range: Range<Int>, _ text: [UInt8]) -> Bool {
    guard range.count < Self.minLongLength else { return false }
    return text.has(range.lowerBound - 1, { $0.isAlphanumeric || $0 >= 0x80 })
      || text.has(range.upperBound, { $0.isAlphanumeric || $0 >= 0x80 })
  }

  /// Replaces digits that stand for themselves by the plain placeholder, and part of a longer number by its digits.
  private func hexadecimal(_ range: Range<Int>, _ secret: Int, _ text: [UInt8]) -> [UInt8] {
    let isPart = text.has(range.lowerBound - 1, \.isHexDigit) || text.has(range.upperBound, \.isHexDigit)
    guard isPart else { return substitutes[secret] }
    return Self.hexadecimal(substitutes[secret], letters: UInt8(ascii: "a"))
  }

  private static func hexadecimal(_ octets: [UInt8], letters: UInt8) -> [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * octets.count)
    for octet in octets {
      for value in [octet >> 4, octet & 15] {
        digits.append(value < 10 ? UInt8(ascii: "0") + value : letters + value - 10)
      }
    }
    return digits
  }

  /// Returns the range of base64 from the start of a group on, without padding.
  private static func digits(from start: Int, _ text: [UInt8]) -> Range<Int> {
    var end = start
    while text.has(end, \.isBase64Digit) { end += 1 }
    return start..<end
  }

  private static func padding(after end: Int, _ text: [UInt8]) -> Int {
    text[end...].prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
  }

  /// Returns the range of base64 that contains nothing but a secret: a word, or a segment of a path.
  private func whole(_ secret: Int, from start: Int, in text: [UInt8]) -> Range<Int>? {
    let value = values[secret]
    let end = start + (8 * value.count + 5) / 6
    let isJoined = { (octet: UInt8) in octet.isBase64Digit && octet != UInt8(ascii: "/") }
    guard end <= text.count, !text.has(start - 1, isJoined), !text.has(end, isJoined),
      Base64.decode(text[start..<end]) == value
    else { return nil }
    return start..<(end + Self.padding(after: end, text))
  }

  /// Returns base64 with the secrets in it replaced; the plain placeholder if there is nothing else in it.
  private func base64(
    _ digits: Range<Int>,
    _ decoded: [UInt8],
    _ inner: [Match],
    _ view: TextView
  ) -> (range: Range<Int>, octets: [UInt8]) {
    let text = view.octets
    let end = digits.upperBound + Self.padding(after: digits.upperBound, text)
    let isPadded = end > digits.upperBound
    let isURLSafe = text[digits.lowerBound..<end].base64Encoding == .base64URL
    let isWhole = inner.count == 1 && inner[0].range == decoded.indices
    if isWhole, !text.has(digits.lowerBound - 1, \.isBase64Digit) {
      return (digits.lowerBound..<end, inner[0].replacement)
    }
    var octets = Base64.encode(Self.replace(inner, in: decoded), urlSafe: isURLSafe, padded: isPadded)
    if view.escapings.contains(.percent) {
      octets = Array(String(decoding: octets, as: UTF8.self).percentEncoded(.unreserved).utf8)
    }
    return (digits.lowerBound..<end, octets)
  }
}

extension TextView {
  /// How a text that is found in this view is written in the source. The last escaping to be decoded counts.
  var encoding: SecretEncoding {
    switch escapings.last {
    case nil: .raw
    case .percent: .percent
    case .json: .json
    case .markup: .markup
    case .lineBreak: .base64
    }
  }
}

extension ArraySlice<UInt8> {
  /// The alphabet of base64, as far as it can be told from the digits and the padding.
  fileprivate var base64Encoding: SecretEncoding {
    let isURLSafe = contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    return isURLSafe || last != UInt8(ascii: "=") && count % 4 != 0 ? .base64URL : .base64
  }
}

extension SecretFinder: HidesContent {}
extension SecretFinder.Match: HidesContent {}
