/// The first octets of content of some kind, used to recognise it if no media type is declared.
public struct ContentSignature: Sendable, Hashable, CustomStringConvertible {
  /// The octets at the start of the content.
  public let octets: [UInt8]

  /// Whether a byte order mark and whitespace may precede the octets, and zero bytes of UTF-16 and UTF-32 may separate
  /// them.
  public let isText: Bool

  /// Creates a signature of octets at the very start.
  public init(octets: [UInt8]) {
    self.octets = octets
    isText = false
  }

  /// Creates a signature of ASCII characters, optionally preceded by a byte order mark, spaces, tabs and line breaks,
  /// in UTF-8, UTF-16 or UTF-32.
  public init(text: String) {
    octets = Array(text.utf8)
    isText = true
  }

  /// `{`, the start of a JSON object.
  public static let jsonObject = ContentSignature(text: "{")
  /// `[`, the start of a JSON array.
  public static let jsonArray = ContentSignature(text: "[")
  /// `<`, the start of XML and HTML.
  public static let markup = ContentSignature(text: "<")
  /// `bplist00`, the start of a binary property list.
  public static let binaryPropertyList = ContentSignature(octets: Array("bplist00".utf8))

  /// Returns whether content starts with this signature. A signature without octets matches nothing.
  public func matches(_ content: Bytes) -> Bool {
    guard !octets.isEmpty else { return false }
    return content.withUnsafeBytes { isText ? matchesText($0) : $0.starts(with: octets) }
  }

  private func matchesText(_ content: UnsafeRawBufferPointer) -> Bool {
    var position = Charset.detectBOM(content)?.length ?? 0
    var matched = 0
    // UTF-32 has three zeros between two ASCII characters; more zeros mean that it is not text.
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

  /// The octets as quoted text.
  public var description: String { "\"\(Format.excerpt(Bytes(octets), limit: 32))\"" }
}
