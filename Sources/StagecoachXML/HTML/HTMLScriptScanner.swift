/// Finds the end tag of a script (HTML 13.2.5.4 and the script data states), in bytes that may arrive in pieces.
///
/// In `<!-- <script>` an end tag `</script>` belongs to the script, up to `-->` or to a second end tag.
struct HTMLScriptScanner {
  private enum State {
    case plain
    /// Behind `<!--`.
    case escaped
    /// Behind `<script` in there.
    case doubleEscaped
  }

  private static let name = StaticString("script")

  /// The positions of what looks like an end tag to libxml2, and belongs to the script.
  private(set) var innerEndTags: [Int] = []
  private var state = State.plain
  private var offset = 0
  /// The number of hyphens directly before.
  private var hyphens = 0

  /// Whether an end tag at the present position would belong to the script.
  var ignoresEndTag: Bool { state == .doubleEscaped }

  /// Scans on from where it stopped.
  ///
  /// - Parameter bytes: The bytes from the start of the script.
  /// - Returns: The start of the end tag; nil if it is not there, or not known to be complete.
  mutating func endTag(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "-"):
        hyphens += 1
        offset += 1
      case UInt8(ascii: "<"):
        let rest = UnsafeBufferPointer(rebasing: bytes[offset...])
        guard let length = markup(rest) else { return nil }
        guard length > 0 else { return offset }
        offset += length
      case let byte:
        if byte == UInt8(ascii: ">"), hyphens >= 2 { state = .plain }
        hyphens = 0
        offset += 1
      }
    }
    return nil
  }

  /// Reads from a `<` on.
  ///
  /// - Returns: The number of bytes; 0 if the end tag of the script starts there, nil if there are too few bytes.
  private mutating func markup(_ rest: UnsafeBufferPointer<UInt8>) -> Int? {
    hyphens = 0
    if state == .plain, rest.starts(with: "<!--".utf8) {
      state = .escaped
      hyphens = 2
      return 4
    }
    // The longest is an end tag with the character behind it.
    guard rest.count >= 3 + Self.name.utf8CodeUnitCount else { return nil }
    if let end = tagEnd(rest, behind: "</") {
      if state != .doubleEscaped, Self.isTagEnd(rest[end]) { return 0 }
      innerEndTags.append(offset)
      if Self.isTagEnd(rest[end]) { state = .escaped }
      return end
    }
    guard state == .escaped, let end = tagEnd(rest, behind: "<"), Self.isTagEnd(rest[end]) else { return 1 }
    state = .doubleEscaped
    return end + 1
  }

  private static func isTagEnd(_ byte: UInt8) -> Bool {
    byte.isHTMLSpace || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
  }

  /// Returns the position behind the name of a tag of the script; nil if there is another one.
  private func tagEnd(_ rest: UnsafeBufferPointer<UInt8>, behind mark: String) -> Int? {
    let end = mark.utf8.count + Self.name.utf8CodeUnitCount
    guard rest.count > end, rest.starts(with: mark.utf8) else { return nil }
    let name = UnsafeBufferPointer(start: Self.name.utf8Start, count: Self.name.utf8CodeUnitCount)
    let isName = rest[mark.utf8.count..<end].lazy.map(\.asciiLowercased).elementsEqual(name)
    return isName ? end : nil
  }
}
