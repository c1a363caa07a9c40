import HTTPTypes
import StagecoachCore

/// The pattern of a request for WireMock.
struct WireMockPattern {
  private(set) var value: JSONValue = [:]
  /// The places of the rules that have no pattern.
  private(set) var lostRules: [String] = []
  /// Whether the pattern also matches other parameters of the query, which the exchange does not.
  private(set) var hasOtherParameters = false

  init(_ exchange: Scenario.Exchange, defaults: [Scenario.Rule], _ live: LiveRequest) {
    let request = exchange.request
    var rules: [String: Scenario.Rule] = [:]
    for rule in (exchange.match + defaults).reversed() { rules[rule.place] = rule }
    // Any value is equal to what stands for a secret.
    let leaves = RedactedLeaves(request.message, side: "request", listed: exchange.redacted)
    let own = Set(rules.keys.map { $0.lowercased() })
    for rule in leaves.rules where !own.contains(rule.place.lowercased()) { rules[rule.place] = rule }

    var members = JSONObject()
    let isGetOrHead = rules["method"]?.condition["regex"] == "GET|HEAD"
    members["method"] = .string(rules["method"] == nil ? request.method : isGetOrHead ? "GET_OR_HEAD" : "ANY")
    let query = live.query.map { ComparedQuery(parsing: $0).parameters } ?? []
    let isOpen = rules["query"].map { ($0.condition["match"] ?? $0.condition) == "values" } ?? false
    if rules["query"] != nil, !isOpen { lostRules.append("query") }
    let hasRules = rules.keys.contains { $0 == "path" || $0.hasPrefix("query") }
    // A URL is compared as text: with the order of its parameters, and without others.
    if !hasRules, query.count < 2 {
      members["url"] = .string("\(live.path)\(live.query.map { "?\($0)" } ?? "")")
    } else if let rule = rules["path"], let regex = Self.operation(rule.condition, example: "") {
      members[regex.key == "matches" ? "urlPathPattern" : "urlPath"] = regex.value
    } else {
      members["urlPath"] = .string(String(live.path))
    }
    hasOtherParameters = members["url"] == nil && !isOpen
    for (place, rule) in rules where ["method", "path"].contains(place) {
      let isKept = place == "method" || Self.operation(rule.condition, example: "")?.key == "matches"
      if !isKept { lostRules.append(place) }
    }

    if members["url"] == nil {
      members["queryParameters"] = patterns(query.map { ($0.name, $0.value) }, "query", rules)
    }
    // Fields are compared where a rule names them.
    let fields = request.fields.filter { field in
      rules.keys.contains { $0.lowercased() == "header.\(field.name.canonicalName)" }
    }
    members["headers"] = patterns(fields.map { ($0.name.rawName, $0.value) }, "header", rules)
    members["bodyPatterns"] = body(request, rules, leaves.ranges).map { .array([$0]) }
    lostRules = lostRules.filter { own.contains($0.lowercased()) }.sorted()
    value = .object(members)
  }

  /// Patterns by name; of several values of one name, all have to be there.
  private mutating func patterns(
    _ pairs: [(name: String, value: String)],
    _ part: String,
    _ rules: [String: Scenario.Rule]
  ) -> JSONValue? {
    var object = JSONObject()
    for (name, value) in pairs where object[name] == nil {
      let rule = rules.first { $0.key.lowercased() == "\(part).\(name)".lowercased() }?.value
      let values = pairs.filter { $0.name == name }
      if values.count > 1, rule == nil {
        object[name] = ["hasExactly": .array(values.map { ["equalTo": .string($0.value)] })]
      } else if let operation = Self.operation(rule?.condition ?? "equality", example: value) {
        object[name] = [operation.key: operation.value]
      } else if let rule {
        lostRules.append(rule.place)
      }
    }
    return object.members.isEmpty ? nil : .object(object)
  }

