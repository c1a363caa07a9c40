/// Which encoding a document is in, before its own declaration has been read (RFC 7303, section 3).
enum DocumentEncoding: Equatable {
  /// The charset of the transport, or of a byte order mark of this length.
  case known(name: String, markLength: Int)
  /// The document's declaration decides, or else it is UTF-8.
  case declared

  /// The bytes that have to be there to decide.
  static let lookahead = 4

  /// Determines the encoding from the start of a document: a byte order mark overrides the charset of the transport.
  ///
  /// - Parameters:
  ///   - start: The first bytes, at least four if the document is that long.
  ///   - charset: The charset of the transport.
  init(start: [UInt8], charset: String?) {
    if let (name, count) = Self.mark(of: start) {
      self = .known(name: name, markLength: count)
    } else if let charset {
      switch charset.lowercased() {
      // The charset leaves the byte order to the mark; without one, the first character determines it.
      case "utf-16":
        self = .known(name: start.starts(with: [0x3C, 0]) ? "UTF-16LE" : "UTF-16BE", markLength: 0)
      case "utf8": self = .known(name: "UTF-8", markLength: 0)
      default: self = .known(name: charset, markLength: 0)
      }
    } else {
      self = .declared
    }
  }

  private static func mark(of start: [UInt8]) -> (name: String, count: Int)? {
    // UTF-32 first: its little-endian mark begins with that of UTF-16.
    let marks: [(mark: [UInt8], name: String)] = [
      ([0xFF, 0xFE, 0, 0], "UTF-32LE"),
      ([0, 0, 0xFE, 0xFF], "UTF-32BE"),
      ([0xEF, 0xBB, 0xBF], "UTF-8"),
      ([0xFF, 0xFE], "UTF-16LE"),
      ([0xFE, 0xFF], "UTF-16BE"),
    ]
    return marks.first { start.starts(with: $0.mark) }.map { ($0.name, $0.mark.count) }
  }
}
