extension ContentDisposition {
  /// Returns a sanitized version of an untrusted file name, which is safe in any directory of Linux, macOS and
  /// Windows; `nil` if nothing is left of it (RFC 6266 4.3).
  ///
  /// Of a path with slashes or backslashes, the last non-empty component is used. Control characters, line separators
  /// and characters that change the direction of text are removed; `<>:"|?*` become `_`, and so does a leading dot,
  /// which would hide the file. White space at both ends and dots at the end are removed. The device names of Windows
  /// (`CON`, `NUL.txt`, `COM1` ...) get a leading `_`. A name of more than 255 bytes is shortened before its
  /// extension.
  public static func safeFileName(from text: String) -> String? {
    let components = text.unicodeScalars.split { $0 == "/" || $0 == "\\" }
    guard let last = components.last else { return nil }
    var name = String.UnicodeScalarView(last.filter { !$0.isRemovedFromFileName })
    name = String.UnicodeScalarView(name.map { "<>:\"|?*".unicodeScalars.contains($0) ? "_" : $0 })
    trim(&name)
    guard let first = name.first else { return nil }
    if first == "." { name.replaceSubrange(name.startIndex...name.startIndex, with: "_".unicodeScalars) }
    if isDeviceName(name) { name.insert("_", at: name.startIndex) }
    shorten(&name)
    return String(name)
  }

  private static func trim(_ name: inout String.UnicodeScalarView) {
    guard let last = name.lastIndex(where: { $0 != "." && !$0.properties.isWhitespace }) else {
      name = String.UnicodeScalarView()
      return
    }
    // At once: each removal at the front would move all that follows.
    name = String.UnicodeScalarView(name[...last].drop { $0.properties.isWhitespace })
  }

  private static func isDeviceName(_ name: String.UnicodeScalarView) -> Bool {
    var stem = String.UnicodeScalarView(name.prefix { $0 != "." })
    trim(&stem)
    guard stem.count <= 7 else { return false }
    let upper = String(stem).uppercased()
    switch upper {
    case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$": return true
    default:
      let digits = "0123456789\u{B9}\u{B2}\u{B3}".unicodeScalars
      return upper.unicodeScalars.count == 4 && (upper.hasPrefix("COM") || upper.hasPrefix("LPT"))
        && upper.unicodeScalars.last.map(digits.contains) == true
    }
  }

  private static let longestName = 255
  private static let longestExtension = 32

  private static func shorten(_ name: inout String.UnicodeScalarView) {
    guard String(name).utf8.count > longestName else { return }
    var tail = ""
    if let dot = name.lastIndex(of: "."), dot > name.startIndex {
      let text = String(name[dot...])
      if text.utf8.count <= longestExtension {
        tail = text
        name.removeSubrange(dot...)
      }
    }
    var length = tail.utf8.count
    var stem = String.UnicodeScalarView(
      name.prefix { scalar in
        length += UTF8.width(scalar)
        return length <= longestName
      }
    )
    if tail.isEmpty { trim(&stem) }
    stem.append(contentsOf: tail.unicodeScalars)
    name = stem
  }
}

extension Unicode.Scalar {
  fileprivate var isRemovedFromFileName: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true  // controls
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true  // separators, directions
    default: false
    }
  }
}
