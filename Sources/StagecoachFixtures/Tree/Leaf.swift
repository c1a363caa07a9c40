import StagecoachFormats

/// A value in a text.
struct Leaf: Sendable {
  /// The type that the format gives to a value.
  enum ValueType: Sendable, Hashable { case text, number, boolean, null }

  /// The octets that hold the value, without quotes.
  let range: Range<Int>
  /// The value with its escapes decoded.
  let value: [UInt8]
  let type: ValueType
  let coding: LeafCoding
  /// The value as a text of a format.
  let inner: InnerText?

  init(
    _ range: Range<Int>,
    _ value: [UInt8],
    _ type: ValueType = .text,
    _ coding: LeafCoding = .plain,
    inner: InnerText? = nil
  ) {
    self.range = range
    self.value = value
    self.type = type
    self.coding = coding
    self.inner = inner
  }
}

/// How the value of a leaf is written in its text.
enum LeafCoding: Sendable, Hashable {
  /// As it is.
  case plain
  /// With percent escapes (RFC 3986 2.1).
  case percent
  /// As in a form: percent escapes, and a plus sign for a space.
  case form
  /// With the escapes of a JSON string (RFC 8259 7).
  case json
  /// With character references, in an attribute or between tags.
  case markup
  /// With a backslash before quotes and backslashes (RFC 9110 5.6.4).
  case quoted

  /// Returns a value as it is written. Letters, digits, hyphens and underscores are never escaped.
  func encode(_ value: [UInt8]) -> [UInt8] {
    switch self {
    case .plain: value
    case .percent: Array(String(decoding: value, as: UTF8.self).percentEncoded(.unreserved).utf8)
    case .form:
      Array(
        String(decoding: value, as: UTF8.self).percentEncoded(.unreserved).replacing("%20", with: "+").utf8
      )
    case .json:
      Array(JSONValue.string(String(decoding: value, as: UTF8.self)).serialized().dropFirst().dropLast())
    case .markup:
      value.reduce(into: []) { text, octet in
        switch octet {
        case UInt8(ascii: "&"): text += Array("&amp;".utf8)
        case UInt8(ascii: "<"): text += Array("&lt;".utf8)
        case UInt8(ascii: ">"): text += Array("&gt;".utf8)
        case UInt8(ascii: "\""): text += Array("&quot;".utf8)
        case UInt8(ascii: "'"): text += Array("&#39;".utf8)
        default: text.append(octet)
        }
      }
    case .quoted:
      value.reduce(into: []) { text, octet in
        if octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "\\") { text.append(UInt8(ascii: "\\")) }
        text.append(octet)
      }
    }
  }
}

/// The value of a leaf as a text of a format.
final class InnerText: Sendable {
  /// How the text is written as the value.
  enum Coding: Sendable, Hashable {
    /// As it is.
    case same
    /// In Base64 (RFC 4648), in lines of a length if that is not 0, each with this end.
    case base64(urlSafe: Bool, padded: Bool, lineLength: Int = 0, lineEnd: [UInt8] = [])

    func encode(_ text: [UInt8]) -> [UInt8] {
      guard case .base64(let urlSafe, let padded, let lineLength, let lineEnd) = self else { return text }
      let digits = Base64.encode(text, urlSafe: urlSafe, padded: padded)
      guard lineLength > 0 else { return digits }
      return stride(from: 0, to: digits.count, by: lineLength).reduce(into: []) { lines, start in
        if start > 0 { lines += lineEnd }
        lines += digits[start..<min(start + lineLength, digits.count)]
      }
    }
  }

  let coding: Coding
  let tree: TextTree

  init(_ coding: Coding, _ tree: TextTree) {
    self.coding = coding
    self.tree = tree
  }
}
