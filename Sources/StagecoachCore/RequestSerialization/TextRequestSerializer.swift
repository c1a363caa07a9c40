/// Puts text into the body and names its charset: `text/plain;charset=UTF-8`.
public struct TextRequestSerializer: RequestSerializer {
  /// The charset of the text.
  public var charset: Charset

  /// What the text is declared as, with the charset, unless the request declares a type.
  public var mediaType: MediaType

  /// A serializer.
  ///
  /// - Parameters:
  ///   - charset: The charset of the text.
  ///   - mediaType: What the text is declared as; the charset is added.
  public init(charset: Charset = .utf8, as mediaType: MediaType = .plainText) {
    self.charset = charset
    self.mediaType = mediaType
  }

  /// Replaces the body, which can be sent again. Line ends stay as they are.
  ///
  /// - Throws: ``CharsetError`` if a character has no place in the charset, or the system does not know it.
  public func serialize(_ text: String, into request: inout Request) throws {
    request.setContent(.bytes(Bytes(try charset.encode(text))), as: mediaType.with(charset: charset))
  }
}

extension RequestContent {
  /// Text for the body, as `text/plain` with its charset.
  public static func text(
    _ text: String,
    charset: Charset = .utf8,
    as mediaType: MediaType = .plainText
  ) -> RequestContent {
    RequestContent(text, TextRequestSerializer(charset: charset, as: mediaType))
  }
}
