import HTTPTypes
public import StagecoachCore

/// A serializer that writes the body to a file as it arrives, at the pace of the disk and in constant memory.
///
/// The file appears under its name only when it is complete: until then its bytes are in `NAME.part-XXXXXX` in the
/// same folder, which is removed after a failure or a cancellation. Files are written outside of the cooperative pool.
/// The content is that of the stages below: decoded, unlike a download's, if one of them decodes it.
///
/// ```swift
/// let film = try await client.get("films/7", as: .file("/tmp/film.mp4"))
/// let report = try await client.get("reports/latest", as: .file(in: "/home/me/Downloads"))
/// print(report.path, report.size)
/// ```
public struct FileResponseSerializer: ResponseSerializer {
  /// The destination of the file.
  @nonexhaustive
  public enum Destination: Sendable, Hashable {
    /// This path. A symbolic link is kept, and the file that it points to is replaced if allowed. A device or pipe,
    /// which cannot be replaced, is written to.
    case path(String)
    /// This existing folder, under the name in Content-Disposition (RFC 6266), otherwise the last component of the
    /// URL's path, otherwise `download`. Names from the server are sanitized by
    /// ``ContentDisposition/safeFileName(from:)`` and never lead out of the folder, not even through links.
    case directory(String)
  }

  /// The destination of the file.
  public var destination: Destination

  /// What happens to an existing file of the same name; an error by default.
  public var existing: ExistingFilePolicy

  /// The permission bits of the file, such as `0o600`; if `nil`, the permissions of the replaced file, or `0o666`
  /// without the bits of the umask.
  public var permissions: UInt16?

  /// Whether the content is flushed to the disk before the file is renamed. Otherwise a crash of the machine may leave
  /// an empty file under the name.
  public var synchronizes: Bool

  /// The accepted content; any by default.
  public var accepts: Acceptance

  /// Creates a serializer.
  ///
  /// - Parameters:
  ///   - destination: The destination of the file.
  ///   - existing: What happens to an existing file of the same name.
  ///   - permissions: The permission bits of the file.
  ///   - synchronizes: Whether the content is flushed to the disk before the file is renamed.
  ///   - accepts: The accepted content.
  public init(
    _ destination: Destination,
    existing: ExistingFilePolicy = .fail,
    permissions: UInt16? = nil,
    synchronizing synchronizes: Bool = true,
    accepting accepts: Acceptance = .any
  ) {
    self.destination = destination
    self.existing = existing
    self.permissions = permissions
    self.synchronizes = synchronizes
    self.accepts = accepts
  }

  /// Writes the body, up to the request's limit for files (``RequestOptions/fileBodyLimit``). Partial content (206) is
  /// treated the same: nothing is appended to an existing file.
  ///
  /// - Throws: ``ExchangeError`` of kind `file` if the file cannot be written or already exists, of kind
  ///   `limit(.body)` if the body is too long.
  public func serialize(_ response: Response) async throws -> SavedFile {
    do {
      let limit = (response.request?.options ?? RequestOptions()).fileBodyLimit
      try Self.check(response.body.length ?? 0, limit)
      let path = path(for: response)
      let writer = try await FileWriter.open(
        path,
        existing: existing,
        follows: followsLinks,
        permissions: permissions
      )
      do {
        var size: Int64 = 0
        for try await chunk in response.body {
          size += Int64(chunk.count)
          try Self.check(size, limit)
          try await writer.write(chunk)
        }
        try Task.checkCancellation()
        return SavedFile(path: try await writer.commit(isSynced: synchronizes), size: size)
      } catch {
        writer.discard()
        throw error
      }
    } catch {
      response.body.cancel()
      throw error
    }
  }

  /// Whether links and devices are followed: only where the caller gave the name.
  package var followsLinks: Bool {
    if case .path = destination { true } else { false }
  }

  private func path(for response: Response) -> String {
    switch destination {
    case .path(let path): path
    case .directory(let directory):
      "\(directory)/"
        + (response.fields.contentDisposition?.fileName ?? response.request?.targetFileName ?? "download")
    }
  }

  private static func check(_ size: Int64, _ limit: Int64?) throws {
    guard let limit, size > limit else { return }
    throw ExchangeError.limit(
      .body,
      "the response body is at least \(size) bytes long (limit for a file \(limit) bytes)",
      advice: "raise options.fileBodyLimit",
      limit: (RequestOptions.fileBodyLimit.name, "\(limit) bytes")
    )
  }
}

/// A file with a response body.
public struct SavedFile: Sendable, Hashable {
  /// The path of the file.
  public let path: String
  /// The size of the file in bytes.
  public let size: Int64

  /// Creates the description of a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - size: The size of the file in bytes.
  public init(path: String, size: Int64) {
    self.path = path
    self.size = size
  }
}

extension Request {
  /// The last component of the path, made harmless; nil if nothing is left of it.
  package var targetFileName: String? {
    let path = (head.path ?? "").prefix { $0 != "?" }
    let component = path.split(separator: "/").last ?? ""
    return ContentDisposition.safeFileName(
      from: String(decoding: component.utf8.percentDecoded, as: UTF8.self)
    )
  }
}

extension ResponseSerializer where Self == FileResponseSerializer {
  /// A serializer that writes the body to a file at a path.
  public static func file(_ path: String, existing: ExistingFilePolicy = .fail) -> FileResponseSerializer {
    FileResponseSerializer(.path(path), existing: existing)
  }

  /// A serializer that writes the body to a file in a folder, under the name from the server.
  public static func file(in directory: String, existing: ExistingFilePolicy = .fail)
    -> FileResponseSerializer
  {
    FileResponseSerializer(.directory(directory), existing: existing)
  }
}
