import StagecoachCore

extension PactRulesReader {
  /// Returns rules in the form of versions 3 and 4: `"body": {"$.a": {"matchers": [...], "combine": "AND"}}`.
  ///
  /// - Throws: ``PactFormatError`` if a rule of version 2 is malformed. Others are returned as they are.
  func groups(_ value: JSONValue?) throws(PactFormatError) -> JSONObject {
    guard let value, !value.isNull else { return JSONObject() }
    let object = try value.pactObject("matchingRules")
    guard Self.isFlat(object) else { return object }
    var groups = PactRuleGroups()
    for member in object.members {
      let place = "matchingRules['\(member.key)']"
      let (part, path) = try flatPath(member.key, place)
      let matcher = Self.named(try member.value.pactObject(place))
      groups.append(["matchers": [.object(matcher)], "combine": "AND"], part, path)
    }
    return groups.value
  }

  /// A matcher with its name, which version 2 may leave out.
  private static func named(_ matcher: JSONObject) -> JSONObject {
    guard matcher["match"] == nil else { return matcher }
    let name =
      ["regex", "date", "time", "timestamp"].first { matcher[$0] != nil }
      ?? (matcher["min"] != nil || matcher["max"] != nil ? "type" : nil)
    guard let name else { return matcher }
    return JSONObject([JSONObject.Member(key: "match", value: .string(name))] + matcher.members)
  }
}

/// Collects rules by the parts of a message, in the form of versions 3 and 4.
struct PactRuleGroups {
  private var groups: [MessagePart: [JSONObject.Member]] = [:]

  mutating func append(_ rule: JSONValue, _ part: MessagePart, _ path: RulePath) {
    groups[part, default: []].append(JSONObject.Member(key: path.key(of: part), value: rule))
  }

  /// The groups, in a fixed order. A part that has one value has one rule and no paths.
  var value: JSONObject {
    JSONObject(
      MessagePart.allCases.compactMap { part in
        guard let rules = groups[part], let last = rules.last else { return nil }
        let isSingle = part == .method || part == .path || part == .status
        return JSONObject.Member(
          key: part.rawValue,
          value: isSingle ? last.value : .object(JSONObject(rules))
        )
      }
    )
  }
}

extension RulePath {
  /// The key of a rule in its group: a path, or only the name of a parameter or field.
  fileprivate func key(of part: MessagePart) -> String {
    guard part != .body, steps.count == 1, case .key(let name) = steps[0] else { return description }
    return name.hasPrefix("$.") || name.hasPrefix("$[") ? description : name
  }
}
