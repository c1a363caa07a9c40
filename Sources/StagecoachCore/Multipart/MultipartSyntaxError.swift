/// Why content cannot be read as multipart (RFC 2046 5.1).
@nonexhaustive
public enum MultipartSyntaxError: Error, Sendable, Hashable {
  /// Content-Type is not `multipart/...` with a boundary.
  case missingBoundary
  /// The boundary holds CR, LF or NUL.
  case invalidBoundary
  /// The content ended without the closing boundary; `parts` had begun.
  case truncated(parts: Int)
  /// A line among the fields of a part is no field; parts are counted from 1.
  case invalidField(part: Int, line: String)
  /// A limit was reached.
  case limit(Limit, Int)

  /// What is limited; see ``MultipartLimits``.
  @nonexhaustive
  public enum Limit: String, Sendable, Hashable {
    /// The count of parts.
    case partCount
    /// The size of the fields of one part, or their count.
    case headSize
    /// The size of what stands in front of the first boundary.
    case preambleSize
    /// The length of the boundary.
    case boundaryLength
  }
}

extension MultipartSyntaxError: CustomStringConvertible {
  /// What is wrong and where, for a person.
  public var description: String {
    switch self {
    case .missingBoundary: "Content-Type is not multipart with a boundary."
    case .invalidBoundary: "The boundary in Content-Type holds a line break or NUL."
    case .truncated(let parts):
      parts == 0
        ? "The content holds no line with the boundary that Content-Type declares."
        : "The content ended in part \(parts), without the closing boundary."
    case .invalidField(let part, let line):
      "Part \(part) has a line among its fields that is none: \"\(Format.oneLine(line))\"."
    case .limit(let limit, let value):
      switch limit {
      case .partCount: "There are more than \(value) parts, which is the limit."
      case .headSize:
        "The fields of a part have more than \(value) bytes or are more than \(MultipartHead.mostFields), which "
          + "is the limit."
      case .preambleSize: "More than \(value) bytes stand before the first boundary, which is the limit."
      case .boundaryLength: "The boundary has more than \(value) bytes, which is the limit."
      }
    }
  }
}
