import StagecoachFormats

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
  /// With character references, in an attribute or between tags, and maybe ampersands that begin none, as in most links of
  /// HTML.
  case markup(hasBareAmpersands: Bool = false)
  /// The same in an attribute without quotes.
  case unquotedAttribute(hasBareAmpersands: Bool = false)
  /// With a backslash before quotes and backslashes (RFC 9110 5.6.4).
  case quoted

  /// Returns a value as it is written. Letters, digits, hyphens and underscores are never escaped.
  func encode(_ value: [UInt8]) -> [UInt8] {
    switch self {
    case .plain: value
    // A plus sign for a space is not what every reader of a query expects.
    case .percent, .form: Array(String(decoding: value, as: UTF8.self).percentEncoded(.unreserved).utf8)
    case .json:
      Array(JSONValue.string(String(decoding: value, as: UTF8.self)).serialized().dropFirst().dropLast())
    case .markup(let isBare): encode(value, bareAmpersands: isBare)
    case .unquotedAttribute(let isBare): encode(value, bareAmpersands: isBare, isQuoted: false)
    case .quoted:
      value.reduce(into: []) { text, octet in
        if octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "\\") { text.append(UInt8(ascii: "\\")) }
        text.append(octet)
      }
    }
  }

  /// Returns a value with character references; those for ampersands are left out where no reference begins.
  private func encode(_ value: [UInt8], bareAmpersands: Bool, isQuoted: Bool = true) -> [UInt8] {
    value.indices.reduce(into: []) { text, index in
      let octet = value[index]
      switch octet {
      case UInt8(ascii: "&"):
        var rest: [UInt8] = []
        let isBare = bareAmpersands && appendEscape(at: index, of: value[...], to: &rest) == 0
        text += isBare ? [octet] : Array("&amp;".utf8)
      case UInt8(ascii: "<"): text += Array("&lt;".utf8)
      case UInt8(ascii: ">"): text += Array("&gt;".utf8)
      case UInt8(ascii: "\""): text += Array("&quot;".utf8)
      case UInt8(ascii: "'"): text += Array("&#39;".utf8)
      case _ where !isQuoted && (octet.isSpace || octet == UInt8(ascii: "`")):
        text += Array("&#\(octet);".utf8)
      default: text.append(octet)
      }
    }
  }

  /// Returns the value of what is written, and whether all that looks like an escape is one. What is none stays.
  func decode(_ written: ArraySlice<UInt8>) -> (value: [UInt8], isExact: Bool) {
    guard let mark, written.contains(mark) || self == .form && written.contains(UInt8(ascii: "+")) else {
      return (Array(written), true)
    }
    var value: [UInt8] = []
    value.reserveCapacity(written.count)
    var isExact = true
    var position = written.startIndex
    while position < written.endIndex {
      let octet = written[position]
      if octet == mark {
        let length = appendEscape(at: position, of: written, to: &value)
        position += length
        if length > 0 { continue }
        isExact = false
      }
      value.append(self == .form && octet == UInt8(ascii: "+") ? 0x20 : octet)
      position += 1
    }
    return (value, isExact)
  }

  /// The coding of what has ampersands that begin no character reference; `nil` if they are no ampersands of markup.
  var withBareAmpersands: LeafCoding? {
    switch self {
    case .markup: .markup(hasBareAmpersands: true)
    case .unquotedAttribute: .unquotedAttribute(hasBareAmpersands: true)
    case .plain, .percent, .form, .json, .quoted: nil
    }
  }

  /// Returns the text of what is written.
  func text(_ written: ArraySlice<UInt8>) -> String {
    guard let mark, written.contains(mark) || self == .form && written.contains(UInt8(ascii: "+")) else {
      return String(decoding: written, as: UTF8.self)
    }
    return String(decoding: decode(written).value, as: UTF8.self)
  }

  /// The octet that begins each escape.
  private var mark: UInt8? {
    switch self {
    case .plain: nil
    case .percent, .form: UInt8(ascii: "%")
    case .json, .quoted: UInt8(ascii: "\\")
    case .markup, .unquotedAttribute: UInt8(ascii: "&")
    }
  }

  /// Appends what an escape stands for.
  ///
  /// - Returns: The length of the escape; 0 if there is none.
  func appendEscape(at start: Int, of text: ArraySlice<UInt8>, to value: inout [UInt8]) -> Int {
    switch self {
    case .plain: return 0
    case .percent, .form:
      guard text.endIndex - start >= 3, let high = Hexadecimal.value(text[start + 1]),
        let low = Hexadecimal.value(text[start + 2])
      else { return 0 }
      value.append(high << 4 | low)
      return 3
    case .quoted:
      guard start + 1 < text.endIndex else { return 0 }
      value.append(text[start + 1])
      return 2
    case .json: return JSONEscape.append(at: start, of: text, to: &value)
    case .markup, .unquotedAttribute:
      return CharacterReference.append(at: start, of: text, to: &value)
    }
  }
}

