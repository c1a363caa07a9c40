extension Charset {
  /// The octets of a text in this charset, or nil if a character has no place in it or it is one of several
  /// octets that is not Unicode. UTF-16 and UTF-32 without an order in their name are written big-endian behind
  /// a byte order mark (RFC 2781 3.3).
  func encode(_ text: String) -> [UInt8]? {
    switch coding {
    case .utf8: return Array(text.utf8)
    case .utf16(let order):
      let marked = order == nil ? "\u{FEFF}" + text : text
      return marked.utf16.flatMap { unit in Self.octets(of: unit, order) }
    case .utf32(let order):
      let marked = order == nil ? "\u{FEFF}" + text : text
      return marked.unicodeScalars.flatMap { scalar in Self.octets(of: scalar.value, order) }
    case .ascii, .latin1, .windows1252, .system: return encodeAsSingleOctets(text)
    }
  }

  private static func octets(of unit: some FixedWidthInteger, _ order: ByteOrder?) -> [UInt8] {
    withUnsafeBytes(of: order == .littleEndian ? unit.littleEndian : unit.bigEndian) { Array($0) }
  }

  /// By the inverse of what the charset makes of each octet.
  private func encodeAsSingleOctets(_ text: String) -> [UInt8]? {
    var octets: [Unicode.Scalar: UInt8] = [:]
    for octet in UInt8.min...UInt8.max {
      guard let scalars = try? decode([octet]).unicodeScalars, scalars.count == 1 else { continue }
      if let scalar = scalars.first, octets[scalar] == nil { octets[scalar] = octet }
    }
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      guard let octet = octets[scalar] else { return nil }
      result.append(octet)
    }
    return result
  }
}
