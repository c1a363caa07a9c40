/// A difference between an actual and an expected message.
package struct Mismatch: Sendable, Hashable {
  /// The kind of a mismatch.
  package enum Kind: String, Sendable, Hashable {
    /// The method.
    case method
    /// The path.
    case path
    /// A query parameter.
    case query
    /// A header field.
    case header
    /// The status code.
    case status
    /// A value of the body.
    case body
    /// The media type of the body, whose content is not compared then.
    case bodyContentType = "body-content-type"
    /// An entry of the metadata of a message.
    case metadata
  }

  /// The kind of the mismatch.
  package var kind: Kind
  /// The place: the path of a value in the body, such as `$.items[0]`, or the name of a parameter, header field or
  /// metadata entry; empty for other parts.
  package var path: String
  /// The text of the expected value; `nil` if none is expected.
  package var expected: String?
  /// The text of the actual value; `nil` if it is missing.
  package var actual: String?
  /// The sentence that describes the mismatch, in the wording of Pact.
  package var message: String

  /// Creates a mismatch.
  package init(_ kind: Kind, path: String, expected: String?, actual: String?, message: String) {
    self.kind = kind
    self.path = path
    self.expected = expected
    self.actual = actual
    self.message = message
  }

  /// The part of the message.
  package var part: MessagePart {
    switch kind {
    case .method: .method
    case .path: .path
    case .query: .query
    case .header: .header
    case .status: .status
    case .body, .bodyContentType: .body
    case .metadata: .metadata
    }
  }
}

extension Mismatch: CustomStringConvertible {
  /// The place and the sentence.
  package var description: String {
    path.isEmpty ? "\(kind.rawValue): \(message)" : "\(kind.rawValue) \(path): \(message)"
  }
}
