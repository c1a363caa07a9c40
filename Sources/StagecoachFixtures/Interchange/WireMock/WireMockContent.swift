import StagecoachCore

/// The content that meets the patterns of a body, and the rules for other content.
struct WireMockContent {
  private(set) var rules: [Scenario.Rule] = []
  private(set) var losses: [String] = []

  private var json: JSONValue?
  /// Whether other members and elements than those of ``json`` are allowed.
  private var isOpen = false
  private var conditions: [(path: [RulePath.Step], rule: JSONValue)] = []
  private var lists: [(path: [RulePath.Step], variants: [JSONValue])] = []
  /// XML, octets or a text that has to be equal.
  private var whole: Scenario.Body?
  private var texts: [WireMockCondition] = []
  private var isAbsent = false

  /// Adds a pattern.
  ///
  /// - Throws: ``WireMockCondition/Loss`` if there is no rule for it, or `ManifestNode.Failure` if it is malformed.
  mutating func add(_ pattern: ManifestNode) throws {
    if let value = pattern.value["equalToJson"] {
      guard json == nil, whole == nil else {
        throw WireMockCondition.Loss(pattern: "equalToJson, a second one")
      }
      try add(equalTo: value, pattern)
    } else if let path = pattern.member("matchesJsonPath") {
      try add(path: path)
    } else if let xml = pattern.member("equalToXml") {
      // A declaration tells that it is XML, whatever type of XML the request names.
      let text = try xml.string()
      guard let placeholders = WireMockPlaceholder.rules(ofXML: text) else {
        throw WireMockCondition.Loss(pattern: "equalToXml with placeholders")
      }
      rules += placeholders
      let declaration = text.hasPrefix("<?xml") ? "" : "<?xml version=\"1.0\"?>"
      try setWhole(Scenario.Body(Bytes(declaration + text), type: "application/xml"), "equalToXml")
    } else if let binary = pattern.member("binaryEqualTo") {
      guard let bytes = Bytes(base64: try binary.string()) else {
        throw binary.failure("the text is not Base64")
      }
      try setWhole(Scenario.Body(bytes), "binaryEqualTo")
    } else if pattern.value["absent"]?.boolValue == true {
      isAbsent = true
    } else {
      let condition = try WireMockCondition(pattern, where: Self.isPlain)
      guard condition.rule == nil else { return texts.append(condition) }
      try setWhole(Scenario.Body(Bytes(condition.example), type: "text/plain"), "equalTo")
    }
  }

  /// The content; `nil` if there is to be none. Adds the rules.
  mutating func body() -> Scenario.Body? {
    if json != nil || whole != nil {
      losses += texts.map { _ in "bodyPatterns, a text beside other content" }
    }
    if let json {
      addRules(of: json)
      return Scenario.Body(Bytes(json.serialized()), type: "application/json").pretty()
    }
    if let whole { return whole }
    guard let text = texts.first else {
      guard !isAbsent else { return nil }
      var any = Scenario.Body(Bytes())
      any.omission = Scenario.Body.Omission(bytes: 0, reason: "any content matches")
      return any
    }
    rules.append(.init("body$", WireMockCondition.rule(texts.map(\.listed))))
    return Scenario.Body(Bytes(text.example), type: "text/plain")
  }

  private mutating func setWhole(_ body: Scenario.Body, _ pattern: String) throws {
    guard json == nil, whole == nil else { throw WireMockCondition.Loss(pattern: "\(pattern), a second one") }
    whole = body
  }

  /// Whether content is compared as text.
  private static func isPlain(_ text: String) -> Bool {
    BodyFormat.assumedType(of: Bytes(text)) == .plainText
  }

  // MARK: JSON

  private mutating func add(equalTo value: JSONValue, _ pattern: ManifestNode) throws {
    guard let parsed = Self.json(value) else {
      // A text may hold placeholders outside of strings.
      throw WireMockCondition.Loss(pattern: "equalToJson, which is not JSON")
    }
    json = parsed
    // The modes are those of the first versions.
    let mode = pattern.value["jsonCompareMode"]?.stringValue ?? ""
    isOpen =
      pattern.value["ignoreExtraElements"]?.boolValue == true || ["LENIENT", "STRICT_ORDER"].contains(mode)
    let ignoresOrder =
      pattern.value["ignoreArrayOrder"]?.boolValue == true || ["LENIENT", "NON_EXTENSIBLE"].contains(mode)
    addConditions(of: parsed, at: [], ignoresOrder)
  }

  private static func json(_ value: JSONValue) -> JSONValue? {
    guard let text = value.stringValue else { return value }
    return try? JSONValue(parsing: Array(text.utf8), limits: JSONComparison.limits)
  }

