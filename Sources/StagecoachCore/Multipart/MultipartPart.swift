public import HTTPTypes

/// A part of multipart content that was received: its fields and its content, which is either
/// ``MultipartPartBody``, read chunk by chunk, or ``Bytes``.
public struct MultipartPart<Content: Sendable>: Sendable {
  /// The fields, in order, with case and duplicates kept.
  public let fields: HTTPFields

  /// The content.
  public let content: Content

  init(fields: HTTPFields, content: Content) {
    self.fields = fields
    self.content = content
  }

  /// The Content-Disposition field; nil if there is none or it is unreadable.
  public var disposition: ContentDisposition? { fields.contentDisposition }

  /// The name of the form's field.
  public var name: String? { disposition?.name }

  /// The file name, made harmless; see ``ContentDisposition/safeFileName(from:)``.
  public var fileName: String? { disposition?.fileName }

  /// The media type that Content-Type declares; nil if there is none, which means plain text (RFC 2046 5.1), or
  /// it is unreadable.
  public var mediaType: MediaType? { fields.contentType }
}

extension MultipartPart: Equatable where Content: Equatable {}
extension MultipartPart: Hashable where Content: Hashable {}

extension MultipartPart where Content == Bytes {
  /// Reads content that is in memory; the contents of the parts share its memory.
  ///
  /// - Parameters:
  ///   - bytes: All of the content.
  ///   - mediaType: Its media type, with the boundary.
  ///   - limits: What is accepted at most.
  /// - Throws: ``MultipartSyntaxError``.
  public static func all(
    in bytes: Bytes,
    of mediaType: MediaType?,
    limits: MultipartLimits = MultipartLimits()
  ) throws(MultipartSyntaxError) -> [MultipartPart] {
    var parser = try MultipartParser(mediaType: mediaType, limits: limits)
    parser.feed(bytes)
    parser.finish()
    var parts: [MultipartPart] = []
    var fields: HTTPFields = [:]
    var content = MultipartCollector()
    while let event = try parser.next() {
      switch event {
      case .partStarted(let started): (fields, content) = (started, MultipartCollector())
      case .content(let piece): content.append(piece)
      case .partEnded: parts.append(MultipartPart(fields: fields, content: content.bytes))
      case .ended: break
      }
    }
    return parts
  }
}
