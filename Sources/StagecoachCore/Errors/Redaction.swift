package import HTTPTypes

/// Removes secrets from what errors, events and histories show.
package enum Redaction {
  private static let mark = "[redacted]"

  /// Fields that hold a URL.
  private static let references: Set<HTTPField.Name> = [.location, .contentLocation, .referer]

  /// The head without user information and with the values of sensitive fields and parameters replaced.
  package static func head(_ head: HTTPRequest) -> HTTPRequest {
    var copy = head
    copy.headerFields = fields(head.headerFields)
    if let path = head.path { copy.path = target(path) }
    if let authority = head.authority { copy.authority = self.authority(authority) }
    return copy
  }

  /// The head of a request without secrets, those too that only its ``RequestOptions/sensitiveFields`` name.
  package static func head(of request: Request) -> HTTPRequest {
    var head = head(request.head)
    // Of a request without a complete target that is all there is to tell.
    if let reference = request.reference { head.path = url(reference) }
    let marked = request.options.sensitiveFields
    for index in head.headerFields.indices where marked.contains(head.headerFields[index].name) {
      head.headerFields[index].value = mark
    }
    return head
  }

  /// The head with the values of sensitive fields replaced.
  package static func head(_ head: HTTPResponse) -> HTTPResponse {
    var copy = head
    copy.headerFields = fields(head.headerFields)
    return copy
  }

  /// The fields with the values of sensitive ones replaced, and the secrets in URLs.
  package static func fields(_ fields: HTTPFields) -> HTTPFields {
    guard fields.contains(where: { SecretNames.contains($0.name) || references.contains($0.name) }) else {
      return fields
    }
    return HTTPFields(
      fields.map { field in
        if SecretNames.contains(field.name) { return HTTPField(name: field.name, value: mark) }
        guard references.contains(field.name) else { return field }
        return HTTPField(name: field.name, value: url(field.value))
      }
    )
  }

  /// A request target with the values of parameters replaced whose names speak of secrets.
  package static func target(_ target: String) -> String {
    guard let start = target.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return target }
    var result = String(target[...start])
    var rest = target[target.index(after: start)...]
    while true {
      let end = rest.firstIndex { $0 == "&" || $0 == "#" } ?? rest.endIndex
      let pair = rest[..<end]
      if let equals = pair.firstIndex(of: "="), SecretNames.contains(parameter: pair[..<equals]) {
        result += pair[...equals] + mark
      } else {
        result += pair
      }
      guard end < rest.endIndex else { return result }
      result.append(rest[end])
      rest = rest[rest.index(after: end)...]
    }
  }

  /// An authority without user information.
  private static func authority(_ authority: some StringProtocol) -> String {
    guard let at = authority.lastIndex(of: "@") else { return String(authority) }
    return mark + authority[at...]
  }

  /// A form (`application/x-www-form-urlencoded`) with the values of entries replaced whose names speak of secrets.
  static func form(_ text: String) -> String {
    String(target("?" + text).dropFirst())
  }

  /// A JSON text with the values of members replaced whose names speak of secrets.
  static func json(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map(json))
    case .object(var object):
      for index in object.members.indices {
        let member = object.members[index]
        object.members[index].value =
          SecretNames.contains(parameter: Substring(member.key)) ? .string(mark) : json(member.value)
      }
      return .object(object)
    case .null, .bool, .number, .string: return value
    }
  }

  /// An absolute or relative URL without secrets.
  static func url(_ url: String) -> String {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].isEmpty else { return target(url) }
    var end = parts[2].firstIndex { "/?#".contains($0) } ?? parts[2].endIndex
    // Where no port is, that may be a password, and what ends the authority a part of it.
    if HostAndPort(parts[2][..<end]) == nil, let at = parts[2].lastIndex(of: "@"), at > end {
      end = parts[2][at...].firstIndex { "/?#".contains($0) } ?? parts[2].endIndex
    }
    return "\(parts[0])//\(authority(parts[2][..<end]))\(target(String(parts[2][end...])))"
  }

  /// The URL of a request without secrets; its reference if it has no complete target yet.
  package static func url(of head: HTTPRequest) -> String {
    guard let scheme = head.scheme, let authority = head.authority, let path = head.path else {
      return head.path.map { url($0) } ?? ""
    }
    return "\(scheme)://\(self.authority(authority))\(target(path))"
  }
}
