/// The text that replaces a secret in a fixture: `SECRET-ACCESS_TOKEN-1`.
///
/// Letters, digits, hyphens and underscores need no escape anywhere: it can be a part of a path, a cookie, a token and of
/// base64url.
struct Placeholder: Sendable, Hashable {
  /// Upper case letters, digits and underscores.
  let name: String
  /// Numbers the values of one name, from 1.
  let number: Int

  static let start = Array("SECRET-".utf8)
  private static let maxNameLength = 64

  /// The text.
  var text: String { "SECRET-\(identifier)" }

  /// The name and the number, such as `ACCESS_TOKEN-1`.
  var identifier: String { "\(name)-\(number)" }

  init(name: String, number: Int) {
    self.name = name
    self.number = number
  }

  /// Parses a name and a number, such as `ACCESS_TOKEN-1`.
  init?(identifier: String) { self.init(exactly: Self.start + Array(identifier.utf8)) }

  /// Parses a text that consists of one placeholder.
  init?(exactly bytes: [UInt8]) {
    guard let found = Placeholder.parse(bytes, at: 0), found.end == bytes.count else { return nil }
    self = found.placeholder
  }

  /// Returns the placeholder at an offset and the offset behind it.
  static func parse(_ bytes: [UInt8], at offset: Int) -> (placeholder: Placeholder, end: Int)? {
    guard bytes[offset...].starts(with: start), !bytes.has(offset - 1, \.isAlphanumeric) else { return nil }
    let name = bytes[(offset + start.count)...].prefix(maxNameLength + 1, while: \.isNameOctet)
    guard !name.isEmpty, name.count <= maxNameLength, bytes.has(name.endIndex, { $0 == UInt8(ascii: "-") })
    else { return nil }
    let digits = bytes[(name.endIndex + 1)...].prefix(9, while: \.isDigit)
    guard let number = Int(String(decoding: digits, as: UTF8.self)), number > 0,
      digits.first != UInt8(ascii: "0"), !bytes.has(digits.endIndex, \.isAlphanumeric)
    else { return nil }
    let placeholder = Placeholder(name: String(decoding: name, as: UTF8.self), number: number)
    return (placeholder, digits.endIndex)
  }

  /// Returns all placeholders in a text, with their ranges.
  static func all(in bytes: [UInt8]) -> [(range: Range<Int>, placeholder: Placeholder)] {
    var result: [(range: Range<Int>, placeholder: Placeholder)] = []
    var offset = 0
    while let next = bytes.firstOffset(of: start, from: offset) {
      if let found = parse(bytes, at: next) {
        result.append((next..<found.end, found.placeholder))
        offset = found.end
      } else {
        offset = next + 1
      }
    }
    return result
  }

  /// Returns the name for a secret that was found under a name: `accessToken` and `access-token` are `ACCESS_TOKEN`.
  static func name(from text: some StringProtocol) -> String {
    var name: [UInt8] = []
    var wasLower = false
    for octet in text.utf8.prefix(4 * maxNameLength) {
      let isUpper = octet.isUpperCase
      if octet.isLetter || octet.isDigit {
        if isUpper, wasLower { name.append(UInt8(ascii: "_")) }
        name.append(octet.isLetter ? octet & 0xDF : octet)
      } else if let last = name.last, last != UInt8(ascii: "_") {
        name.append(UInt8(ascii: "_"))
      }
      wasLower = octet.isLetter && !isUpper || octet.isDigit
    }
    name = Array(name.prefix(maxNameLength))
    while name.last == UInt8(ascii: "_") { name.removeLast() }
    return name.isEmpty ? "SECRET" : String(decoding: name, as: UTF8.self)
  }
}
