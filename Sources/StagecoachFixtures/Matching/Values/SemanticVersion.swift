extension TextCondition {
  /// A version of Semantic Versioning 2.0.0.
  package static let semanticVersion = TextCondition(
    name: "semver",
    noun: "a semantic version",
    text: "a version such as 1.2.3"
  ) { text in
    SemanticVersion.problem(of: text).map { "'\(text)' is not a valid semantic version - \($0)" }
  }
}

/// The grammar of Semantic Versioning 2.0.0.
enum SemanticVersion {
  /// Returns why a text is not a version; `nil` if it is one.
  static func problem(of text: String) -> String? {
    if text.isEmpty { return "empty string, expected a semver version" }
    let (withoutBuild, build) = split(text[...], at: "+")
    let (core, preRelease) = split(withoutBuild, at: "-")
    return problem(ofCore: core, hasMore: preRelease != nil || build != nil)
      ?? preRelease.flatMap { problem(of: $0, in: "pre-release identifier", refusesLeadingZeros: true) }
      ?? build.flatMap { problem(of: $0, in: "build metadata", refusesLeadingZeros: false) }
  }

  private static func problem(ofCore core: Substring, hasMore: Bool) -> String? {
    let names = ["major", "minor", "patch"]
    let numbers = core.split(separator: ".", omittingEmptySubsequences: false)
    for (index, name) in names.enumerated() {
      guard index < numbers.count else {
        return hasMore
          ? "unexpected character while parsing \(names[index - 1]) version number"
          : "unexpected end of input while parsing \(names[index - 1]) version number"
      }
      let number = numbers[index]
      if let other = number.first(where: { !$0.isASCIIDigit }) {
        return "unexpected character '\(other)' "
          + (number.first == other ? "while parsing \(name) version number" : "after \(name) version number")
      }
      if number.isEmpty { return "unexpected end of input while parsing \(name) version number" }
      if number.hasLeadingZero { return "invalid leading zero in \(name) version number" }
    }
    return numbers.count > names.count ? "unexpected character '.' after patch version number" : nil
  }

  private static func problem(of list: Substring, in name: String, refusesLeadingZeros: Bool) -> String? {
    for identifier in list.split(separator: ".", omittingEmptySubsequences: false) {
      if identifier.isEmpty { return "empty identifier segment in \(name)" }
      if let other = identifier.first(where: { !$0.isIdentifier }) {
        return "unexpected character '\(other)' in \(name)"
      }
      if refusesLeadingZeros, identifier.allSatisfy(\.isASCIIDigit), identifier.hasLeadingZero {
        return "invalid leading zero in \(name)"
      }
    }
    return nil
  }

  private static func split(_ text: Substring, at mark: Character) -> (Substring, Substring?) {
    guard let index = text.firstIndex(of: mark) else { return (text, nil) }
    return (text[..<index], text[index...].dropFirst())
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) && isASCII }

  fileprivate var isIdentifier: Bool { isASCII && (isLetter || isNumber || self == "-") }
}

extension Substring {
  fileprivate var hasLeadingZero: Bool { count > 1 && first == "0" }
}
