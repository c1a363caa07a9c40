package import HTTPTypes
import StagecoachFormats

/// The fields of a service as a server shows them that stands in for it.
package enum UpstreamFields {
  /// Makes redirects to the service relative, and removes its domain from cookies.
  package static func local(_ fields: HTTPFields, base: String) -> HTTPFields {
    HTTPFields(
      fields.map { field in
        switch field.name {
        case .location, .contentLocation:
          let octets = field.octets
          guard octets.starts(with: base.utf8) else { return field }
          let rest = octets.dropFirst(base.utf8.count)
          guard rest.first.map({ "/?#".utf8.contains($0) }) ?? true else { return field }
          let slash = UInt8(ascii: "/")
          return HTTPField(name: field.name, value: rest.first == slash ? Array(rest) : [slash] + rest)
        case .setCookie:
          let semicolon = UInt8(ascii: ";")
          let parts = field.octets.split(separator: semicolon, omittingEmptySubsequences: false).filter {
            part in
            !String(decoding: part.drop { $0 == 0x20 }, as: UTF8.self).lowercased().hasPrefix("domain=")
          }
          return HTTPField(name: field.name, value: Array(parts.joined(separator: [semicolon])))
        default: return field
        }
      }
    )
  }
}
