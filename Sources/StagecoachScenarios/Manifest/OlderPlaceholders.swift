import HTTPTypes
import StagecoachFormats

/// Placeholders as scenarios were once written with: `{{secret:NAME#1}}`. They are read as `SECRET-NAME-1`, the form that
/// is written.
enum OlderPlaceholders {
  private static let start = Array("{{secret:".utf8)

  /// Returns a text with the placeholders in the form of today; `nil` if it has none.
  static func converted(_ text: [UInt8]) -> [UInt8]? {
    guard var range = text.firstRange(of: start) else { return nil }
    var (result, position): ([UInt8], Int) = ([], 0)
    while true {
      result += text[position..<range.lowerBound]
      if let (other, end) = placeholder(text, at: range) {
        result += other
        position = end
      } else {
        result += text[range]
        position = range.upperBound
      }
      guard let next = text[position...].firstRange(of: start) else { break }
      range = next
    }
    return result + text[position...]
  }

  private static func placeholder(_ text: [UInt8], at range: Range<Int>) -> ([UInt8], end: Int)? {
    let name = text[range.upperBound...].prefix(64).prefix { octet in
      (0x41...0x5a).contains(octet) || (0x30...0x39).contains(octet) || octet == UInt8(ascii: "_")
    }
    guard !name.isEmpty, text[name.endIndex...].first == UInt8(ascii: "#") else { return nil }
    let digits = text[(name.endIndex + 1)...].prefix(9).prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty, text[digits.endIndex...].starts(with: "}}".utf8) else { return nil }
    return (Array("SECRET-".utf8) + name + [UInt8(ascii: "-")] + digits, digits.endIndex + 2)
  }
}

extension Scenario {
  /// The scenario with the placeholders in the form of today.
  func convertingOlderPlaceholders() -> Scenario {
    var copy = self
    for index in copy.exchanges.indices {
      let request = exchanges[index].request
      if let target = OlderPlaceholders.converted(Array(request.target.utf8)) {
        copy.exchanges[index].request.target = String(decoding: target, as: UTF8.self)
      }
      copy.exchanges[index].request.fields.convertOlderPlaceholders()
      copy.exchanges[index].request.trailers?.convertOlderPlaceholders()
      copy.exchanges[index].request.body?.convertOlderPlaceholders()
      copy.exchanges[index].reply.head?.response.headerFields.convertOlderPlaceholders()
      copy.exchanges[index].reply.trailers?.convertOlderPlaceholders()
      copy.exchanges[index].reply.body?.convertOlderPlaceholders()
    }
    return copy
  }
}

extension HTTPFields {
  fileprivate mutating func convertOlderPlaceholders() {
    for index in indices {
      guard let value = OlderPlaceholders.converted(self[index].octets) else { continue }
      self[index] = HTTPField(name: self[index].name, value: value)
    }
  }
}

extension Scenario.Body {
  fileprivate mutating func convertOlderPlaceholders() {
    guard let content = OlderPlaceholders.converted(bytes.array) else { return }
    bytes = Bytes(content)
    chunks = []
  }
}
