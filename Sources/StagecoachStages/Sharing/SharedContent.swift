import HTTPTypes
import StagecoachCore

/// What shows whether another response has the content of a shared one.
struct SharedContent {
  private static let descriptions: [HTTPField.Name] = [.contentEncoding, .contentLength, .contentType]
  private static let validators: [HTTPField.Name] = [.eTag, .lastModified]

  private let head: HTTPResponse

  init(_ head: HTTPResponse) { self.head = head }

  /// Whether two responses that agree in the validators have the same octets (RFC 9110 8.8.1, 8.8.2.2).
  var hasStrongValidator: Bool {
    let fields = head.headerFields
    if let tag = fields.first(of: .eTag) { return !tag.hasPrefix("W/") }
    guard let modified = fields.first(of: .lastModified).flatMap({ HTTPDate($0) }),
      let sent = fields.first(of: .date).flatMap({ HTTPDate($0) })
    else { return false }
    // A date has a resolution of seconds, and does not show changes within a second.
    return sent.secondsSince1970 > modified.secondsSince1970
  }

  /// Whether the content of another response can take the place of this one, from the first byte on without a strong
  /// validator, from any byte on with one.
  func agrees(with other: HTTPResponse) -> Bool {
    let names = hasStrongValidator ? Self.descriptions + Self.validators : Self.descriptions
    return head.status.code == other.status.code
      && names.allSatisfy { head.headerFields.first(of: $0) == other.headerFields.first(of: $0) }
  }
}