  /// The operation of WireMock that is like a matcher; `nil` if there is none.
  private static func operation(_ condition: JSONValue, example: String) -> (key: String, value: JSONValue)? {
    switch condition["match"]?.stringValue ?? condition.stringValue {
    case "equality": return ("equalTo", .string(example))
    case "regex": return condition["regex"].map { ("matches", $0) }
    case "include": return condition["value"].map { ("contains", $0) }
    case "integer": return ("matches", "-?[0-9]+")
    case "notEmpty": return ("matches", ".+")
    case "type": return ("matches", ".*")
    default: return nil
    }
  }

  /// - Parameter hidden: The ranges of the content that stand for secrets.
  private mutating func body(
    _ request: Scenario.Request,
    _ rules: [String: Scenario.Rule],
    _ hidden: [Range<Int>]
  ) -> JSONValue? {
    let inner = rules.filter { $0.key.hasPrefix("body") && $0.key != "body$" }
    lostRules += inner.keys
    guard let body = request.body, body.omission == nil else { return nil }
    let rule = rules["body$"]
    let isOpen = rule.map { ($0.condition["match"] ?? $0.condition) == "atLeast" } ?? false
    if let rule, !isOpen {
      if let operation = Self.operation(rule.condition, example: String(decoding: body.bytes)) {
        return [operation.key: operation.value]
      }
      lostRules.append(rule.place)
    }
    guard let text = String(validating: body.bytes.array, as: UTF8.self) else {
      return ["binaryEqualTo": .string(String(decoding: Base64.encode(body.bytes.array), as: UTF8.self))]
    }
    let type = (body.type ?? request.fields[.contentType]).flatMap { MediaType($0) }
    let isXML = type?.subtype == "xml" || type?.suffix == "xml"
    let isJSON = type?.subtype == "json" || type?.suffix == "json"
    if isJSON, var json = try? JSONValue(parsing: text) {
      let known = inner.filter { place, rule in json.hold(rule.condition, at: place) }
      lostRules.removeAll { known[$0] != nil }
      let content = known.isEmpty ? text : String(decoding: json.serialized(), as: UTF8.self)
      return isOpen
        ? ["equalToJson": .string(content), "ignoreExtraElements": true] : ["equalToJson": .string(content)]
    }
    if isOpen { lostRules.append("body$") }
    if !hidden.isEmpty, isXML {
      let tree = TextTree(content: Array(text.utf8), type)
      let known = tree.rewritten { place in
        hidden.contains(place.leaf.range) ? .value(Array(WireMockPlaceholder.ofXML.utf8)) : .none
      }
      return ["equalToXml": .string(String(decoding: known, as: UTF8.self)), "enablePlaceholders": true]
    }
    // The boundary of parts is another one in each request.
    let boundary = type?.type == "multipart" ? type?[parameter: "boundary"] : nil
    let ranges = boundary.map { Array(text.utf8).ranges(of: Array($0.utf8)) } ?? []
    let others = (hidden + ranges).sorted { $0.lowerBound < $1.lowerBound }
    if !others.isEmpty {
      return ["matches": .string(RedactedLeaves.expression(Array(text.utf8), others, any: #"[\s\S]+"#))]
    }
    return [isXML ? "equalToXml" : "equalTo": .string(text)]
  }
}

extension JSONValue {
  /// Puts a placeholder of JSON Unit in the place of a rule; false if there is none for it.
  fileprivate mutating func hold(_ condition: JSONValue, at place: String) -> Bool {
    guard let (part, path) = try? MatchRule.place(of: place), part == .body,
      let changed = holding(condition, at: path.steps[...])
    else { return false }
    self = changed
    return true
  }

  private func holding(_ condition: JSONValue, at steps: ArraySlice<RulePath.Step>) -> JSONValue? {
    switch steps.first {
    case nil: return WireMockPlaceholder.text(for: condition, example: self).map(JSONValue.string)
    case .key(let key)?:
      guard var object = objectValue, let member = object[key]?.holding(condition, at: steps.dropFirst())
      else {
        return nil
      }
      object[key] = member
      return .object(object)
    case .index(let index)?:
      guard var array = arrayValue, array.indices.contains(index),
        let element = array[index].holding(condition, at: steps.dropFirst())
      else { return nil }
      array[index] = element
      return .array(array)
    default: return nil
    }
  }
}
