package import HTTPTypes

/// Removes secrets from what errors, events and histories show.
package enum Redaction {
  private static let mark = "[redacted]"

  private static let sensitive: Set<HTTPField.Name> = [
    .authorization, .proxyAuthorization, .cookie, .setCookie,
    HTTPField.Name("X-Api-Key")!, HTTPField.Name("Api-Key")!, HTTPField.Name("X-Auth-Token")!,
    HTTPField.Name("X-Amz-Security-Token")!,
  ]

  private static let words = [
    "token", "secret", "password", "passwd", "pwd", "signature", "api_key", "apikey", "api-key", "auth",
    "credential", "session", "jwt",
  ]
  private static let names: Set<String> = ["sig", "key", "code", "pass"]

  /// The head with the values of sensitive fields and query parameters replaced.
  package static func head(_ head: HTTPRequest) -> HTTPRequest {
    var copy = head
    copy.headerFields = fields(head.headerFields)
    if let path = head.path { copy.path = target(path) }
    return copy
  }

  /// The head with the values of sensitive fields replaced.
  package static func head(_ head: HTTPResponse) -> HTTPResponse {
    var copy = head
    copy.headerFields = fields(head.headerFields)
    return copy
  }

  /// The fields with the values of sensitive ones replaced.
  package static func fields(_ fields: HTTPFields) -> HTTPFields {
    guard fields.contains(where: { sensitive.contains($0.name) }) else { return fields }
    return HTTPFields(
      fields.map { sensitive.contains($0.name) ? HTTPField(name: $0.name, value: mark) : $0 }
    )
  }

  /// A request target with the values of query parameters replaced whose names speak of secrets.
  package static func target(_ target: String) -> String {
    guard let mark = target.firstIndex(of: "?") else { return target }
    let query = target[target.index(after: mark)...]
    let pairs = query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      guard let equals = pair.firstIndex(of: "="), isSensitive(pair[..<equals]) else { return String(pair) }
      return pair[...equals] + Self.mark
    }
    return target[...mark] + pairs.joined(separator: "&")
  }

  private static func isSensitive(_ name: Substring) -> Bool {
    let name = name.lowercased()
    return names.contains(name) || words.contains { name.contains($0) }
  }

  /// The URL of a request without secrets.
  package static func url(of head: HTTPRequest) -> String {
    "\(head.scheme ?? "")://\(head.authority ?? "")\(target(head.path ?? ""))"
  }
}
