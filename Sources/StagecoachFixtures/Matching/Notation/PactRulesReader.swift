package import StagecoachCore

/// Reads the matching rules of Pact files.
package struct PactRulesReader {
  let matchers: PactMatcherReader

  init(matchers: PactMatcherReader) {
    self.matchers = matchers
  }

  /// Creates a reader.
  ///
  /// - Parameter extent: The part of a text that regular expressions have to match: anywhere for files that Ruby wrote.
  package init(extent: TextPattern.Extent = .whole) {
    matchers = PactMatcherReader(extent: extent)
  }

  /// Reads the value of `matchingRules`.
  ///
  /// - Throws: ``PactFormatError`` if a rule is malformed or unknown.
  package func rules(_ value: JSONValue?) throws(PactFormatError) -> MatchRules {
    guard let value, !value.isNull else { return [] }
    let object = try value.pactObject("matchingRules")
    return Self.isFlat(object) ? try flatRules(object) : try groupedRules(object)
  }

  /// Whether rules have the form of version 2, whatever version the file says.
  static func isFlat(_ object: JSONObject) -> Bool { object.members.contains { $0.key.hasPrefix("$") } }

  /// Reads the rules of version 2: `"$.body.a": {"match": ...}`.
  private func flatRules(_ object: JSONObject) throws(PactFormatError) -> MatchRules {
    var rules = MatchRules()
    for member in object.members {
      let place = "matchingRules['\(member.key)']"
      let (part, path) = try flatPath(member.key, place)
      rules.append(MatchRule(part, at: path, matchers: [try matchers.matcher(member.value, at: place)]))
    }
    return rules
  }

  /// The part and the path of a key such as `$.body.a` or `$.header.X-Test`.
  func flatPath(_ key: String, _ place: String) throws(PactFormatError) -> (MessagePart, RulePath) {
    // Names of parameters may contain brackets: `$.query.ids[]`.
    for (prefix, part) in [("$.query.", MessagePart.query), ("$.header.", .header), ("$.headers.", .header)]
    where key.hasPrefix(prefix) && (try? RulePath(key)) == nil {
      return (part, RulePath([.key(String(key.dropFirst(prefix.utf8.count)))]))
    }
    var path = try path(key, place)
    guard case .key(let name)? = path.steps.first, let part = Self.part(name) else {
      throw PactFormatError(place, "the path does not start with a part of a message")
    }
    path.steps.removeFirst()
    return (part, path)
  }

  /// Reads the rules of version 3 and 4: `"body": {"$.a": {"matchers": [...]}}`.
  private func groupedRules(_ object: JSONObject) throws(PactFormatError) -> MatchRules {
    var rules = MatchRules()
    // Groups with other names are ignored, as attributes of later versions.
    for member in object.members {
      guard let part = Self.part(member.key) else { continue }
      rules.rules += try self.rules(member.value, of: part, at: "matchingRules.\(member.key)").rules
    }
    return rules
  }

  static func part(_ name: String) -> MessagePart? {
    switch name {
    case "headers": .header
    case "content", "contents": .body
    case "metaData": .metadata
    default: MessagePart(rawValue: name)
    }
  }

  /// Reads the rules of a group: a rule if the part has a single value, and otherwise rules by path or name.
  func rules(_ value: JSONValue, of part: MessagePart, at place: String) throws(PactFormatError) -> MatchRules
  {
    let object = try value.pactObject(place)
    if object["matchers"]?.arrayValue != nil || object["match"]?.stringValue != nil {
      return [try rule(value, part, .root, place)]
    }
    var rules = MatchRules()
    for member in object.members {
      let place = "\(place)['\(member.key)']"
      rules.append(try rule(member.value, part, try path(member.key, of: part, place), place))
    }
    return rules
  }

  /// Reads a rule: a matcher, or several of them and how they are combined.
  func rule(
    _ value: JSONValue,
    _ part: MessagePart,
    _ path: RulePath,
    _ place: String
  ) throws(PactFormatError) -> MatchRule {
    let object = try value.pactObject(place)
    guard let list = object["matchers"] else {
      return MatchRule(part, at: path, matchers: [try matchers.matcher(value, at: place)])
    }
    var found: [Matcher] = []
    for (index, value) in try list.pactArray(place).enumerated() {
      found.append(try matchers.matcher(value, at: "\(place).matchers[\(index)]"))
    }
    let combination: MatchRule.Combination =
      object["combine"]?.stringValue?.uppercased() == "OR" ? .any : .all
    return MatchRule(part, at: path, matchers: found, combination: combination)
  }

  /// The path of a key: for parameters, header fields and metadata usually only a name.
  func path(_ key: String, of part: MessagePart, _ place: String) throws(PactFormatError) -> RulePath {
    switch part {
    case .query, .header, .metadata:
      let isPath = key.hasPrefix("$.") || key.hasPrefix("$[")
      return isPath ? try path(key, place) : RulePath([.key(key)])
    case .method, .path, .status: return .root
    case .body: return try path(key, place)
    }
  }

  private func path(_ text: String, _ place: String) throws(PactFormatError) -> RulePath {
    do throws(RulePathError) {
      return try RulePath(text)
    } catch {
      throw PactFormatError(place, error.description)
    }
  }
}
