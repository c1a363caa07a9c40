extension LinkField {
  /// Parses a field with exactly one link, as ``parse(_:)`` does; `nil` otherwise.
  public init?(_ description: String) {
    let links = Self.parse(description)
    guard links.count == 1 else { return nil }
    self = links[0]
  }

  /// Parses the links of a field leniently, as real senders write them (RFC 8288 appendix B.2).
  ///
  /// Accepts: any case, whitespace around every part, empty links and parameters, unquoted values that are not tokens
  /// (read up to the semicolon or comma), a quoted string that is unterminated or followed by other text. Omits: a
  /// link without `<` and `>` or with a target that ``LinkField`` cannot represent, a parameter without a name, with a
  /// malformed extended value or with a control character, parameters after the 64th and links after ``maximumCount``.
  /// A comma or semicolon in quotes is never a separator, not even in omitted parts.
  public static func parse(_ value: String) -> [LinkField] {
    var links: [LinkField] = []
    var value = value
    value.withUTF8 { LinkReader(octets: $0).read(into: &links) }
    return links
  }

  static func append(octets: UnsafeBufferPointer<UInt8>, to links: inout [LinkField]) {
    String(utf8OrLatin1: octets).withUTF8Bytes { LinkReader(octets: $0).read(into: &links) }
  }
}

private struct LinkReader: FieldReading {
  let octets: UnsafeBufferPointer<UInt8>
  var position = 0

  init(octets: UnsafeBufferPointer<UInt8>) {
    self.octets = octets
  }

  consuming func read(into links: inout [LinkField]) {
    while links.count < LinkField.maximumCount {
      while position < octets.count, octets[position].isBlankInField || octets[position] == UInt8(ascii: ",")
      {
        position += 1
      }
      guard position < octets.count else { return }
      if let link = readLink() { links.append(link) }
    }
  }

  /// Reads up to the next comma or the end.
  private mutating func readLink() -> LinkField? {
    guard take(UInt8(ascii: "<")) else {
      skip { $0 == UInt8(ascii: ",") }
      return nil
    }
    let start = position
    while position < octets.count, octets[position] != UInt8(ascii: ">") { position += 1 }
    let target = octets[start..<position].trimmed
    guard take(UInt8(ascii: ">")) else { return nil }
    skip(until: \.endsParameter)
    var parameters: [FieldParameter] = []
    while take(UInt8(ascii: ";")) {
      guard let parameter = readParameter(), parameters.count < LinkField.maximumParameterCount else {
        continue
      }
      parameters.append(parameter)
    }
    return LinkField(target: String(decoding: target, as: UTF8.self), parameters: parameters)
  }

  /// Reads up to the next semicolon, comma or the end.
  private mutating func readParameter() -> FieldParameter? {
    skipBlanks()
    let name = token() ?? ""
    skipBlanks()
    var value: [UInt8] = []
    if take(UInt8(ascii: "=")) {
      skipBlanks()
      if take(UInt8(ascii: "\"")) {
        value = quotedString()
        skip(until: \.endsParameter)
      } else {
        let start = position
        while position < octets.count, !octets[position].endsParameter { position += 1 }
        value = Array(octets[start..<position].trimmed)
      }
    } else {
      guard position == octets.count || octets[position].endsParameter else {
        skip(until: \.endsParameter)
        return nil
      }
    }
    return parameter(name, value)
  }

  private func parameter(_ name: String, _ value: [UInt8]) -> FieldParameter? {
    var parameter = FieldParameter(name: name, value: String(decoding: value, as: UTF8.self))
    if name.utf8.last == UInt8(ascii: "*") {
      guard let text = ExtendedValue.decode(value) else { return nil }
      parameter = FieldParameter(name: String(name.dropLast()), value: text, isExtended: true)
    }
    return LinkField.canWrite(parameter) ? parameter : nil
  }

  /// Skips to an octet outside of quoted strings.
  private mutating func skip(until isEnd: (UInt8) -> Bool) {
    while position < octets.count, !isEnd(octets[position]) {
      if take(UInt8(ascii: "\"")) {
        _ = quotedString()
      } else {
        position += 1
      }
    }
  }
}

extension UInt8 {
  fileprivate var endsParameter: Bool { self == UInt8(ascii: ";") || self == UInt8(ascii: ",") }
}
