/// Writes texts into XML and HTML.
enum MarkupText {
  /// Returns a text for an element or a quoted attribute. Characters that XML does not allow, and those that reorder
  /// text, become U+FFFD.
  static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(isAllowed(scalar.value) ? scalar : "\u{fffd}")
      }
    }
    return result
  }

  static func isAllowed(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x20, 0x7f..<0xa0, 0xfffe, 0xffff: false
    case 0x2028...0x202e, 0x2066...0x2069, 0x061c, 0x200e, 0x200f: false
    default: true
    }
  }
}
