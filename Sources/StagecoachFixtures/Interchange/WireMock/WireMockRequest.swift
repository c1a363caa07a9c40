import HTTPTypes
import StagecoachCore

/// The pattern of a request: a recorded request that matches it, and the rules that make others match.
struct WireMockRequest {
  private let node: ManifestNode
  private(set) var rules: [Scenario.Rule] = []
  /// The names of the patterns that have no rule.
  private(set) var losses: [String] = []

  init(_ node: ManifestNode) {
    self.node = node
  }

  /// A request that matches; `nil` if there is none for the pattern of its path.
  mutating func request() throws -> Scenario.Request? {
    var method = try node.member("method")?.string() ?? "ANY"
    if method == "ANY" {
      method = "GET"
      rules.append(.init("method", Self.regex("[A-Z]+")))
    }
    guard HTTPRequest.Method(method) != nil else {
      throw try node.required("method").failure("\"\(method)\" is not a method")
    }
    guard let target = try target() else { return nil }
    var request = Scenario.Request(method, "{api}\(target)")
    for (name, pattern) in try node.member("headers")?.members() ?? [] {
      guard let field = HTTPField.Name(name) else {
        throw pattern.failure("\"\(name)\" is not the name of a field")
      }
      guard let (value, rule) = try condition(pattern) else {
        losses.append("headers.\(try pattern.firstKey)")
        continue
      }
      guard HTTPField.isValidValue(value) else { throw pattern.failure("not a valid value of a field") }
      request.fields.append(HTTPField(name: field, value: value))
      rules.append(.init("header.\(name)", rule ?? "equality"))
    }
    request.body = try body()
    losses += Self.unsupported.filter { node.member($0) != nil }
    return request
  }

  private static let unsupported = [
    "cookies", "formParameters", "multipartPatterns", "basicAuthCredentials", "basicAuth", "customMatcher",
    "pathParameters", "host", "port", "scheme",
  ]

  // MARK: Targets

  /// A path with the parameters that are required. WireMock compares all of `url` and `urlPattern`; with the others, any
  /// further parameters of a query match.
  private mutating func target() throws -> String? {
    var target: String
    var hasOtherParameters = true
    if let url = node.member("url") {
      target = try url.string()
      hasOtherParameters = false
    } else if let path = node.member("urlPath") {
      target = try path.string()
    } else if let template = node.member("urlPathTemplate") {
      // A variable is a segment.
      let text = try template.string()
      target = text.replacing("{", with: "").replacing("}", with: "")
      rules.append(.init("path", Self.regex(Self.pattern(ofTemplate: text))))
    } else if let pattern = node.member("urlPathPattern") {
      guard let path = try path(pattern.string()) else { return nil }
      target = path
    } else if let pattern = node.member("urlPattern") {
      let (text, query) = Self.parts(ofPattern: try pattern.string())
      guard let path = try path(text) else { return nil }
      if query != nil { losses.append("urlPattern, as far as it is of the query") }
      hasOtherParameters = try query != nil || TextPattern(text).matches("\(path)?a=b")
      target = path
    } else {
      target = "/"
      rules.append(.init("path", Self.regex(".*")))
    }
    guard target.hasPrefix("/") else { throw node.failure("expected a path that begins with /") }
    var parameters: [String] = []
    for (name, pattern) in try node.member("queryParameters")?.members() ?? [] {
      guard let (value, rule) = try condition(pattern) else {
        losses.append("queryParameters.\(try pattern.firstKey)")
        continue
      }
      parameters.append("\(name.percentEncoded(.unreserved))=\(value.percentEncoded(.unreserved))")
      if let rule { rules.append(.init("query.\(name)", rule)) }
    }
    if !parameters.isEmpty {
      target += (target.contains("?") ? "&" : "?") + parameters.joined(separator: "&")
    }
    if hasOtherParameters { rules.append(.init("query", "values")) }
    return target
  }

