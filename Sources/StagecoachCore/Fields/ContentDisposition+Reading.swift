extension ContentDisposition {
  /// Reads a field as real senders write it, or nil.
  ///
  /// Tolerated are: any case, whitespace around every part, empty parameters and a trailing semicolon,
  /// parameters without a value or name and unreadable extended ones (ignored), unquoted values that are no
  /// tokens (read up to the semicolon), a quoted string without an end or with something behind it, an
  /// extended value in quotes, a missing or garbled type in front of parameters (read as `attachment`, as
  /// RFC 6266 4.2 wants for what is not known). Of parameters with one name and kind the first counts.
  ///
  /// A backslash escapes only a quote and another backslash, so that `"C:\dir\file"` is read as it was
  /// meant. In `form-data`, where browsers write it as itself, it escapes only a quote that does not end the
  /// value, and `%22`, `%0D` and `%0A` are undone. Percent signs of other plain values, encoded words
  /// (RFC 2047) and continuations (RFC 2231) are left as they are, as RFC 6266 wants it.
  ///
  /// Nil are: CR, LF or NUL anywhere, another control character but a tab in a plain value outside of
  /// `form-data`, more than 64 parameters, and nothing that is a type or parameter.
  public init?(_ description: String) {
    var text = description
    guard let value = text.withUTF8({ DispositionReader(octets: $0).read() }) else { return nil }
    self = value
  }

  /// Reads the octets of a field: UTF-8, or else ISO-8859-1.
  init?(octets: UnsafeBufferPointer<UInt8>) {
    if let text = String(validating: octets, as: UTF8.self) {
      self.init(text)
    } else {
      var text = ""
      text.unicodeScalars.append(contentsOf: octets.map { Unicode.Scalar($0) })
      self.init(text)
    }
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

  /// The type, and what stands between it and the first semicolon is skipped; nil, with nothing read, if a
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
      let text = String(decoding: isForm ? undoingBrowserEscapes(value) : value, as: UTF8.self)
      return FieldParameter(name: name, value: text)
    }
    let stem = String(name.dropLast())
    guard !stem.isEmpty, stem.utf8.last != UInt8(ascii: "*"), let text = ExtendedValue.decode(value) else {
      return nil
    }
    return FieldParameter(name: stem, value: text, isExtended: true)
  }

  /// The rest of a quoted string behind its opening quote; what stands between it and the semicolon is
  /// skipped.
  private mutating func quotedValue() -> [UInt8] {
    let reader = self
    let value = quotedString { reader.isEscape(at: $0) }
    skipToSemicolon()
    return value
  }

  /// Whether a backslash stands for the octet behind it.
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
    let value = trimmed(start..<position)
    return value.isEmpty ? nil : Array(value)
  }

  private func undoingBrowserEscapes(_ value: [UInt8]) -> [UInt8] {
    guard value.contains(UInt8(ascii: "%")) else { return value }
    var result: [UInt8] = []
    var index = 0
    while index < value.count {
      if value[index] == UInt8(ascii: "%"), index + 2 < value.count,
        let octet = Self.browserEscape(value[index + 1], value[index + 2])
      {
        result.append(octet)
        index += 3
      } else {
        result.append(value[index])
        index += 1
      }
    }
    return result
  }

  private static func browserEscape(_ first: UInt8, _ second: UInt8) -> UInt8? {
    switch (first, second | 0x20) {
    case (UInt8(ascii: "2"), UInt8(ascii: "2")): UInt8(ascii: "\"")
    case (UInt8(ascii: "0"), UInt8(ascii: "d")): 0x0D
    case (UInt8(ascii: "0"), UInt8(ascii: "a")): 0x0A
    default: nil
    }
  }
}
