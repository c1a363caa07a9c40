import HTTPTypes
import StagecoachCore

/// The pattern of a request: a recorded request that matches it, and the rules that make others match.
struct WireMockRequest {
  /// Why there is no request that matches.
  struct Obstacle: Error {
    let reason: String
  }

  let node: ManifestNode
  var rules: [Scenario.Rule] = []
  /// The patterns that have no rule.
  var losses: [String] = []

  init(_ node: ManifestNode) {
    self.node = node
  }

  private static let unsupported = [
    "multipartPatterns", "customMatcher", "host", "port", "scheme", "clientIp", "inlineCustomMatcher",
  ]

  /// A request that matches.
  ///
  /// - Throws: ``Obstacle`` if there is none, or `ManifestNode.Failure` if the pattern is malformed.
  mutating func request() throws -> Scenario.Request {
    let method = try method()
    var request = Scenario.Request(method, "{api}\(try target())")
    for (name, pattern) in try node.member("headers")?.members() ?? [] {
      guard let field = HTTPField.Name(name) else {
        throw pattern.failure("\"\(name)\" is not the name of a field")
      }
      let conditions = try conditions(pattern, "headers", where: HTTPField.isValidValue)
      for condition in conditions {
        guard HTTPField.isValidValue(condition.example) else {
          throw pattern.failure("not a valid value of a field")
        }
        request.fields.append(HTTPField(name: field, value: condition.example))
      }
      if let condition = conditions.first {
        rules.append(.init("header.\(name)", condition.rule ?? "equality"))
      }
    }
    try addCookies(to: &request)
    try addCredentials(to: &request)
    request.body = try body()
    // A form is not told by what it looks like.
    if let type = request.body?.type, type.contains("form"), request.fields[.contentType] == nil {
      request.fields.append(HTTPField(name: .contentType, value: type))
    }
    losses += Self.unsupported.filter { node.member($0) != nil }
    return request
  }

  private mutating func method() throws -> String {
    let method = try node.member("method")?.string() ?? "ANY"
    switch method {
    case "ANY":
      rules.append(.init("method", WireMockCondition.regex("[A-Z]+")))
      return "GET"
    case "GET_OR_HEAD":
      rules.append(.init("method", WireMockCondition.regex("GET|HEAD")))
      return "GET"
    default:
      guard HTTPRequest.Method(method) != nil else {
        throw try node.required("method").failure("\"\(method)\" is not a method")
      }
      return method
    }
  }

  /// The conditions of the values of a parameter or field: one, or some for values that are equal; none if there is no
  /// rule, which is told.
  mutating func conditions(
    _ pattern: ManifestNode,
    _ part: String,
    where isUsable: (String) -> Bool = { _ in true }
  ) throws -> [WireMockCondition] {
    do {
      guard let list = pattern.member("hasExactly") else {
        return [try WireMockCondition(pattern, where: isUsable)]
      }
      let conditions = try list.elements().map { try WireMockCondition($0, where: isUsable) }
      guard conditions.count == 1 || conditions.allSatisfy({ $0.rule == nil }) else {
        throw WireMockCondition.Loss(pattern: "hasExactly")
      }
      return conditions
    } catch let loss as WireMockCondition.Loss {
      losses.append("\(part).\(loss.pattern)")
      return []
    }
  }

  /// A cookie is a part of a field, in any place.
  private mutating func addCookies(to request: inout Scenario.Request) throws {
    var (pairs, expressions): ([String], [JSONValue]) = ([], [])
    for (name, pattern) in try node.member("cookies")?.members() ?? [] {
      for condition in try conditions(pattern, "cookies", where: { !$0.contains(";") }) {
        let pair = "\(name)=\(condition.example)"
        guard let value = condition.expression(without: ";"), HTTPField.isValidValue(pair) else {
          losses.append("cookies.\(try pattern.firstKey)")
          continue
        }
        pairs.append(pair)
        let name = WireMockCondition.escaped(name)
        expressions.append(WireMockCondition.regex(#"(?:.*;\s*)?\#(name)=\#(value)(?:\s*;.*)?"#))
      }
    }
    guard !pairs.isEmpty else { return }
    request.fields.append(HTTPField(name: .cookie, value: pairs.joined(separator: "; ")))
    rules.append(.init("header.Cookie", WireMockCondition.rule(expressions)))
  }

  private mutating func addCredentials(to request: inout Scenario.Request) throws {
    guard let credentials = node.member("basicAuthCredentials") ?? node.member("basicAuth") else { return }
    let (user, password) = (try credentials.required("username"), try credentials.required("password"))
    let text = try "\(user.string()):\(password.string())"
    request.fields.append(
      HTTPField(
        name: .authorization,
        value: "Basic " + String(decoding: Base64.encode(Array(text.utf8)), as: UTF8.self)
      )
    )
    rules.append(.init("header.Authorization", "equality"))
  }

  /// The content: a form, or what the patterns of the body say. Without a pattern, any content matches.
  private mutating func body() throws -> Scenario.Body? {
    if let form = try form() { return form }
    var content = WireMockContent()
    for pattern in try node.member("bodyPatterns")?.elements() ?? [] {
      do {
        try content.add(pattern)
      } catch let loss as WireMockCondition.Loss {
        losses.append("bodyPatterns.\(loss.pattern)")
      }
    }
    let body = content.body()
    rules += content.rules
    losses += content.losses
    return body
  }

  private mutating func form() throws -> Scenario.Body? {
    var pairs: [(name: String, value: String)] = []
    for (name, pattern) in try node.member("formParameters")?.members() ?? [] {
      let conditions = try conditions(pattern, "formParameters")
      pairs += conditions.map { (name, $0.example) }
      if let rule = conditions.first?.rule { rules.append(.init(Self.place([.key(name)]), rule)) }
    }
    guard !pairs.isEmpty else { return nil }
    rules.append(.init("body$", "atLeast"))
    return Scenario.Body(Bytes(Self.query(pairs)), type: "application/x-www-form-urlencoded")
  }

  /// The key of a rule for a value of the content.
  static func place(_ steps: [RulePath.Step]) -> String { "body\(RulePath(steps))" }

  static func query(_ pairs: [(name: String, value: String)]) -> String {
    pairs.map { "\($0.name.percentEncoded(.unreserved))=\($0.value.percentEncoded(.unreserved))" }
      .joined(separator: "&")
  }
}
