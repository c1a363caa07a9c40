extension ContentDisposition {
  /// Parses a field leniently, as real senders write it; `nil` if it is malformed.
  ///
  /// Accepts: any case, whitespace around every part, empty parameters and a trailing semicolon; parameters without a
  /// value or name and malformed extended ones (ignored); unquoted values that are not tokens (read up to the
  /// semicolon); a quoted string that is unterminated or followed by other text; an extended value in quotes; a
  /// missing or malformed type before parameters (read as `attachment`, as RFC 6266 4.2 requires for unknown types).
  /// Of several parameters with the same name and kind, the first is used.
  ///
  /// A backslash escapes only a quote or another backslash, so that `"C:\dir\file"` is read as intended. In
  /// `form-data`, where browsers send it literally, it escapes only a quote that does not end the value, and `%22`,
  /// `%0D` and `%0A` are decoded. Percent signs of other plain values, encoded words (RFC 2047) and continuations (RFC
  /// 2231) are kept unchanged, as RFC 6266 requires.
  ///
  /// Malformed are: CR, LF or NUL anywhere, another control character except a tab in a plain value outside of
  /// `form-data`, more than 64 parameters, and text without a type or parameter.
  public init?(_ description: String) {
    var text = description
    guard let value = text.withUTF8({ DispositionReader(octets: $0).read() }) else { return nil }
    self = value
  }

  /// Reads the octets of a field: UTF-8, or else ISO-8859-1.
  init?(octets: UnsafeBufferPointer<UInt8>) {
    self.init(String(utf8OrLatin1: octets))
  }
}

private struct DispositionReader: FieldReading {
  let octets: UnsafeBufferPointer<UInt8>
  var position = 0
  var isForm = false

  init(octets: UnsafeBufferPointer<UInt8>) {
    self.octets = octets
  }

  consuming func read() -> ContentDisposition? {
    guard !octets.contains(where: { $0 == 0 || $0 == 0x0D || $0 == 0x0A }) else { return nil }
    skipBlanks()
    let type = readType()
    isForm = type == ContentDisposition.formDataType
    var parameters: [FieldParameter] = []
    while position < octets.count {
      _ = take(UInt8(ascii: ";"))
      guard let parameter = readParameter() else { continue }
      let isKnown = parameters.contains {
        $0.name == parameter.name && $0.isExtended == parameter.isExtended
      }
      if isKnown { continue }
      guard parameters.count < ContentDisposition.maximumParameterCount else { return nil }
      parameters.append(parameter)
    }
    guard type != nil || !parameters.isEmpty else { return nil }
    return ContentDisposition(type: type ?? "attachment", parameters: parameters)
  }

  /// Reads the type and skips the text between it and the first semicolon; returns `nil`, and reads nothing, if a
  /// parameter comes first.
  private mutating func readType() -> String? {
    let start = position
    let type = token()
    skipBlanks()
    if type != nil, position < octets.count, octets[position] == UInt8(ascii: "=") {
      position = start
      return nil
    }
    skipToSemicolon()
    return type
  }

  /// Reads up to the next semicolon or the end.
  private mutating func readParameter() -> FieldParameter? {
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
    guard name.utf8.last == UInt8(ascii: "*") else {
      let undone =
        isForm ? value.percentDecoding(where: PercentEncoding.isEncodedInFormName).octets : value
      let text = String(decoding: undone, as: UTF8.self)
      return FieldParameter(name: name, value: text)
    }
    let stem = String(name.dropLast())
    guard !stem.isEmpty, stem.utf8.last != UInt8(ascii: "*"), let text = ExtendedValue.decode(value) else {
      return nil
    }
    return FieldParameter(name: stem, value: text, isExtended: true)
  }

  /// Reads the rest of a quoted string after its opening quote, and skips the text up to the semicolon.
  private mutating func quotedValue() -> [UInt8] {
    let reader = self
    let value = quotedString { reader.isEscape(at: $0) }
    skipToSemicolon()
    return value
  }

  /// Returns whether a backslash escapes the following octet.
  private func isEscape(at position: Int) -> Bool {
    guard position + 1 < octets.count else { return false }
    let next = octets[position + 1]
    guard isForm else { return next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") }
    guard next == UInt8(ascii: "\"") else { return false }
    let behind = octets[(position + 2)...].first { !$0.isBlankInField }
    return behind != nil && behind != UInt8(ascii: ";")
  }

  private mutating func plainValue() -> [UInt8]? {
    let start = position
    skipToSemicolon()
    let value = octets[start..<position].trimmed
    return value.isEmpty ? nil : Array(value)
  }
}
