import StagecoachCore

/// A header value such as `application/json;charset=utf-8`: a value with parameters in any order.
struct ParameterizedValue {
  private let value: String
  private let parameters: [(name: String, value: String)]

  init(_ text: String) {
    let parts = text.split(separator: ";", outsideQuotes: true).map(\.trimmed)
    let first = parts.first ?? ""
    // Only media types are case-insensitive.
    value = first.contains("/") ? first.lowercased() : first
    parameters = parts.dropFirst().filter { !$0.isEmpty }.map { part in
      guard let equals = part.firstIndex(of: "=") else { return (part.lowercased(), "") }
      let name = String(part[..<equals]).trimmed.lowercased()
      let value = String(part[part.index(after: equals)...]).trimmed.unquoted
      return (name, name == "charset" ? value.lowercased() : value)
    }
  }

  /// Returns whether an actual value has this value and these parameters; it may have more. The boundary of a multipart
  /// type is random, so it is not compared.
  func isMet(by actual: ParameterizedValue) -> Bool {
    value == actual.value
      && parameters.allSatisfy { parameter in
        value.hasPrefix("multipart/") && parameter.name == "boundary"
          || actual.parameters.contains { $0 == parameter }
      }
  }
}

extension String {
  /// Splits at a character, except inside of double quotes.
  func split(separator: Character, outsideQuotes: Bool) -> [String] {
    var parts = [""]
    var isQuoted = false
    var isEscaped = false
    for character in self {
      if character == separator, !isQuoted {
        parts.append("")
        continue
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && isQuoted && !isEscaped
      parts[parts.count - 1].append(character)
    }
    return parts
  }

  /// The text of a quoted string, without quotes and escapes; an unquoted text is unchanged.
  var unquoted: String {
    guard count >= 2, first == "\"", last == "\"" else { return self }
    var text = ""
    var isEscaped = false
    for character in dropFirst().dropLast() {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        text.append(character)
        isEscaped = false
      }
    }
    return text
  }
}
