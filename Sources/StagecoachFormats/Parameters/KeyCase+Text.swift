extension QueryEncoder.KeyCase {
  /// Returns the key of the parameter for a coding key.
  package func text(of key: String) -> String {
    switch self {
    case .asGiven: key
    case .snakeCase: Self.snakeCase(key)
    case .custom(let convert): convert(key)
    }
  }

  /// A word starts at an upper-case letter after one that is not, and at the last one of several that a
  /// lower-case letter follows.
  private static func snakeCase(_ key: String) -> String {
    let scalars = Array(key.unicodeScalars)
    var text = ""
    for (index, scalar) in scalars.enumerated() {
      guard scalar.properties.isUppercase else {
        text.unicodeScalars.append(scalar)
        continue
      }
      let previous: Unicode.Scalar? = index > 0 ? scalars[index - 1] : nil
      let next: Unicode.Scalar? = index + 1 < scalars.count ? scalars[index + 1] : nil
      if let previous, previous != "_",
        !previous.properties.isUppercase || next?.properties.isLowercase == true
      {
        text.append("_")
      }
      text.append(scalar.properties.lowercaseMapping)
    }
    return text
  }
}
