import HTTPTypes
import StagecoachCore

/// The fields that show whether another response has the same content.
struct SharedContent {
  private static let standard: [HTTPField.Name] = [
    .contentEncoding, .contentLength, .contentType, .eTag, .lastModified,
  ]
  /// Of RFC 9530, and their predecessors.
  private static let digests = ["Content-Digest", "Repr-Digest", "Digest", "Content-MD5"]
    .compactMap { HTTPField.Name($0) }
  private static let names = standard + digests

  private let head: HTTPResponse

  init(_ head: HTTPResponse) { self.head = head }

  /// Whether two responses that agree in the validators have the same octets (RFC 9110 8.8.1, 8.8.2.2).
  var hasStrongValidator: Bool { RepresentationValidator(head) != nil }

  /// Whether the content of another response can take the place of this one, from the first byte on without a strong
  /// validator, from any byte on with one.
  func agrees(with other: HTTPResponse) -> Bool {
    head.status.code == other.status.code
      && Self.names.allSatisfy { head.headerFields.first(of: $0) == other.headerFields.first(of: $0) }
  }
}
