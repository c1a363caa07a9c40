/// Parts of Swift source.
enum SwiftText {
  /// A string literal.
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _
      where scalar.properties.generalCategory == .control || scalar.properties.isDefaultIgnorableCodePoint
        || scalar == "\u{2028}" || scalar == "\u{2029}":
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A text on one line of a comment, without characters that control or reorder what is shown.
  static func comment(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    // Markdown would take these for markup, and links that lead nowhere fail the documentation.
    return result.map { "`*_[]<>\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  /// An identifier: the words of a name in camel case.
  static func identifier(_ name: some StringProtocol, capitalized: Bool) -> String {
    let words = name.split { !$0.isLetter && !$0.isNumber }
    var result = ""
    for (index, word) in words.enumerated() {
      let isCapital = index > 0 || capitalized
      let first = isCapital ? word.prefix(1).uppercased() : word.prefix(1).lowercased()
      result += first + word.dropFirst()
    }
    guard let first = result.unicodeScalars.first else { return "_" }
    if !first.properties.isXIDStart { result = "_" + result }
    result = String(String.UnicodeScalarView(result.unicodeScalars.map { isOfIdentifier($0) ? $0 : "_" }))
    return reserved.contains(result) ? result + "_" : result
  }

  private static func isOfIdentifier(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isXIDContinue || scalar == "_"
  }

  /// Keywords, and the names that `Fixtures` or any type has itself.
  private static let reserved: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "index", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "root",
    "scenarios", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}
