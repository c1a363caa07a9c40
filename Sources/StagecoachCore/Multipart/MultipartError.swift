/// Why parts cannot be sent as a multipart body.
@nonexhaustive
public enum MultipartError: Error, Sendable, Hashable {
  /// GET and HEAD carry no content.
  case methodWithoutContent(String)
  /// The media type of the whole is not `multipart/...`.
  case notMultipart(MediaType)
  /// There is no part, and only a form may have none (RFC 2046 5.1.1).
  case noParts
  /// A part of a form has no name; parts are counted from 1.
  case missingName(part: Int)
  /// A name holds NUL; parts are counted from 1.
  case invalidName(part: Int)
  /// The boundary is not 1 to 70 of the characters of RFC 2046 5.1.1, or ends in a space.
  case invalidBoundary(String)
  /// A part in memory holds the boundary, which would end it early; parts are counted from 1.
  case boundaryInContent(part: Int)
}

extension MultipartError: CustomStringConvertible {
  /// What is wrong and where, for a person.
  public var description: String {
    switch self {
    case .methodWithoutContent(let method):
      "A \(method) request carries no content: send parts with POST, PUT or PATCH."
    case .notMultipart(let type): "The media type \(type) is not multipart."
    case .noParts: "There are no parts, and only multipart/form-data may have none."
    case .missingName(let part): "Part \(part) has no name, which every part of a form needs."
    case .invalidName(let part): "The name or file name of part \(part) holds a NUL character."
    case .invalidBoundary(let boundary):
      "The boundary \"\(Format.oneLine(boundary))\" is not 1 to 70 letters, digits and '()+_,-./:=? characters."
    case .boundaryInContent(let part):
      "The content of part \(part) holds the boundary: give another one, or none to have it drawn at random."
    }
  }
}
