import HTTPTypes

/// How quantities and foreign text appear in texts for people.
package enum Format {
  /// A status with its reason phrase, if it has one.
  static func status(_ status: HTTPResponse.Status) -> String {
    status.reasonPhrase.isEmpty ? "\(status.code)" : "\(status.code) \(status.reasonPhrase)"
  }

  /// A duration with three significant digits and a fitting unit.
  static func duration(_ duration: Duration) -> String {
    let parts = duration.components
    let seconds = Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    if seconds.magnitude >= 60 { return "\(rounded(seconds, 1)) s" }
    if seconds.magnitude >= 1 { return "\(rounded(seconds, 100)) s" }
    if seconds.magnitude >= 0.001 { return "\(rounded(seconds * 1_000, 10)) ms" }
    return "\(rounded(seconds * 1_000_000, 1)) µs"
  }

  private static func rounded(_ value: Double, _ precision: Double) -> String {
    let result = (value * precision).rounded() / precision
    return Int64(exactly: result).map { "\($0)" } ?? "\(result)"
  }

  /// The start of a body as text on one line, without secrets that have a name; bytes if it is not text.
  static func excerpt(_ bytes: Bytes, limit: Int) -> String {
    let prefix = bytes.prefix(limit)
    let more = bytes.count > limit ? " … (\(bytes.count) bytes kept)" : ""
    var text = String(decoding: prefix)
    if bytes.count > limit {
      // A character that the limit cut in two is no sign of binary content.
      while text.unicodeScalars.last == "\u{fffd}" { text.unicodeScalars.removeLast() }
    }
    let replaced = text.unicodeScalars.reduce(into: 0) { count, scalar in
      let isControl = scalar.value < 0x20 && scalar != "\n" && scalar != "\r" && scalar != "\t"
      if isControl || scalar == "\u{fffd}" { count += 1 }
    }
    guard replaced * 10 <= text.unicodeScalars.count else {
      let hex = prefix.prefix(16).array.map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return "\(hex.joined(separator: " ")) … (binary)"
    }
    return oneLine(Redaction.excerpt(text)) + more
  }

  /// A foreign error's text; a type that has none shows its name and fields.
  static func describe(_ error: any Error) -> String {
    oneLine(String(describing: error))
  }

  /// What breaks lines, steers a terminal or reorders text becomes a space, so that foreign text cannot
  /// forge lines of ours.
  package static func oneLine(_ text: String) -> String {
    var result = ""
    result.unicodeScalars.append(contentsOf: text.unicodeScalars.map { isHarmless($0.value) ? $0 : " " })
    return result
  }

  private static func isHarmless(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x20, 0x7f..<0xa0: false  // controls
    case 0x2028...0x202e, 0x2066...0x2069: false  // separators of lines and paragraphs, directions
    default: true
    }
  }
}
