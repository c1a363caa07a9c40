package import HTTPTypes

/// A strong validator of a representation, which allows its parts to be combined (RFC 9110
/// 13.1.5).
package enum RepresentationValidator: Sendable, Hashable {
  /// A strong entity tag, with its quotes.
  case entityTag(String)
  /// A Last-Modified at least one second before Date: within that second the content may have changed again.
  case lastModified(String)

  /// Reads the validator of a response; `nil` if it has none that is strong.
  package init?(_ head: HTTPResponse) {
    if head.headerFields.contains(.eTag) {
      guard let tag = head.headerFields.entityTag, !tag.isWeak, let text = tag.text else { return nil }
      self = .entityTag(text)
      return
    }
    guard let text = head.headerFields.first(of: .lastModified), let modified = HTTPDate(text),
      let date = head.headerFields.first(of: .date).flatMap({ HTTPDate($0) }),
      date.secondsSince1970 - modified.secondsSince1970 >= 1
    else { return nil }
    self = .lastModified(text)
  }

  /// The value of If-Range.
  package var field: String {
    switch self {
    case .entityTag(let tag): tag
    case .lastModified(let date): date
    }
  }

  /// The name of the field that it stands in.
  package var fieldName: HTTPField.Name {
    switch self {
    case .entityTag: .eTag
    case .lastModified: .lastModified
    }
  }

  /// Whether a response can have it: an archive may say anything.
  package var isWellFormed: Bool {
    switch self {
    case .entityTag(let tag): tag.withUTF8Bytes { EntityTag($0[...]) }?.isWeak == false
    case .lastModified(let date): HTTPDate(date) != nil
    }
  }

  /// Returns whether a part (206) is of this version (RFC 9110 15.3.7.3). It has to repeat an entity tag, but not a
  /// Last-Modified, which a server leaves out of the answer to If-Range (RFC 9110 15.3.7).
  package func isShared(by head: HTTPResponse) -> Bool {
    switch self {
    case .entityTag(let tag): head.headerFields.entityTag?.text == tag
    case .lastModified(let date): head.headerFields.first(of: .lastModified).map { $0 == date } ?? true
    }
  }

  /// Returns whether a response has the field that tells versions apart, with any value.
  package func isComparable(with head: HTTPResponse) -> Bool { head.headerFields.contains(fieldName) }
}

/// An object with one member, named after the field.
extension RepresentationValidator: Codable {
  private enum CodingKeys: String, CodingKey {
    case entityTag = "etag"
    case lastModified = "last-modified"
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let tag = try container.decodeIfPresent(String.self, forKey: .entityTag) {
      self = .entityTag(tag)
    } else {
      self = .lastModified(try container.decode(String.self, forKey: .lastModified))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .entityTag(let tag): try container.encode(tag, forKey: .entityTag)
    case .lastModified(let date): try container.encode(date, forKey: .lastModified)
    }
  }
}
