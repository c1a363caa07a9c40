import HTTPTypes
import StagecoachCore

/// What a reply to a request for the rest of some content means.
enum ReplyDecision: Equatable {
  /// Its body is the next part of the content.
  case append
  /// Its body is the whole content, from the first byte.
  case whole
  /// There is nothing after what is there.
  case complete
  /// What is there cannot be completed, for this reason: the content must be fetched anew.
  case anew(String)

  /// Judges a reply to a request with a Range (RFC 9110 14.2, 15.3.7, 15.5.17).
  ///
  /// - Parameters:
  ///   - head: The head of the reply, with status 200, 206, 412 or 416.
  ///   - span: The part whose rest was asked for.
  ///   - content: What is there.
  init(_ head: HTTPResponse, askedFor span: PartialContent.Span, of content: PartialContent) {
    switch head.status.code {
    case 206: self = Self.part(head, span, content)
    case 412: self = .anew("the server refused the condition (412)")
    case 416:
      let total = head.headerFields.first(of: .contentRange).flatMap { ContentRange($0) }?.total
      let isDone = content.isComplete || content.spans.count == 1 && total == span.next
      guard let total, isDone, total == content.total ?? total, total == span.next else {
        self = .anew("the server has no bytes after \(span.next) (416)")
        return
      }
      self = .complete
    default: self = .whole
    }
  }

  private static func part(_ head: HTTPResponse, _ span: PartialContent.Span, _ content: PartialContent)
    -> Self
  {
    guard let field = head.headerFields.first(of: .contentRange) else {
      return .anew("the server sent partial content without Content-Range")
    }
    guard let range = ContentRange(field), let positions = range.positions else {
      return .anew("the server sent partial content with the invalid Content-Range \(Format.oneLine(field))")
    }
    guard positions.lowerBound == span.next else {
      return .anew("the server sent bytes from \(positions.lowerBound) on (asked for \(span.next))")
    }
    if let total = content.total, let other = range.total, other != total {
      return .anew("the length changed from \(total) to \(other) bytes")
    }
    guard content.validator?.isContradicted(by: head) != true else { return .anew("the content changed") }
    guard !isCoded(head) else { return .anew("the server sent the rest with a content coding") }
    return .append
  }

  /// Whether the content has a coding, so that positions are not those of the decoded bytes.
  static func isCoded(_ head: HTTPResponse) -> Bool {
    guard let coding = head.headerFields.first(of: .contentEncoding) else { return false }
    return !coding.isEmpty && coding.lowercased() != "identity"
  }
}
