package import HTTPTypes

/// The fields of a service as a server shows them that stands in for it.
package enum UpstreamFields {
  /// Makes redirects to the service relative, and removes its domain from cookies.
  package static func local(_ fields: HTTPFields, base: String) -> HTTPFields {
    HTTPFields(
      fields.map { field in
        switch field.name {
        case .location, .contentLocation:
          guard field.value.hasPrefix(base) else { return field }
          let rest = field.value.dropFirst(base.count)
          guard rest.first.map({ "/?#".contains($0) }) ?? true else { return field }
          return HTTPField(name: field.name, value: rest.first == "/" ? String(rest) : "/\(rest)")
        case .setCookie:
          let parts = field.value.split(separator: ";", omittingEmptySubsequences: false).filter { part in
            !part.drop { $0 == " " }.lowercased().hasPrefix("domain=")
          }
          return HTTPField(name: field.name, value: parts.joined(separator: ";"))
        default: return field
        }
      }
    )
  }
}
