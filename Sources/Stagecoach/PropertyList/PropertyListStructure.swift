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
      try BinaryPropertyList(bytes)?.check()
    } else if bytes.contains(0) {
      // UTF-16 and UTF-32: markup is ASCII, and without the zeros between reads like UTF-8.
      let octets = bytes.filter { $0 != 0 }
      try octets.withUnsafeBytes { buffer in
        var markup = PropertyListMarkup(buffer)
        try markup.check()
      }
    } else {
      var markup = PropertyListMarkup(bytes)
      try markup.check()
    }
  }
}
