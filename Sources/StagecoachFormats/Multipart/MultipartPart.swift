public import HTTPTypes

/// A received part of multipart content: its fields and its content, which is either ``MultipartPartBody``, read chunk
/// by chunk, or ``Bytes``.
public struct MultipartPart<Content: Sendable>: Sendable {
  /// The fields, in order, with their case and duplicates.
  public let fields: HTTPFields

  /// The content.
  public let content: Content

  package init(fields: HTTPFields, content: Content) {
    self.fields = fields
    self.content = content
  }

  /// The Content-Disposition field; `nil` if it is absent or malformed.
  public var disposition: ContentDisposition? { fields.contentDisposition }

  /// The name of the form field.
  public var name: String? { disposition?.name }

  /// The sanitized file name; see ``ContentDisposition/safeFileName(from:)``.
  public var fileName: String? { disposition?.fileName }

  /// The media type of Content-Type; `nil` if the field is malformed or absent, which means plain text (RFC 2046 5.1).
  public var mediaType: MediaType? { fields.contentType }
}

extension MultipartPart: Equatable where Content: Equatable {}
extension MultipartPart: Hashable where Content: Hashable {}

extension MultipartPart where Content == Bytes {
  /// Parses content in memory; the contents of the parts share its memory.
  ///
  /// - Parameters:
  ///   - bytes: The complete content.
  ///   - mediaType: Its media type, with the boundary.
  ///   - limits: The limits.
  /// - Throws: ``MultipartError``.
  public static func all(
    in bytes: Bytes,
    of mediaType: MediaType?,
    limits: MultipartLimits = MultipartLimits()
  ) throws(MultipartError) -> [MultipartPart] {
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
