import StagecoachCore

extension Scenario.Body {
  /// Whether two contents are equal to a recording: they differ at most in volatile texts and multipart boundaries.
  static func isEqual(_ a: Scenario.Body?, _ b: Scenario.Body?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    guard a.omission == b.omission, a.codings == b.codings, a.framing == b.framing else { return false }
    return a.bytes == b.bytes || a.normalized == b.normalized
  }

  /// The content with a mark in place of each volatile text, and without its boundary.
  private var normalized: [UInt8] {
    let type = type.flatMap { MediaType($0) }
    let boundary = type?.boundary.map { Array($0.value.utf8) }
    let tree = TextTree(content: bytes.array, type)
    let normalized = tree.changed(
      VolatileText.change,
      gap: { gap, _ in
        guard let boundary else { return VolatileText.normalized(Array(gap)) }
        return Array(
          gap.split(separator: boundary, omittingEmptySubsequences: false).joined(separator: [0, 0])
        )
      }
    )
    return normalized ?? tree.text
  }
}

extension VolatileText {
  /// Puts a mark in place of each volatile text in a leaf.
  static func change(_ place: LeafPlace) -> TextTree.Change {
    place.leaf.inner == nil ? .value(normalized(place.leaf.value)) : .inside
  }
}

extension MediaType {
  /// The parameter with the boundary of a multipart type.
  var boundary: Parameter? {
    type == "multipart" ? parameters.first { $0.name == "boundary" && !$0.value.isEmpty } : nil
  }
}
