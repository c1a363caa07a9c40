package import HTTPTypes
package import StagecoachCore
import StagecoachFormats

/// A service that a server stands in for: an origin, with the path of a base URL.
package struct ServedService: Sendable, Hashable {
  /// The URL without a trailing slash.
  package let url: String
  let scheme: String
  package let authority: String
  /// The path of the URL; empty for the root.
  package let prefix: String

  package init(_ url: String) {
    self.url = url
    // Not parsed as a URL: targets are compared as they were recorded.
    let service = LiveRequest(method: "GET", url: url, fields: [:], body: Bytes())
    (scheme, authority) = (service.scheme, service.authority)
    prefix = service.path == "/" ? "" : String(service.path)
  }

  private var origin: String { "\(scheme)://\(authority)" }

  /// Whether a request names the host of the service, as it does behind a changed address: then its path is that of the
  /// service. Otherwise it names the server, whose root stands for the URL.
  ///
  /// The port may be another one, unless the URL has one.
  package func isNamed(by request: Request) -> Bool {
    guard let own = HostAndPort(authority), let asked = HostAndPort(request.head.authority ?? "") else {
      return false
    }
    return own.name == asked.name && (own.port == nil || own.port == asked.port)
  }

  /// Returns the path of a request at the service.
  package func path(of request: Request) -> String {
    let path = request.head.path ?? "/"
    return path == "*" || isNamed(by: request) && covers(path) ? path : prefix + path
  }

  func covers(_ path: String) -> Bool { path.dropping(prefix) != nil }

  /// Returns the fields of a response as the client of the server sees them: redirects to the service lead to the server,
  /// and its cookies are for the server.
  ///
  /// The server speaks HTTP without TLS, over which a client does not send back what is `Secure`. A browser does to this
  /// machine.
  package func local(_ fields: HTTPFields, for request: Request) -> HTTPFields {
    let isNamed = isNamed(by: request)
    let dropsSecure = scheme == "https" && !request.fields.contains(Self.fetchSite)
    return HTTPFields(
      fields.map { field in
        switch field.name {
        case .location, .contentLocation: location(field, isNamed)
        case .setCookie: cookie(field, isNamed, dropsSecure)
        default: field
        }
      }
    )
  }

  private func location(_ field: HTTPField, _ isNamed: Bool) -> HTTPField {
    let octets = field.octets
    var path = octets[...]
    for origin in [origin, "//\(authority)"] where octets.starts(with: origin.utf8) {
      path = octets.dropFirst(origin.utf8.count)
      guard path.first.map({ "/?#".utf8.contains($0) }) ?? true else { return field }
    }
    let isOfOrigin = path.count != octets.count
    // Another host.
    guard isOfOrigin || !path.starts(with: "//".utf8) else { return field }
    if isNamed { return isOfOrigin ? HTTPField(name: field.name, value: Self.rooted(path)) : field }
    guard isOfOrigin || path.first == Self.slash, path.starts(with: prefix.utf8) else { return field }
    let rest = path.dropFirst(prefix.utf8.count)
    guard prefix.isEmpty || (rest.first.map { "/?#".utf8.contains($0) } ?? true) else { return field }
    return HTTPField(name: field.name, value: Self.rooted(rest))
  }

  private static let slash = UInt8(ascii: "/")
  private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!

  private static func rooted(_ path: ArraySlice<UInt8>) -> [UInt8] {
    path.first == slash ? Array(path) : [slash] + path
  }

  private func cookie(_ field: HTTPField, _ isNamed: Bool, _ dropsSecure: Bool) -> HTTPField {
    let semicolon = UInt8(ascii: ";")
    // Names that promise the attribute (RFC 6265bis 4.1.3).
    let needsSecure = field.value.hasPrefix("__Secure-") || field.value.hasPrefix("__Host-")
    let parts = field.octets.split(separator: semicolon, omittingEmptySubsequences: false)
    let attributes = parts.dropFirst().compactMap { part -> [UInt8]? in
      let attribute = String(decoding: part.drop { $0 == 0x20 }, as: UTF8.self)
      let name = attribute.prefix { $0 != "=" }.lowercased()
      if name == "secure", dropsSecure, !needsSecure { return nil }
      guard !isNamed else { return Array(part) }
      guard name != "domain" else { return nil }
      guard name == "path", let rest = String(attribute.dropFirst(5)).dropping(prefix) else {
        return Array(part)
      }
      return Array(" Path=\(rest.hasPrefix("/") ? "" : "/")\(rest)".utf8)
    }
    return HTTPField(
      name: field.name,
      value: Array((parts.prefix(1).map { Array($0) } + attributes).joined(separator: [semicolon]))
    )
  }
}

extension String {
  /// The text without a path that precedes it; `nil` if none does.
  fileprivate func dropping(_ prefix: String) -> Substring? {
    guard hasPrefix(prefix) else { return nil }
    let rest = dropFirst(prefix.count)
    return rest.first.map { "/?".contains($0) } ?? true ? rest : nil
  }
}

extension Scenario {
  /// The services whose exchanges the scenario holds, those with short names first, and how many exchanges.
  package var services: [(service: ServedService, exchanges: Int)] {
    var order = origins.map { ServedService($0.origin) }
    var counts: [ServedService: Int] = [:]
    for exchange in exchanges {
      let target = exchange.request.target
      let alias = Self.alias(in: target).flatMap { name in origins.first { $0.name == name } }
      let service = ServedService(alias?.origin ?? String(parts(of: target).origin))
      if !order.contains(service) { order.append(service) }
      counts[service, default: 0] += 1
    }
    let known = order.filter { counts[$0] != nil }
    return (known.isEmpty ? order : known).map { ($0, counts[$0] ?? 0) }
  }
}
