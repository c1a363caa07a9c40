/// The parts of a media type or media range as they are written (RFC 9110 8.3.1), with `*` still allowed
/// in type and subtype.
struct MediaTypeSyntax {
  var type: String
  var subtype: String
  var parameters: [MediaType.Parameter] = []

  /// The most parameters that are read; real fields hold one or two.
  static let maximumParameterCount = 64

  /// Parses `type/subtype` and parameters; `nil` if they are malformed.
  ///
  /// Accepts what servers send: any case, whitespace around every part, empty parameters, a trailing semicolon,
  /// parameters without a value or without a name (ignored), unquoted values that are not tokens (read up to the
  /// semicolon) and an unterminated quoted string. Of several parameters with the same name, the first is used. A
  /// control character or a missing part is malformed.
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

private struct MediaTypeReader: FieldReading {
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

  /// Text between a quoted string and the semicolon is ignored.
  private mutating func quotedValue() -> String {
    let value = quotedString()
    skipToSemicolon()
    return String(decoding: value, as: UTF8.self)
  }

  private mutating func plainValue() -> String? {
    let start = position
    skipToSemicolon()
    let value = octets[start..<position].trimmed
    return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
  }
}
