import StagecoachCore

/// The expression of a value from a provider state: a name, or a text with `${name}`.
struct ProviderStateExpression {
  private enum Part {
    case text(String)
    case name(String)
  }

  private let parts: [Part]

  /// Parses an expression. A text without braces is a name.
  init(_ text: String) throws(GeneratorError) {
    guard text.contains("${") else {
      parts = [.name(text)]
      return
    }
    var parts: [Part] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "${") {
      guard let end = rest[start.upperBound...].firstIndex(of: "}") else { throw .invalidExpression(text) }
      if start.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<start.lowerBound]))) }
      parts.append(.name(String(rest[start.upperBound..<end])))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
  }

  /// Returns the value: that of the name if the expression is only a name, and otherwise a text.
  func value(_ values: JSONObject) throws(GeneratorError) -> JSONValue {
    if parts.count == 1, case .name(let name) = parts[0] { return try Self.value(name, values) }
    var text = ""
    for part in parts {
      switch part {
      case .text(let part): text += part
      case .name(let name): text += try Self.value(name, values).plainText
      }
    }
    return .string(text)
  }

  private static func value(_ name: String, _ values: JSONObject) throws(GeneratorError) -> JSONValue {
    guard let value = values[name] else { throw .missingValue(name) }
    return value
  }
}
