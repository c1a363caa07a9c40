package import HTTPTypes

/// Formats quantities and untrusted text for messages.
package enum Format {
  /// Returns a status with its reason phrase, if it has one.
  package static func status(_ status: HTTPResponse.Status) -> String {
    status.reasonPhrase.isEmpty ? "\(status.code)" : "\(status.code) \(status.reasonPhrase)"
  }

  /// Returns a duration with three significant digits and a suitable unit.
  package static func duration(_ duration: Duration) -> String {
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

  /// Returns the text of an error; for a type without a description, its name and fields.
  package static func describe(_ error: any Error) -> String {
    oneLine(String(describing: error))
  }

  /// Returns a text with characters that break lines, control a terminal or reorder text replaced by spaces, so that
  /// untrusted text cannot forge lines.
  package static func oneLine(_ text: String) -> String {
    var result = ""
    result.unicodeScalars.append(contentsOf: text.unicodeScalars.map { isHarmless($0.value) ? $0 : " " })
    return result
  }

  private static func isHarmless(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x20, 0x7f..<0xa0: false  // controls
    case 0x2028...0x202e, 0x2066...0x2069: false  // separators of lines and paragraphs, directions
    case 0x061c, 0x200e, 0x200f: false  // marks of direction
    default: true
    }
  }
}