  /// A path that matches a regular expression; `nil` if none is found.
  private mutating func path(_ pattern: String) throws -> String? {
    let sample = Self.sample(of: pattern)
    guard
      let path = [sample, sample.map { "/\($0)" }, "/"].compactMap(\.self).first(where: {
        $0.hasPrefix("/") && (try? TextPattern(pattern).matches($0)) == true
      })
    else { return nil }
    rules.append(.init("path", Self.regex(pattern)))
    return path
  }

  /// The parts of a regular expression for the path and the query.
  private static func parts(ofPattern text: String) -> (path: String, query: String?) {
    guard let mark = text.firstRange(of: "\\?") else { return (text, nil) }
    return (String(text[..<mark.lowerBound]), String(text[mark.upperBound...]))
  }

  private static func pattern(ofTemplate text: String) -> String {
    var pattern = ""
    var isVariable = false
    for character in text {
      switch character {
      case "{":
        isVariable = true
        pattern += "[^/]+"
      case "}": isVariable = false
      case _ where isVariable: break
      case ".", "+", "*", "(", ")", "[", "]", "$", "^", "|", "?", "\\": pattern += "\\\(character)"
      default: pattern.append(character)
      }
    }
    return pattern
  }

  // MARK: Conditions

  /// A value that meets a condition, and the rule for others, which is not needed if it has to be equal; `nil` if there
  /// is no rule.
  private func condition(_ node: ManifestNode) throws -> (String, JSONValue?)? {
    if let value = node.member("equalTo") {
      return node.value["caseInsensitive"]?.boolValue == true ? nil : (try value.string(), nil)
    }
    if let pattern = node.member("matches") {
      let text = try pattern.string()
      if let sample = Self.sample(of: text) { return (sample, Self.regex(text)) }
    } else if let part = node.member("contains") {
      let text = try part.string()
      return (text, ["match": "include", "value": .string(text)])
    }
    return nil
  }

  /// The content: of several patterns the first one that has a rule counts.
  private mutating func body() throws -> Scenario.Body? {
    // Without a pattern, any content matches.
    var any = Scenario.Body(Bytes())
    any.omission = Scenario.Body.Omission(bytes: 0, reason: "any content matches")
    var found: Scenario.Body?
    for pattern in try node.member("bodyPatterns")?.elements() ?? [] {
      guard found == nil, let body = try body(pattern) else {
        losses.append("bodyPatterns.\(try pattern.firstKey)")
        continue
      }
      found = body
    }
    return found ?? any
  }

  private mutating func body(_ pattern: ManifestNode) throws -> Scenario.Body? {
    if let json = pattern.value["equalToJson"] {
      for name in ["ignoreArrayOrder", "ignoreExtraElements"] where pattern.value[name]?.boolValue == true {
        losses.append("bodyPatterns.\(name)")
      }
      let bytes = json.stringValue.map { Bytes($0) } ?? Bytes(json.serialized())
      guard (try? JSONValue(parsing: bytes.array)) != nil else {
        throw pattern.failure("the text of equalToJson is not JSON")
      }
      return Scenario.Body(bytes, type: "application/json").pretty()
    }
    if let xml = pattern.member("equalToXml") {
      return Scenario.Body(Bytes(try xml.string()), type: "application/xml")
    }
    if let binary = pattern.member("binaryEqualTo") {
      guard let bytes = Bytes(base64: try binary.string()) else {
        throw binary.failure("the text is not Base64")
      }
      return Scenario.Body(bytes)
    }
    guard ["equalTo", "matches", "contains"].contains(where: { pattern.member($0) != nil }),
      let (value, rule) = try condition(pattern)
    else { return nil }
    if let rule { rules.append(.init("body$", rule)) }
    return Scenario.Body(Bytes(value), type: "text/plain")
  }

  private static func regex(_ text: String) -> JSONValue { ["match": "regex", "regex": .string(text)] }

  /// A text that matches; `nil` if none is found.
  private static func sample(of pattern: String) -> String? {
    try? RegexSample(pattern).text(in: GeneratorContext(randomSource: SeededRandom(seed: 1)))
  }
}

extension ManifestNode {
  fileprivate var firstKey: String { get throws { try members().first?.key ?? "" } }
}
