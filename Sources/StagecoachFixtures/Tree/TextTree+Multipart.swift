import HTTPTypes
import StagecoachFormats

extension TextTree {
  private static let maxPartCount = 10_000
  private static let maxBoundaryLength = 256

  /// Reads multipart content: each part has its name, or its position, and its content is a leaf.
  mutating func readMultipart(_ boundary: String) {
    guard boundary.utf8.count <= Self.maxBoundaryLength else { return add(.characters(0), text.indices) }
    var counts = NameCounts()
    for (index, range) in parts(Array("--\(boundary)".utf8)).enumerated() {
      let part = head(range)
      if let name = part.fields.contentDisposition?.name {
        open(.parameter(name, counts.next(name)))
      } else {
        open(.index(index))
      }
      let content = Array(text[part.content])
      let inner = InnerText.content(content, part.fields.contentType, in: level)
      add(.characters(0), Leaf(part.content, content, inner: inner))
      close()
    }
  }

  /// Returns the ranges between boundaries at the starts of lines; the last one may have no end.
  private func parts(_ marker: [UInt8]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start: Int?
    var position = 0
    while result.count < Self.maxPartCount {
      let next = text.firstOffset(of: marker, from: position)
      if let next, next > 0, text[next - 1] != 0x0A {
        position = next + 1
        continue
      }
      if let start {
        var end = next ?? text.count
        if next != nil, end > start { end -= 1 }
        if next != nil, end > start, text[end - 1] == 0x0D { end -= 1 }
        result.append(start..<end)
      }
      guard let next else { break }
      position = next + marker.count
      start = text.firstOffset(of: [0x0A], from: position).map { $0 + 1 } ?? text.count
      if text[position...].starts(with: "--".utf8) { break }
    }
    return result
  }

  private func head(_ range: Range<Int>) -> (fields: HTTPFields, content: Range<Int>) {
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
