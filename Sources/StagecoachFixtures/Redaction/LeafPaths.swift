/// Paths of leaves that the user names: `$.user.pin`, `query.code`, and `$.items[*].pin` for any position.
struct LeafPaths: Sendable {
  private let paths: Set<String>
  private let patterns: [[Substring.UTF8View]]

  init(_ paths: Set<String>) {
    self.paths = paths
    patterns = paths.filter { $0.contains(Self.anyPosition) }.map { path in
      path.split(separator: Self.anyPosition, omittingEmptySubsequences: false).map(\.utf8)
    }
  }

  private static let anyPosition = "[*]"

  func contains(_ place: LeafPlace) -> Bool {
    guard !paths.isEmpty else { return false }
    let path = place.path
    return paths.contains(path) || patterns.contains { Self.matches(path.utf8[...], $0) }
  }

  /// Whether a path is a pattern whose parts have a position between them, or none, which is the first of a name.
  private static func matches(_ path: Substring.UTF8View, _ parts: [Substring.UTF8View]) -> Bool {
    var rest = path
    for (index, part) in parts.enumerated() {
      if index > 0, rest.first == UInt8(ascii: "[") {
        let digits = rest.dropFirst().prefix(while: \.isDigit)
        guard !digits.isEmpty, rest[digits.endIndex...].first == UInt8(ascii: "]") else { return false }
        rest = rest[digits.endIndex...].dropFirst()
      }
      guard rest.starts(with: part) else { return false }
      rest = rest.dropFirst(part.count)
    }
    return rest.isEmpty
  }
}
