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

extension [Mismatch] {
  private struct Place: Hashable {
    let kind: Mismatch.Kind
    let path: String

    init(_ mismatch: Mismatch) { (kind, path) = (mismatch.kind, mismatch.path) }
  }

  /// Returns those whose places also differ in another comparison.
  func kept(in others: [Mismatch]) -> [Mismatch] {
    let places = Set(others.map(Place.init))
    return filter { places.contains(Place($0)) }
  }

  /// Returns the mismatches with the texts that those at the same places have in a comparison without secrets.
  func shown(in visible: [Mismatch]) -> [Mismatch] {
    var texts = Dictionary(grouping: visible.reversed(), by: Place.init)
    return map { mismatch in
      if let text = texts[Place(mismatch)]?.popLast() { return text }
      let text = "Expected another value, which is a secret"
      return Mismatch(mismatch.kind, path: mismatch.path, expected: nil, actual: nil, message: text)
    }
  }
}
