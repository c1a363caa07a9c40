internal import StagecoachCore

/// Which charset HTML is in (HTML 13.2.3.2, Encoding 4.2).
enum HTMLEncoding {
  /// The bytes that are looked through for a declaration.
  static let lookahead = 1024

  /// Determines the charset from the start of a document: by a byte order mark, the transport, or a declaration.
  ///
  /// - Parameters:
  ///   - start: The first bytes, at least 1024 if the document is that long.
  ///   - label: The charset of the transport. An unknown one is ignored.
  /// - Returns: The charset, `nil` if it is not declared, and the length of a byte order mark.
  static func charset(of start: [UInt8], transport label: String?) -> (charset: Charset?, markLength: Int) {
    if let (charset, length) = start.withUnsafeBytes({ Charset.detectBOM($0) }) { return (charset, length) }
    if let charset = label.flatMap({ charset(label: $0) }) {
      // The byte order mark that would determine it is missing.
      let isBigEndian = charset == .utf16LE && start.starts(with: [0, UInt8(ascii: "<")])
      return (isBigEndian ? .utf16BE : charset, 0)
    }
    return (HTMLPrescan.charset(of: start), 0)
  }

  /// Returns the charset that a label means on the web; `nil` if it is unknown there.
  static func charset(label: String) -> Charset? {
    let trimmed = label.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    guard let charset = Charset(String(trimmed)) else { return nil }
    switch charset {
    case .isoLatin1, .usASCII: return .windows1252
    case .utf16: return .utf16LE
    case .utf8, .utf16BE, .utf16LE, .windows1252: return charset
    default: break
    }
    let name = charset.name.lowercased()
    if let superset = supersets[name] { return Charset(superset) }
    let isKnown = families.contains { name.hasPrefix($0) } || names.contains(name)
    return isKnown && charset.isSupported ? charset : nil
  }

  private static let supersets = [
    "iso-8859-9": "windows-1254", "iso8859-9": "windows-1254", "latin5": "windows-1254",
    "iso-8859-11": "windows-874", "iso8859-11": "windows-874", "tis-620": "windows-874",
  ]
  private static let families = ["windows-125", "iso-8859-", "iso8859-", "koi8-"]
  private static let names: Set<String> = [
    "gbk", "gb18030", "big5", "big5-hkscs", "shift_jis", "windows-31j", "euc-jp", "iso-2022-jp", "euc-kr",
    "windows-874", "macintosh", "x-mac-cyrillic", "ibm866", "cp866", "latin2", "latin3", "latin4", "latin6",
    "greek", "hebrew", "arabic", "cyrillic",
  ]
}
