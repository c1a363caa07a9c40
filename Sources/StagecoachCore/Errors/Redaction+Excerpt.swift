extension Redaction {
  /// Returns a text, possibly truncated, with the values of secret names replaced: JSON members, form entries,
  /// attributes, and elements that contain only text.
  package static func excerpt(_ text: String) -> String {
    var scanner = ExcerptScanner(Array(text.utf8)) {
      SecretNames.contains(String(decoding: $0, as: UTF8.self))
    }
    return String(decoding: scanner.run(replacing: "[redacted]"), as: UTF8.self)
  }
}

/// Finds names with values in a text of unknown syntax.
private struct ExcerptScanner {
  private let octets: [UInt8]
  private let isSecret: (ArraySlice<UInt8>) -> Bool
  private var position = 0
  private var result: [UInt8] = []

  init(_ octets: [UInt8], isSecret: @escaping (ArraySlice<UInt8>) -> Bool) {
    self.octets = octets
    self.isSecret = isSecret
  }

  private func octet(at position: Int) -> UInt8? { position < octets.count ? octets[position] : nil }

  mutating func run(replacing mark: String) -> [UInt8] {
    while let octet = octet(at: position) {
      let name: ArraySlice<UInt8>
      if octet == UInt8(ascii: "\"") {
        let end = endOfString(from: position)
        name = octets[position + 1..<max(position + 1, end - 1)]
        copy(to: end)
      } else if Self.isNamePart(octet) {
        let end = octets[position...].firstIndex { !Self.isNamePart($0) } ?? octets.count
        name = octets[position..<end]
        copy(to: end)
      } else {
        copy(to: position + 1)
        continue
      }
      if isSecret(name), let value = startOfValue() {
        copy(to: value)
        result += Array(mark.utf8)
        position = endOfValue(from: value)
      }
    }
    return result
  }

  private mutating func copy(to end: Int) {
    result += octets[position..<min(end, octets.count)]
    position = min(end, octets.count)
  }

  private static func isNamePart(_ octet: UInt8) -> Bool {
    switch octet {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: octet >= 0x80
    }
  }

  private static func isBlank(_ octet: UInt8) -> Bool { octet == 0x20 || (0x09...0x0d).contains(octet) }

  /// Returns the position behind the closing quote of a string, or the end of the text.
  private func endOfString(from start: Int) -> Int {
    var index = start + 1
    while let octet = octet(at: index), octet != UInt8(ascii: "\"") {
      index += octet == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, octets.count)
  }

  /// Returns the start of the value that belongs to the name before the position; `nil` if there is none.
  private func startOfValue() -> Int? {
    let blank = octets[position...].firstIndex { !Self.isBlank($0) } ?? octets.count
    switch octet(at: blank) {
    case UInt8(ascii: ":"), UInt8(ascii: "="):
      return octets[(blank + 1)...].firstIndex { !Self.isBlank($0) } ?? octets.count
    // The end of a tag; its content must be text.
    case UInt8(ascii: ">"): return octet(at: blank + 1) == UInt8(ascii: "<") ? nil : blank + 1
    default: return nil
    }
  }

  private func endOfValue(from start: Int) -> Int {
    if octets[start - 1] == UInt8(ascii: ">") {
      return octets[start...].firstIndex(of: UInt8(ascii: "<")) ?? octets.count
    }
    switch octet(at: start) {
    case UInt8(ascii: "\""): return endOfString(from: start)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var depth = 0
      var index = start
      while let octet = octet(at: index) {
        switch octet {
        case UInt8(ascii: "\""):
          index = endOfString(from: index)
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        index += 1
        if depth == 0 { break }
      }
      return index
    default:
      let ends = Array("&,;\"'<>{}[]".utf8)
      return octets[start...].firstIndex { Self.isBlank($0) || ends.contains($0) } ?? octets.count
    }
  }
}
