package import HTTPTypes

/// Removes secrets from errors, events and histories.
package enum Redaction {
  static let mark = "[redacted]"

  /// Fields that contain a URL.
  private static let references: Set<HTTPField.Name> = [.location, .contentLocation, .referer]

  /// Returns the head without user information, with the values of sensitive fields and parameters replaced.
  package static func head(_ head: HTTPRequest) -> HTTPRequest {
    var copy = head
    copy.headerFields = fields(head.headerFields)
    if let path = head.path { copy.path = target(path) }
    if let authority = head.authority { copy.authority = self.authority(authority) }
    return copy
  }

  /// Returns the head with the values of sensitive fields replaced.
  package static func head(_ head: HTTPResponse) -> HTTPResponse {
    var copy = head
    copy.headerFields = fields(head.headerFields)
    return copy
  }

  /// Returns the fields with the values of sensitive fields and the secrets in URLs replaced.
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

  /// Returns a request target with the values of secret parameters replaced.
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

  /// Returns an authority without user information.
  private static func authority(_ authority: some StringProtocol) -> String {
    guard let at = authority.lastIndex(of: "@") else { return String(authority) }
    return mark + authority[at...]
  }

  /// Returns a form (`application/x-www-form-urlencoded`) with the values of secret entries replaced.
  package static func form(_ text: String) -> String {
    String(target("?" + text).dropFirst())
  }

  /// Returns a JSON value with the values of secret members replaced.
  package static func json(_ value: JSONValue) -> JSONValue {
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

  /// Returns an absolute or relative URL without secrets.
  package static func url(_ url: String) -> String {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].isEmpty else { return target(url) }
    var end = parts[2].firstIndex { "/?#".contains($0) } ?? parts[2].endIndex
    // Text in place of a port may be a password, and the end of the authority may be part of it.
    if !hasPort(parts[2][..<end]), let at = parts[2].lastIndex(of: "@"), at > end {
      end = parts[2][at...].firstIndex { "/?#".contains($0) } ?? parts[2].endIndex
    }
    return "\(parts[0])//\(authority(parts[2][..<end]))\(target(String(parts[2][end...])))"
  }

  /// Returns whether the first colon after the host is followed by a port or by nothing.
  private static func hasPort(_ authority: Substring) -> Bool {
    let host = authority.first == "[" ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
    let rest = authority[host.endIndex...]
    guard authority.first != "[" || rest.first == "]" else { return false }
    let port = rest.drop { $0 == "]" }.dropFirst()
    return port.utf8.allSatisfy { (0x30...0x39).contains($0) } && (Int(port) ?? 0) <= 0xffff
  }

  /// Returns the URL of a request without secrets; its reference if its target is not complete yet.
  package static func url(of head: HTTPRequest) -> String {
    guard let scheme = head.scheme, let authority = head.authority, let path = head.path else {
      return head.path.map { url($0) } ?? ""
    }
    return "\(scheme)://\(self.authority(authority))\(target(path))"
  }
}
