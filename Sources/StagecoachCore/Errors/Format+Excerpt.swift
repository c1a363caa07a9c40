extension Format {
  /// Returns the start of a body on one line, without named secrets; in hexadecimal if it is not text.
  package static func excerpt(_ bytes: Bytes, limit: Int) -> String {
    let prefix = bytes.prefix(limit)
    let more = bytes.count > limit ? " … (\(bytes.count) bytes kept)" : ""
    var text = String(decoding: prefix)
    if bytes.count > limit {
      // A character cut in two by the limit is not a sign of binary content.
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
}
