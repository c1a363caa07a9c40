/// The parts of a media type or media range as they are written (RFC 9110 8.3.1), with `*` still allowed
/// in type and subtype.
struct MediaTypeSyntax {
  var type: String
  var subtype: String
  var parameters: [MediaType.Parameter] = []

  /// The most parameters that are read; real fields hold one or two.
  static let maximumParameterCount = 64

  /// Reads `type/subtype` and parameters, or nil.
  ///
  /// Tolerated since servers send it: any case, whitespace around every part, empty parameters, a trailing
  /// semicolon, parameters without a value or without a name (ignored), unquoted values that are no tokens
  /// (read up to the semicolon) and a quoted string without an end. Of parameters with one name the first
  /// counts. A control character or a missing part makes the whole nil.
  init?(_ text: String) {
    var text = text
    guard let syntax = text.withUTF8({ MediaTypeReader(octets: $0).read() }) else { return nil }
    self = syntax
  }

  fileprivate init(type: String, subtype: String) {
    self.type = type
    self.subtype = subtype
  }
}

private struct MediaTypeReader {
  let octets: UnsafeBufferPointer<UInt8>
  var position = 0

  init(octets: UnsafeBufferPointer<UInt8>) {
    self.octets = octets
  }

  consuming func read() -> MediaTypeSyntax? {
    guard !octets.contains(where: \.isControlInField) else { return nil }
    skipBlanks()
    guard let type = token(), take(UInt8(ascii: "/")), let subtype = token() else { return nil }
    var syntax = MediaTypeSyntax(type: type, subtype: subtype)
    skipBlanks()
    while position < octets.count {
      guard take(UInt8(ascii: ";")) else { return nil }
      if let parameter = parameter(), !syntax.parameters.contains(where: { $0.name == parameter.name }) {
        guard syntax.parameters.count < MediaTypeSyntax.maximumParameterCount else { return nil }
        syntax.parameters.append(parameter)
      }
    }
    return syntax
  }

  /// Reads up to the next semicolon or the end.
  private mutating func parameter() -> MediaType.Parameter? {
    skipBlanks()
    let name = token()
    skipBlanks()
    guard take(UInt8(ascii: "=")) else {
      skipToSemicolon()
      return nil
    }
    skipBlanks()
    let value = take(UInt8(ascii: "\"")) ? quotedValue() : plainValue()
    guard let name, let value else { return nil }
    return MediaType.Parameter(checkedName: name, value: value)
  }

  /// The rest of a quoted string behind its opening quote; what stands between it and the semicolon is
  /// ignored.
  private mutating func quotedValue() -> String {
    var value: [UInt8] = []
    while position < octets.count, octets[position] != UInt8(ascii: "\"") {
      if octets[position] == UInt8(ascii: "\\"), position + 1 < octets.count {
        position += 1
      }
      value.append(octets[position])
      position += 1
    }
    skipToSemicolon()
    return String(decoding: value, as: UTF8.self)
  }

  private mutating func plainValue() -> String? {
    let start = position
    skipToSemicolon()
    var end = position
    while end > start, octets[end - 1].isBlankInField {
      end -= 1
    }
    return end > start ? String(decoding: octets[start..<end], as: UTF8.self) : nil
  }

  /// A token, lower-cased.
  private mutating func token() -> String? {
    let start = position
    while position < octets.count, octets[position].isTokenOctet {
      position += 1
    }
    guard position > start else { return nil }
    let token = octets[start..<position]
    return String(unsafeUninitializedCapacity: token.count) { buffer in
      for (offset, octet) in token.enumerated() {
        buffer[offset] = octet.lowercasedInField
      }
      return token.count
    }
  }

  private mutating func take(_ octet: UInt8) -> Bool {
    guard position < octets.count, octets[position] == octet else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while position < octets.count, octets[position].isBlankInField {
      position += 1
    }
  }

  private mutating func skipToSemicolon() {
    while position < octets.count, octets[position] != UInt8(ascii: ";") {
      position += 1
    }
  }
}

extension UInt8 {
  /// `tchar` (RFC 9110 5.6.2).
  var isTokenOctet: Bool {
    switch self {
    case 0..<64: 0x03FF_6CFA_0000_0000 & (1 << UInt64(self)) as UInt64 != 0
    case 64..<128: 0x57FF_FFFF_C7FF_FFFE & (1 << UInt64(self - 64)) as UInt64 != 0
    default: false
    }
  }

  /// A control character that no field value may hold; a tab is none of them.
  var isControlInField: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }

  var isBlankInField: Bool { self == 0x20 || self == 0x09 }

  var lowercasedInField: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
