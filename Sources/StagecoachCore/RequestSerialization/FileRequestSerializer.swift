/// Puts a file into the body, which reads it while it is sent.
///
/// Only what a server is told of the file is decided here: ``Request/Body/file(_:range:)`` is the body by itself.
public struct FileRequestSerializer: RequestSerializer {
  /// What the file is declared as, unless the request declares a type; by its extension if nil
  /// (``MediaType/init(fileName:)``).
  public var mediaType: MediaType?

  /// A serializer.
  public init(as mediaType: MediaType? = nil) {
    self.mediaType = mediaType
  }

  /// Replaces the body by the file at a path. Its length is taken now, it is opened when it is sent, and it can
  /// be sent again.
  ///
  /// - Throws: ``ExchangeError`` of kind `file` if it cannot be read or is no regular file.
  public func serialize(_ path: String, into request: inout Request) throws {
    request.setContent(try .file(path), as: mediaType ?? MediaType(fileName: path))
  }
}

extension RequestContent {
  /// A file for the body, read while it is sent; its media type is that of its extension unless one is given.
  ///
  /// ```swift
  /// try await client.put("films/7", .file("/tmp/film.mp4"))
  /// ```
  public static func file(_ path: String, as mediaType: MediaType? = nil) -> RequestContent {
    RequestContent(path, FileRequestSerializer(as: mediaType))
  }
}
