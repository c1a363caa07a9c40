import StagecoachCore

extension WireMockRequest {
  /// A path with the parameters that are required. WireMock compares all of `url` and `urlPattern`; with the others, any
  /// further parameters of a query match.
  mutating func target() throws -> String {
    var hasOtherParameters = true
    var target: String
    if let url = node.member("url") {
      target = try url.string()
      hasOtherParameters = false
    } else if let path = node.member("urlPath") {
      target = try path.string()
    } else if let template = node.member("urlPathTemplate") {
      target = try path(ofTemplate: template.string())
    } else if let pattern = node.member("urlPathPattern") {
      target = try path(ofPattern: pattern.string())
    } else if let pattern = node.member("urlPattern") {
      let text = try pattern.string()
      target = try pathAndQuery(ofPattern: text)
      let longer = target + (target.contains("?") ? "&" : "?") + "zz=1"
      hasOtherParameters = (try? TextPattern(text).matches(longer)) == true
    } else {
      target = "/"
      rules.append(.init("path", WireMockCondition.regex(".*")))
    }
    guard target.hasPrefix("/") else {
      throw Obstacle(reason: "no request has the URL \"\(target)\", which does not begin with /")
    }
    var parameters: [(name: String, value: String)] = []
    for (name, pattern) in try node.member("queryParameters")?.members() ?? [] {
      if !hasOtherParameters, pattern.value["absent"]?.boolValue == true { continue }
      let conditions = try conditions(pattern, "queryParameters")
      parameters += conditions.map { (name, $0.example) }
      if let rule = conditions.first?.rule { rules.append(.init("query.\(name)", rule)) }
    }
    if !parameters.isEmpty { target += (target.contains("?") ? "&" : "?") + Self.query(parameters) }
    if hasOtherParameters { rules.append(.init("query", "values")) }
    return target
  }

  // MARK: Expressions

  private mutating func path(ofPattern pattern: String) throws -> String {
    rules.append(.init("path", WireMockCondition.regex(pattern)))
    do {
      let compiled = try TextPattern(pattern)
      if let path = try? WireMockCondition.example(of: pattern, Self.isPath) { return path }
      // What begins with anything needs no slash.
      if let path = try ["/", "/a"].first(where: { try compiled.matches($0) }) { return path }
      if let part = try? WireMockCondition.example(of: pattern, { Self.isPath("/\($0)") }),
        try compiled.matches("/\(part)")
      {
        return "/\(part)"
      }
    } catch let error as TextPatternError {
      throw Obstacle(reason: error.description)
    }
    throw Obstacle(reason: "there is no path for the regular expression of its URL, '\(pattern)'")
  }

  private static func isPath(_ text: String) -> Bool {
    text.hasPrefix("/")
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !#""<>?#[]\^`{|}"#.utf8.contains($0) }
  }

  /// A path and a query; where the query is another expression than one of parameters, it is lost.
  private mutating func pathAndQuery(ofPattern text: String) throws -> String {
    if let end = Self.optionalQueries.first(where: text.hasSuffix) {
      return try path(ofPattern: String(text.dropLast(end.count)))
    }
    guard let mark = text.firstRange(of: "\\?") else { return try path(ofPattern: text) }
    let path = try path(ofPattern: String(text[..<mark.lowerBound]))
    var parameters: [(name: String, value: String)] = []
    for part in Self.parts(String(text[mark.upperBound...])) where ![".*", "(.*)", ".*$"].contains(part) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = pair[0].replacing("\\", with: "")
      guard pair.count == 2, name.allSatisfy({ $0.isLetter || $0.isNumber || "_-.[]".contains($0) }),
        let value = try? WireMockCondition.example(of: String(pair[1]))
      else {
        losses.append("urlPattern, as far as it is of the query")
        continue
      }
      parameters.append((String(name), value))
      rules.append(.init("query.\(name)", WireMockCondition.regex(String(pair[1]))))
    }
    return parameters.isEmpty ? path : "\(path)?\(Self.query(parameters))"
  }

  /// The ends of expressions by which there may be a query, or not.
  private static let optionalQueries = [
    #"(\?.*)?"#, #"(\?.*)?$"#, #"(?:\?.*)?"#, #"(?:\?.*)?$"#, #"(\?.+)?"#,
  ]

  /// The parts of an expression between ampersands outside of brackets.
  private static func parts(_ pattern: String) -> [String] {
    var parts = [""]
    var depth = 0
    var isEscaped = false
    for character in pattern {
      if !isEscaped, "([".contains(character) { depth += 1 }
      if !isEscaped, ")]".contains(character) { depth -= 1 }
      isEscaped = !isEscaped && character == "\\"
      if character == "&", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    return parts
  }

  // MARK: Templates

  /// A variable is a segment.
  private mutating func path(ofTemplate text: String) throws -> String {
    let patterns = try node.member("pathParameters")?.members() ?? []
    var (path, expression) = ("", "")
    for (index, part) in text.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
      guard index > 0, let end = part.firstIndex(of: "}") else {
        path += part
        expression += WireMockCondition.escaped(part)
        continue
      }
      let (name, rest) = (part[..<end], part[part.index(after: end)...])
      var (example, segment) = (String(name), "[^/]+")
      if let pattern = patterns.first(where: { $0.key == name })?.node,
        let condition = try conditions(pattern, "pathParameters", where: { Self.isPath("/\($0)") }).first
      {
        if let expression = condition.expression(without: "/") {
          (example, segment) = (condition.example, expression)
        } else {
          losses.append("pathParameters.\(try pattern.firstKey)")
        }
      }
      path += example + rest
      expression += segment + WireMockCondition.escaped(rest)
    }
    rules.append(.init("path", WireMockCondition.regex(expression)))
    return path
  }
}
