import HTTPTypes
import StagecoachCore

/// The meaning of a reply to a request for the rest of some content.
enum ReplyDecision: Equatable {
  /// Its body is the next part of the content.
  case append
  /// Its body is the whole content, from the first byte.
  case whole
  /// There is nothing after what is there.
  case complete
  /// The received part cannot be completed, for this reason; fetch the content from the start.
  case anew(String)
  /// It is neither a part nor the whole of the content, for this reason: what is there stays.
  case refuse(String)

  /// Judges a reply to a request with a Range (RFC 9110 14.2, 15.3.7, 15.5.17).
  ///
  /// - Parameters:
  ///   - head: The head of the reply, with status 412, 416 or one that is accepted.
  ///   - length: The length of its body, if it is known.
  ///   - span: The part whose rest was asked for.
  ///   - content: What is there.
  init(
    _ head: HTTPResponse,
    length: Int64?,
    askedFor span: PartialContent.Span,
    of content: PartialContent
  ) {
    switch head.status.code {
    case 206: self = Self.part(head, length, span, content)
    case 412: self = .anew("the server refused the condition (412)")
    case 416:
      let total = head.headerFields.first(of: .contentRange).flatMap { ContentRange($0) }?.total
      let isDone = content.isComplete || content.spans.count == 1 && total == span.next
      guard let total, isDone, total == content.total ?? total, total == span.next else {
        self = .anew("the server has no bytes after \(span.next) (416)")
        return
      }
      self = .complete
    default: self = Self.refusal(asWhole: head, length, content).map { .refuse($0) } ?? .whole
    }
  }

  /// The reason that a reply is not taken for the whole content, so that what is there stays; `nil` if it is. A login
  /// page, or no content at all, must not replace it: the reply has to have the field that tells versions apart, or
  /// the length of the whole.
  static func refusal(asWhole head: HTTPResponse, _ length: Int64?, _ content: PartialContent) -> String? {
    guard head.status == .ok else {
      return "the server sent neither the rest of the content nor all of it: \(Format.status(head.status))"
    }
    if content.validator?.isComparable(with: head) ?? true { return nil }
    if let length, content.total.map({ $0 == length }) ?? (length >= content.count) { return nil }
    let missing = content.validator?.fieldName.rawName ?? ""
    return "the server sent other content, with no \(missing) and not of the same length"
  }

  private static func part(
    _ head: HTTPResponse,
    _ length: Int64?,
    _ span: PartialContent.Span,
    _ content: PartialContent
  ) -> Self {
    guard let field = head.headerFields.first(of: .contentRange) else {
      return .anew("the server sent partial content without Content-Range")
    }
    guard let range = ContentRange(field), let bytes = range.bytes else {
      return .anew("the server sent partial content with the invalid Content-Range \(Format.oneLine(field))")
    }
    guard bytes.lowerBound == span.next else {
      return .anew("the server sent bytes from \(bytes.lowerBound) on (asked for \(span.next))")
    }
    guard length ?? 0 <= Int64(bytes.count) else {
      return .anew("the server sent more bytes than its Content-Range \(Format.oneLine(field)) has")
    }
    if let total = content.total, let other = range.total, other != total {
      return .anew("the length changed from \(total) to \(other) bytes")
    }
    guard content.validator?.isShared(by: head) != false else {
      return .anew("the server sent a part without the same \(content.validator?.fieldName.rawName ?? "")")
    }
    guard coding(of: head) == content.coding else {
      return .anew("the server sent the rest with another content coding")
    }
    return .append
  }

  /// The content coding of a reply, in lower case; `nil` if it has none.
  static func coding(of head: HTTPResponse) -> String? {
    guard let coding = head.headerFields.first(of: .contentEncoding)?.lowercased() else { return nil }
    return coding.isEmpty || coding == "identity" ? nil : coding
  }
}
