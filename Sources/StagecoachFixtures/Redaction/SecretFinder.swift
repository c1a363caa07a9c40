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
    let replacement: [UInt8]
  }

  private struct Pattern {
    let secret: Int
    let form: Spelling
  }

  private enum Spelling { case plain, form, hexadecimal, base64(offset: Int) }

  /// How deep base64 in base64 is decoded.
  private static let maxDepth = 2

  /// A secret that is only searched behind a name.
  struct Named: Sendable {
    let name: [UInt8]
    /// The number of the secret.
    let secret: Int
  }

  /// The number of punctuation characters between a name and a value: `"name": "`, or `name</b>: <i>` without letters.
  private static let maxPunctuation = 8

  private let values: [[UInt8]]
  private let substitutes: [[UInt8]]
  /// The numbers of the secrets that are searched behind each name.
  private let named: [[UInt8]: [Int]]
  private let patterns: [Pattern]
  private let set: PatternSet

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - secrets: The values, with the texts that replace them. Short ones are ignored.
  ///   - named: The secrets that are only searched behind a name; behind an empty one, not at all.
  init(_ secrets: [(value: [UInt8], substitute: [UInt8])], named: [Named] = []) {
    self.named = Dictionary(grouping: named, by: \.name).mapValues { $0.map(\.secret) }
    let namedSecrets = Set(named.map(\.secret))
    let values = secrets.map(\.value)
    self.values = values
    substitutes = secrets.map(\.substitute)
    var patterns: [Pattern] = []
    var octets: [(octets: [UInt8], tag: Int)] = []
    func add(_ value: [UInt8], _ secret: Int, _ form: Spelling) {
      octets.append((value, patterns.count))
      patterns.append(Pattern(secret: secret, form: form))
    }
    let searched = values.indices.filter {
      !namedSecrets.contains($0) && values[$0].count >= PatternSet.minLength
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
  ///
  /// - Parameter others: Other matches, which are preferred to those with the same range.
  func matches(in text: [UInt8], and others: [Match] = []) -> [Match] {
    Self.withoutOverlaps(others + allMatches(in: text, depth: 0))
  }

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
    guard !set.isEmpty || !named.isEmpty else { return matches }
    for view in TextView.all(of: text) {
      /// The end of the base64 text that was decoded last, for each position of its groups.
      var decodedUpTo = [0, 0, 0, 0]
      set.forEachMatch(in: view.octets) { range, tag in
        let pattern = patterns[tag]
        switch pattern.form {
        case .plain:
          guard !isPartOfWord(range, pattern.secret, view.octets) else { return false }
          add(range, pattern.secret, view.encoding, substitutes[pattern.secret])
        case .form:
          add(range, pattern.secret, .form, substitutes[pattern.secret])
        case .hexadecimal:
          add(range, pattern.secret, .hexadecimal, hexadecimal(range, pattern.secret, view.octets))
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
      if depth == 0 {
        forEachNamed(in: view.octets) { add($0, $1, view.encoding, substitutes[$1]) }
      }
      func add(_ range: Range<Int>, _ secret: Int, _ encoding: SecretEncoding, _ replacement: [UInt8]) {
        matches.append(
          Match(range: view.sourceRange(range), secret: secret, encoding: encoding, replacement: replacement)
        )
      }
    }
    return matches
  }

  /// Calls a closure for each value behind its name, with little punctuation in between.
  private func forEachNamed(in text: [UInt8], _ body: (_ range: Range<Int>, _ secret: Int) -> Void) {
    guard !named.isEmpty else { return }
    let lowercased = text.map(\.lowercasedInField)
    for (name, secrets) in named where !name.isEmpty {
      var position = 0
      while let start = lowercased.firstOffset(of: name, from: position) {
        position = start + 1
        let end = start + name.count
        guard !text.has(start - 1, \.isAlphanumeric) else { continue }
        let punctuation = text[end...].prefix(Self.maxPunctuation, while: { !$0.isAlphanumeric })
        for start in end...punctuation.endIndex where start > end {
          guard let secret = secrets.first(where: { isNext($0, in: text, at: start) }) else { continue }
          body(start..<(start + values[secret].count), secret)
          break
        }
      }
    }
  }

  private func isNext(_ secret: Int, in text: [UInt8], at start: Int) -> Bool {
    let value = values[secret]
    guard text[start...].starts(with: value), !text.has(start + value.count, \.isAlphanumeric) else {
      return false
    }
    // A number in JSON is no string, and short ones are no secrets.
    let before = text[..<start].suffix(Self.maxPunctuation).filter { !$0.isSpace }
    return !(value.allSatisfy(\.isDigit) && before.suffix(2) == [UInt8(ascii: "\""), UInt8(ascii: ":")])
  }

  /// Whether a secret that is an ordinary word is only the end or the start of another word, such as `secret` in
  /// `client_secret`.
  private func isPartOfWord(_ range: Range<Int>, _ secret: Int, _ text: [UInt8]) -> Bool {
    guard range.count < 12, SecretValues.isOrdinaryWord(values[secret]) else { return false }
    let isJoined = { (octet: UInt8) in octet.isLetter || octet == UInt8(ascii: "_") }
    return text.has(range.lowerBound - 1, isJoined) || text.has(range.upperBound, isJoined)
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
