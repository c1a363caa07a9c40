/// An error of a multipart body (RFC 2046 5.1): parts that cannot be sent, or content that cannot be read.
@nonexhaustive
public enum MultipartError: Error, Sendable, Hashable {
  /// The method, GET or HEAD, has no content.
  case methodWithoutContent(String)
  /// The media type of the body is not `multipart/...`.
  case notMultipart(MediaType)
  /// There are no parts, which is only allowed in a form (RFC 2046 5.1.1).
  case noParts
  /// A part of a form has no name; parts are numbered from 1.
  case missingName(part: Int)
  /// A name contains NUL; parts are numbered from 1.
  case invalidName(part: Int)
  /// The boundary is not 1 to 70 of the allowed characters, or ends in a space (RFC 2046 5.1.1); in content that is
  /// read, it contains CR, LF or NUL.
  case invalidBoundary(String)
  /// A part in memory contains the boundary, which would end it early; parts are numbered from 1.
  case boundaryInContent(part: Int)
  /// Content-Type is not `multipart/...` with a boundary.
  case missingBoundary
  /// The content ended without the closing boundary; `parts` had started.
  case truncated(parts: Int)
  /// A header line of a part is malformed; parts are numbered from 1.
  case invalidField(part: Int, line: String)
  /// A limit is exceeded.
  case limit(Limit, Int)

  /// A limit; see ``MultipartLimits``.
  @nonexhaustive
  public enum Limit: String, Sendable, Hashable {
    /// The number of parts.
    case partCount
    /// The size or the number of the fields of one part.
    case headSize
    /// The number of bytes before the first boundary.
    case preambleSize
    /// The length of the boundary.
    case boundaryLength
  }
}

extension MultipartError: CustomStringConvertible {
  /// A description of the error.
  public var description: String {
    switch self {
    case .methodWithoutContent(let method):
      "A \(method) request has no content: send parts with POST, PUT or PATCH."
    case .notMultipart(let type): "The media type \(type) is not multipart."
    case .noParts: "There are no parts, which is only allowed in multipart/form-data."
    case .missingName(let part): "Part \(part) has no name, which is required in a form."
    case .invalidName(let part): "The name or file name of part \(part) contains a NUL character."
    case .invalidBoundary(let boundary):
      "The boundary \"\(Format.oneLine(boundary))\" is not 1 to 70 letters, digits and '()+_,-./:=? characters."
    case .boundaryInContent(let part):
      "The content of part \(part) contains the boundary: use another one, or none for a random one."
    case .missingBoundary: "Content-Type is not multipart with a boundary."
    case .truncated(let parts):
      parts == 0
        ? "The content has no line with the boundary declared in Content-Type."
        : "The content ended in part \(parts), without the closing boundary."
    case .invalidField(let part, let line):
      "Malformed header line in part \(part): \"\(Format.oneLine(line))\"."
    case .limit(let limit, let value):
      switch limit {
      case .partCount: "There are more than \(value) parts."
      case .headSize:
        "The fields of a part are larger than \(value) bytes or more than \(MultipartHead.mostFields) "
          + "fields."
      case .preambleSize: "There are more than \(value) bytes before the first boundary."
      case .boundaryLength: "The boundary is longer than \(value) bytes."
      }
    }
  }
}
