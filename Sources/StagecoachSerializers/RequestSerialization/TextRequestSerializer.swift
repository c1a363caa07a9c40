public import StagecoachCore

/// A serializer that sends text and declares its charset: `text/plain;charset=UTF-8`.
public struct TextRequestSerializer: RequestSerializer {
  /// The charset of the text.
  public var charset: Charset

  /// The media type, to which the charset is added, unless the request declares one.
  public var mediaType: MediaType

  /// Creates a serializer.
  ///
  /// - Parameters:
  ///   - charset: The charset of the text.
  ///   - mediaType: The media type, to which the charset is added.
  public init(charset: Charset = .utf8, as mediaType: MediaType = .plainText) {
    self.charset = charset
    self.mediaType = mediaType
  }

  /// Replaces the body by a replayable one. Line ends are not changed.
  ///
  /// - Throws: ``CharsetError`` if a character is not in the charset, or the system does not support the charset.
  public func serialize(_ text: String, into request: inout Request) throws {
    request.setContent(.bytes(Bytes(try charset.encode(text))), as: mediaType.with(charset: charset))
  }
}

extension RequestContent {
  /// Returns content that sends text, as `text/plain` with its charset.
  public static func text(
    _ text: String,
    charset: Charset = .utf8,
    as mediaType: MediaType = .plainText
  ) -> RequestContent {
    RequestContent(text, TextRequestSerializer(charset: charset, as: mediaType))
  }
}
