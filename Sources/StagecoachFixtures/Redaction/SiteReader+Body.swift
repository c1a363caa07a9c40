import HTTPTypes
import StagecoachFormats

extension SiteReader {
  private enum Syntax {
    case json, form, markup(isHTML: Bool), multipart(boundary: String), text
  }

  /// Reads a body by its media type; without one, by its first characters.
  mutating func readBody(_ type: MediaType?) {
    switch syntax(type) {
    case .json: readJSON(text.indices)
    case .form: readForm(text.indices)
    case .markup(let isHTML):
      readMarkup(isHTML: isHTML)
      // Scripts in pages.
      if isHTML { readJSON(text.indices) }
    case .multipart(let boundary): readMultipart(boundary)
    case .text: break
    }
    readURLs()
  }

  private func syntax(_ type: MediaType?) -> Syntax {
    guard let type else { return guessedSyntax }
    let subtype = type.suffix ?? type.subtype
    switch (type.type, subtype) {
    case ("application", "x-www-form-urlencoded"): return .form
    case ("text", "html"): return .markup(isHTML: true)
    case (_, "xml"): return .markup(isHTML: type.subtype == "xhtml+xml")
    case ("application", "x-plist"): return .markup(isHTML: false)
    case ("multipart", _): return type[parameter: "boundary"].map { .multipart(boundary: $0) } ?? .text
    case (_, "json"), ("text", "event-stream"), ("text", "javascript"), ("application", "javascript"):
      return .json
    case ("application", _) where subtype.contains("json") || subtype.contains("ndjson"): return .json
    case ("text", "plain"), ("application", "octet-stream"): return guessedSyntax
    default: return .text
    }
  }

  private var guessedSyntax: Syntax {
    let start = text.prefix(1_024).first { !$0.isSpace && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
    switch start {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
    case UInt8(ascii: "<"):
      let start = String(decoding: text.prefix(1_024), as: UTF8.self).lowercased()
      return .markup(isHTML: start.contains("<html") || start.contains("<!doctype html"))
    default:
      let isForm = !text.contains { $0 <= 0x20 || $0 >= 0x7F } && text.contains(UInt8(ascii: "="))
      return isForm ? .form : .text
    }
  }

  // MARK: Multipart

  private mutating func readMultipart(_ boundary: String) {
    guard depth < Self.maxDepth, !boundary.isEmpty else { return }
    for part in parts(Array("--\(boundary)".utf8)) {
      let content = Array(text[part.content])
      let disposition = part.fields.contentDisposition
      if let name = disposition?.name, disposition?.fileName == nil, naming.isSecret(parameter: name) {
        deny(
          Site(
            range: part.content,
            value: content,
            name: Placeholder.name(from: name),
            label: name,
            position: "part \(name)",
            mayBeWord: naming.verdict(member: name) == .ifRandom
          )
        )
        continue
      }
      var reader = SiteReader(content, naming, depth: depth + 1)
      reader.readBody(part.fields.contentType)
      for var site in reader.findings.sites {
        site.range = site.range.shifted(by: part.content.lowerBound)
        if let name = disposition?.name { site.position = "part \(name) \(site.position)" }
        findings.sites.append(site)
      }
      findings.values += reader.findings.values
    }
  }

  /// Returns the parts between boundaries at the starts of lines. Unlike a parser, this reads broken content as well.
  private func parts(_ marker: [UInt8]) -> [(fields: HTTPFields, content: Range<Int>)] {
    var result: [(fields: HTTPFields, content: Range<Int>)] = []
    var start: Int?
    var position = 0
    while result.count < 10_000 {
      let next = text.firstOffset(of: marker, from: position)
      if let next, next > 0, text[next - 1] != 0x0A {
        position = next + 1
        continue
      }
      if let start {
        var end = next ?? text.count
        if next != nil, end > start { end -= 1 }
        if next != nil, end > start, text[end - 1] == 0x0D { end -= 1 }
        result.append(part(start..<end))
      }
      guard let next else { break }
      position = next + marker.count
      start = text.firstOffset(of: [0x0A], from: position).map { $0 + 1 } ?? text.count
      if text[position...].starts(with: "--".utf8) { break }
    }
    return result
  }

  private func part(_ range: Range<Int>) -> (fields: HTTPFields, content: Range<Int>) {
    var fields: HTTPFields = [:]
    var position = range.lowerBound
    while position < range.upperBound, fields.count < 100 {
      let end = text[position..<range.upperBound].firstIndex(of: 0x0A) ?? range.upperBound
      let line = text.trimmed(position..<end)
      position = min(end + 1, range.upperBound)
      if line.isEmpty { break }
      guard let colon = text[line].firstIndex(of: UInt8(ascii: ":")),
        let name = HTTPField.Name(text.text(line.lowerBound..<colon))
      else { continue }
      fields.append(HTTPField(name: name, value: text.text(text.trimmed((colon + 1)..<line.upperBound))))
    }
    return (fields, position..<range.upperBound)
  }
}
