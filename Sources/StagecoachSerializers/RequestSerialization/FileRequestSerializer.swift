public import StagecoachCore

/// A serializer that sends a file as the body, read while it is sent.
///
/// It only adds the media type to ``Request/Body/file(_:range:)``.
public struct FileRequestSerializer: RequestSerializer {
  /// The media type, unless the request declares one; derived from the file extension if `nil`
  /// (``MediaType/init(fileName:)``).
  public var mediaType: MediaType?

  /// Creates a serializer.
  public init(as mediaType: MediaType? = nil) {
    self.mediaType = mediaType
  }

  /// Replaces the body by the file at a path. Its length is determined now, and it is opened when it is sent. The body
  /// is replayable.
  ///
  /// - Throws: ``ExchangeError`` of kind `file` if the file cannot be read or is not a regular file.
  public func serialize(_ path: String, into request: inout Request) throws {
    request.setContent(try .file(path), as: mediaType ?? MediaType(fileName: path))
  }
}

extension RequestContent {
  /// Returns content that sends a file as the body; its media type is derived from its extension unless one is given.
  ///
  /// ```swift
  /// try await client.put("films/7", .file("/tmp/film.mp4"))
  /// ```
  public static func file(_ path: String, as mediaType: MediaType? = nil) -> RequestContent {
    RequestContent(path, FileRequestSerializer(as: mediaType))
  }
}
