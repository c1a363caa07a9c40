/// Measures a property list before it is decoded: the system's decoder is recursive, so unlimited nesting would
/// exhaust the stack, and it copies a value of a binary list each time it is referenced.
package enum PropertyListStructure {
  /// The maximum nesting depth.
  package static let maximumDepth = 512
  /// The maximum number of values of a binary list after expanding references.
  package static let maximumValues = 1_000_000

  /// The reason that a list is refused.
  package enum Refusal: Error, Equatable {
    case depth
    case values
    case cycle
    case syntax
  }

  package static func check(_ bytes: UnsafeRawBufferPointer) throws {
    if bytes.starts(with: "bplist".utf8) {
      guard let list = BinaryPropertyList(bytes) else { throw Refusal.syntax }
      return try list.check()
    }
    if let (charset, length) = Charset.detectBOM(bytes), charset != .utf8 {
      // UTF-16 and UTF-32: looked at as the decoder will read it.
      let text = try charset.decode(UnsafeRawBufferPointer(rebasing: bytes[length...]))
      try Array(text.utf8).withUnsafeBytes { try checkMarkup($0) }
    } else {
      try checkMarkup(bytes)
    }
  }

  private static func checkMarkup(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
    // No character of XML; between others it could hide what these mean.
    guard !bytes.contains(0) else { throw .syntax }
    var markup = PropertyListMarkup(bytes)
    try markup.check()
  }
}
