package import StagecoachFormats

/// Searches the files of fixtures for secrets by their names and shapes, without knowing any value. Placeholders are no
/// findings.
package struct SecretScan: Sendable {
  private let texts: TextFindings

  /// Creates a scan.
  ///
  /// - Parameter options: Names, values and the detector. `redactsBodies` has no effect.
  package init(_ options: RedactionOptions = RedactionOptions()) {
    texts = TextFindings(options)
  }

  /// Returns the secrets in a file, in order. Files of more than ``Redactor/maxPartSize`` are searched up to there.
  ///
  /// - Parameters:
  ///   - file: The name of the file. Its extension decides how the content is read; without a known one, its start.
  ///   - bytes: The content.
  package func findings(in file: String, _ bytes: Bytes) -> [SecretFinding] {
    let text = [UInt8](bytes.prefix(Redactor.maxPartSize))
    var reader = SiteReader(text, texts.naming)
    reader.readBody(Self.mediaType(of: file))
    var found: [(range: Range<Int>, kind: SecretKind)] = reader.findings.sites
      .filter { $0.value.firstOffset(of: Placeholder.start) == nil }
      .map { ($0.range, SecretKind(placeholderName: $0.name)) }
    for view in TextView.all(of: text) {
      found += SecretShapes.all(in: view.octets)
        .filter { view.octets[$0.range].firstRange(of: Placeholder.start) == nil }
        .map { (view.sourceRange($0.range), $0.kind) }
    }
    // Secrets of texts in the text, of decoded URLs, and of the options.
    let values = (reader.findings.values + texts.values(in: text))
      .filter { $0.octets.firstOffset(of: Placeholder.start) == nil }
    let finder = SecretFinder(values.map { ($0.octets, []) })
    found += finder.matches(in: text).map { match in
      (match.range, SecretKind(placeholderName: values[match.secret].name))
    }
    return report(found, file, text)
  }

  private static func mediaType(of file: String) -> MediaType? {
    switch file.split(separator: ".").last?.lowercased() {
    case "json", "har", "ndjson", "jsonl": .json
    case "xml", "plist", "svg": .xml
    case "html", "htm": .html
    default: nil
    }
  }

  private func report(
    _ found: [(range: Range<Int>, kind: SecretKind)],
    _ file: String,
    _ text: [UInt8]
  ) -> [SecretFinding] {
    let placeholders = Placeholder.all(in: text).map(\.range)
    let sorted = found.sorted {
      ($0.range.lowerBound, -$0.range.count) < ($1.range.lowerBound, -$1.range.count)
    }
    var secrets: [(range: Range<Int>, kind: SecretKind)] = []
    var next = placeholders[...]
    for secret in sorted where secret.range.lowerBound >= (secrets.last?.range.upperBound ?? 0) {
      next = next.drop { $0.upperBound <= secret.range.lowerBound }
      if next.first?.overlaps(secret.range) != true { secrets.append(secret) }
    }
    let ranges = secrets.map(\.range)
    var line = 1
    var lineStart = 0
    var position = 0
    return secrets.enumerated().map { index, secret in
      while position < secret.range.lowerBound {
        if text[position] == 0x0A { (line, lineStart) = (line + 1, position + 1) }
        position += 1
      }
      return SecretFinding(
        file: file,
        line: line,
        column: secret.range.lowerBound - lineStart + 1,
        kind: secret.kind,
        excerpt: Self.excerpt(text, index, ranges, lineStart)
      )
    }
  }

  /// The text around a secret in its line, with a mark in place of each secret.
  private static func excerpt(_ text: [UInt8], _ index: Int, _ secrets: [Range<Int>], _ lineStart: Int)
    -> String
  {
    let secret = secrets[index]
    var position = max(lineStart, secret.lowerBound - 32)
    var excerpt: [UInt8] = []
    for other in secrets[...index].suffix(8) where other.upperBound > position {
      if position < other.lowerBound { excerpt += text[position..<other.lowerBound] }
      excerpt += Array("[secret]".utf8)
      position = other.upperBound
    }
    let printable = excerpt.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
    return String(decoding: printable, as: UTF8.self)
  }
}

extension SecretScan: CustomStringConvertible, CustomReflectable {
  /// A description without the values of the options.
  package var description: String { "a scan for secrets" }

  /// A mirror without the values of the options.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A text in a file that looks like a secret.
package struct SecretFinding: Sendable, Hashable, CustomStringConvertible {
  /// The name of the file.
  package let file: String
  /// The line, from 1.
  package let line: Int
  /// The column in bytes, from 1.
  package let column: Int
  /// The reason why the text is taken for a secret.
  package let kind: SecretKind
  /// The text before the secret and a mark in its place.
  package let excerpt: String

  /// The place, the kind and the excerpt, without the secret.
  package var description: String { "\(file):\(line):\(column): \(kind.rawValue): \(excerpt)" }
}
