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
    members["bodyPatterns"] = body(request, rules["body$"]).map { .array([$0]) }
    lostRules += rules.keys.filter { $0.hasPrefix("body") && $0 != "body$" }
    lostRules.sort()
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
    default: return nil
    }
  }

  private mutating func body(_ request: Scenario.Request, _ rule: Scenario.Rule?) -> JSONValue? {
    guard let body = request.body, body.omission == nil else { return nil }
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
    if isJSON, (try? JSONValue(parsing: text)) != nil {
      return isOpen
        ? ["equalToJson": .string(text), "ignoreExtraElements": true] : ["equalToJson": .string(text)]
    }
    if isOpen { lostRules.append("body$") }
    return [isXML ? "equalToXml" : "equalTo": .string(text)]
  }
}