  /// Adds the conditions of placeholders and of arrays whose order does not count.
  private mutating func addConditions(of value: JSONValue, at path: [RulePath.Step], _ ignoresOrder: Bool) {
    if let rule = WireMockPlaceholder.rule(for: value) { conditions.append((path, rule)) }
    for (key, member) in value.objectValue?.members.map({ ($0.key, $0.value) }) ?? [] {
      addConditions(of: member, at: path + [.key(key)], ignoresOrder)
    }
    guard let elements = value.arrayValue, !elements.isEmpty else { return }
    if ignoresOrder, elements.count > 1 || isOpen {
      conditions.append((path, unordered(elements)))
    } else {
      for (index, element) in elements.enumerated() {
        addConditions(of: element, at: path + [.index(index)], ignoresOrder)
      }
    }
  }

  /// An array with these elements in any order.
  private func unordered(_ elements: [JSONValue]) -> JSONValue {
    let variants = elements.enumerated().map { index, element in
      var inner = WireMockContent()
      inner.isOpen = isOpen
      inner.addConditions(of: element, at: [], true)
      return Self.variant(index, inner.conditions, isOpen: isOpen)
    }
    let contains: JSONValue = ["match": "arrayContains", "variants": .array(variants)]
    guard !isOpen else { return contains }
    let count = JSONValue.number(JSONNumber(elements.count))
    return WireMockCondition.rule([contains, ["match": "type", "min": count, "max": count]])
  }

  private static func variant(
    _ index: Int,
    _ conditions: [(path: [RulePath.Step], rule: JSONValue)],
    isOpen: Bool
  ) -> JSONValue {
    var rules: JSONObject = [:]
    if isOpen { rules["$"] = ["match": "atLeast"] }
    for (path, rule) in conditions { rules[RulePath(path).description] = rule }
    return ["index": .number(JSONNumber(index)), "rules": .object(rules)]
  }

  // MARK: Paths

  private mutating func add(path node: ManifestNode) throws {
    let path = try WireMockJSONPath(node)
    let canGrow = whole == nil && (json == nil || isOpen)
    var copy = self
    if let elements = path.elements {
      // An element of an array meets all conditions.
      var element: JSONValue?
      for term in path.terms { element = try Self.merged(term.value, at: term.path[...], into: element) }
      let list = copy.lists.firstIndex { $0.path == elements }
      let index = list.map { copy.lists[$0].variants.count } ?? 0
      let conditions = path.terms.compactMap { term in term.rule.map { (term.path, $0) } }
      let variant = Self.variant(index, conditions, isOpen: true)
      copy.json = try Self.merged(element ?? [:], at: elements[...] + [.index(index)], into: json)
      if let list {
        copy.lists[list].variants.append(variant)
      } else {
        copy.lists.append((elements, [variant]))
      }
    } else {
      for term in path.terms {
        copy.json = try Self.merged(term.value, at: term.path[...], into: copy.json)
        if let rule = term.rule { copy.conditions.append((term.path, rule)) }
      }
    }
    guard canGrow else {
      // What is there in any case need not be asked for.
      guard copy.json == json, path.elements == nil else { throw WireMockCondition.Loss(pattern: path.name) }
      return
    }
    self = copy
    isOpen = true
  }

  /// A value with another one at a path, unless there is one.
  private static func merged(
    _ value: JSONValue,
    at path: ArraySlice<RulePath.Step>,
    into json: JSONValue?
  ) throws -> JSONValue {
    let rest = path.dropFirst()
    switch path.first {
    case nil: return json ?? value
    case .key(let key)?:
      guard var object = (json ?? [:]).objectValue else { break }
      object[key] = try merged(value, at: rest, into: object[key])
      return .object(object)
    case .index(let index)?:
      guard var array = (json ?? []).arrayValue, index <= array.count else { break }
      let element = try merged(value, at: rest, into: index < array.count ? array[index] : nil)
      if index < array.count { array[index] = element } else { array.append(element) }
      return .array(array)
    default: break
    }
    throw WireMockCondition.Loss(pattern: "matchesJsonPath, for which there is no example")
  }

  private mutating func addRules(of json: JSONValue) {
    if isOpen, !conditions.contains(where: { $0.path.isEmpty }) { rules.append(.init("body$", "atLeast")) }
    for (path, rule) in conditions {
      // Where something below was asked for, that says enough.
      if rule == WireMockCondition.anything, let value = json.value(at: path[...]), value.isContainer {
        continue
      }
      rules.append(.init(WireMockRequest.place(path), rule))
    }
    for (path, variants) in lists {
      rules.append(
        .init(WireMockRequest.place(path), ["match": "arrayContains", "variants": .array(variants)])
      )
    }
  }
}

extension JSONValue {
  fileprivate var isContainer: Bool { objectValue != nil || arrayValue != nil }

  fileprivate func value(at path: ArraySlice<RulePath.Step>) -> JSONValue? {
    switch path.first {
    case nil: self
    case .key(let key)?: self[key]?.value(at: path.dropFirst())
    case .index(let index)?:
      arrayValue.flatMap { $0.indices.contains(index) ? $0[index].value(at: path.dropFirst()) : nil }
    default: nil
    }
  }
}