/// The escapes of strings in JSON (RFC 8259 7).
private enum JSONEscape {
  static func append(at start: Int, of text: ArraySlice<UInt8>, to value: inout [UInt8]) -> Int {
    guard start + 1 < text.endIndex else { return 0 }
    switch text[start + 1] {
    // A quote that only programs escape, which write JSON by hand.
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"):
      value.append(text[start + 1])
    case UInt8(ascii: "b"): value.append(0x08)
    case UInt8(ascii: "f"): value.append(0x0C)
    case UInt8(ascii: "n"): value.append(0x0A)
    case UInt8(ascii: "r"): value.append(0x0D)
    case UInt8(ascii: "t"): value.append(0x09)
    case UInt8(ascii: "u"):
      guard let unit = codeUnit(text, at: start) else { return 0 }
      if let scalar = Unicode.Scalar(unit) {
        value += UTF8.encode(scalar) ?? .init()
        return 6
      }
      guard UTF16.isLeadSurrogate(unit), let trail = codeUnit(text, at: start + 6),
        UTF16.isTrailSurrogate(trail)
      else { return 0 }
      value += UTF8.encode(UTF16.decode(UTF16.EncodedScalar([unit, trail]))) ?? .init()
      return 12
    default: return 0
    }
    return 2
  }

  private static func codeUnit(_ text: ArraySlice<UInt8>, at start: Int) -> UInt16? {
    guard start + 6 <= text.endIndex, text[start] == UInt8(ascii: "\\"), text[start + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for index in (start + 2)..<(start + 6) {
      guard let value = Hexadecimal.value(text[index]) else { return nil }
      unit = unit << 4 | UInt16(value)
    }
    return unit
  }
}

/// The references to characters of XML, and those by which writers of HTML name characters of ASCII.
private enum CharacterReference {
  private static let names = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "sol": "/", "equals": "=", "plus": "+",
    "colon": ":", "num": "#", "percnt": "%", "commat": "@",
  ].map { (name: Array($0.utf8), octets: Array($1.utf8)) }

  static func append(at start: Int, of text: ArraySlice<UInt8>, to value: inout [UInt8]) -> Int {
    let body = text[(start + 1)...].prefix(10)
    guard let end = body.firstIndex(of: UInt8(ascii: ";")) else { return 0 }
    let length = end + 1 - start
    let name = body[..<end]
    guard name.first == UInt8(ascii: "#") else {
      guard let reference = names.first(where: { name.elementsEqual($0.name) }) else { return 0 }
      value += reference.octets
      return length
    }
    let isHexadecimal = name.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
    let digits = String(decoding: name.dropFirst(isHexadecimal ? 2 : 1), as: UTF8.self)
    guard let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number)
    else { return 0 }
    value += UTF8.encode(scalar) ?? .init()
    return length
  }
}
