/// Measures a property list before it is decoded: the system's decoder recurses, so nesting without an end
/// would exhaust the stack, and what a binary list refers to many times it makes anew each time.
enum PropertyListStructure {
  /// The deepest nesting that is decoded.
  static let maximumDepth = 512
  /// The most values that a binary list may unfold to.
  static let maximumValues = 1_000_000

  /// Why a list is not decoded.
  enum Refusal: Error, Equatable {
    case depth
    case values
    case cycle
    case syntax
  }

  static func check(_ bytes: UnsafeRawBufferPointer) throws {
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
