import StagecoachCore

/// A text of JSON Unit or XMLUnit that stands for values.
enum WireMockPlaceholder {
  /// Any text of XML.
  static let ofXML = "${xmlunit.ignore}"

  /// The rules for the placeholders in XML; `nil` if there are others than ``ofXML``.
  static func rules(ofXML text: String) -> [Scenario.Rule]? {
    let tree = TextTree(content: Array(text.utf8), .xml)
    var rules: [Scenario.Rule] = []
    tree.forEachLeaf { place in
      guard place.leaf.value == Array(ofXML.utf8) else { return false }
      rules.append(.init("body\(RedactedLeaves.path(place.steps))", WireMockCondition.anything))
      return false
    }
    return text.split(separator: "${xmlunit.").count - 1 == rules.count ? rules : nil
  }

  /// The condition of a placeholder such as `${json-unit.any-string}`; `nil` if the value is none.
  static func rule(for value: JSONValue) -> JSONValue? {
    guard let text = value.stringValue, text.hasPrefix("${json-unit.") || text.hasPrefix("#{json-unit.")
    else {
      return nil
    }
    switch text.dropFirst("${json-unit.".count) {
    case "ignore}", "ignore-element}": return WireMockCondition.anything
    case "any-string}": return "type"
    case "any-number}": return "number"
    case "any-boolean}": return "boolean"
    case let rest where rest.hasPrefix("regex}"):
      let pattern = String(rest.dropFirst("regex}".count))
      return (try? TextPattern(pattern)) == nil
        ? WireMockCondition.anything : WireMockCondition.regex(pattern)
    default: return nil
    }
  }

  /// The placeholder for a condition; `nil` if there is none.
  static func text(for condition: JSONValue, example: JSONValue) -> String? {
    switch condition["match"]?.stringValue ?? condition.stringValue {
    case "type":
      guard condition.objectValue.map({ $0.members.count == 1 }) != false else { return nil }
      switch example {
      case .string: return "${json-unit.any-string}"
      case .number: return "${json-unit.any-number}"
      case .bool: return "${json-unit.any-boolean}"
      case .null, .array, .object: return nil
      }
    case "number": return "${json-unit.any-number}"
    case "boolean": return "${json-unit.any-boolean}"
    case "regex": return condition["regex"]?.stringValue.map { "${json-unit.regex}\($0)" }
    default: return nil
    }
  }
}
