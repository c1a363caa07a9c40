/// How content of some kind starts, to recognise it where no media type is declared.
public struct ContentSignature: Sendable, Hashable, CustomStringConvertible {
  /// The octets at the start.
  public let octets: [UInt8]

  /// Whether a byte order mark and blanks may stand before them, and the zeros of UTF-16 and UTF-32 between.
  public let isText: Bool

  /// Octets at the very start.
  public init(octets: [UInt8]) {
    self.octets = octets
    isText = false
  }

  /// ASCII characters behind an optional byte order mark, spaces, tabs and line breaks, in UTF-8, UTF-16 or
  /// UTF-32.
  public init(text: String) {
    octets = Array(text.utf8)
    isText = true
  }

  /// `{`, as a JSON object starts.
  public static let jsonObject = ContentSignature(text: "{")
  /// `[`, as a JSON array starts.
  public static let jsonArray = ContentSignature(text: "[")
  /// `<`, as XML and HTML start.
  public static let markup = ContentSignature(text: "<")
  /// `bplist00`, as a binary property list starts.
  public static let binaryPropertyList = ContentSignature(octets: Array("bplist00".utf8))

  /// Whether content starts so. A signature without octets recognises nothing.
  public func matches(_ content: Bytes) -> Bool {
    guard !octets.isEmpty else { return false }
    return content.withUnsafeBytes { isText ? matchesText($0) : $0.starts(with: octets) }
  }

  private func matchesText(_ content: UnsafeRawBufferPointer) -> Bool {
    var position = Charset.detectBOM(content)?.length ?? 0
    var matched = 0
    // In UTF-32 three zeros stand between two ASCII characters; more are not text.
    var zeros = 0
    while position < content.count {
      let octet = content[position]
      position += 1
      if octet == 0 {
        zeros += 1
        guard zeros <= 3 else { return false }
        continue
      }
      zeros = 0
      if matched == 0, octet == 0x20 || (0x09...0x0D).contains(octet) { continue }
      guard octet == octets[matched] else { return false }
      matched += 1
      if matched == octets.count { return true }
    }
    return false
  }

  /// The octets as a person reads them, in quotes.
  public var description: String { "\"\(Format.excerpt(Bytes(octets), limit: 32))\"" }
}
