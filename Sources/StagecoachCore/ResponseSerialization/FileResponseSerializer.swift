import HTTPTypes

/// Writes the body to a file as it arrives, at the pace of the disk and in constant memory.
///
/// The file appears under its name when it is complete and not before: until then its bytes are in
/// `NAME.part-XXXXXX` in the same folder, of which nothing is left after a failure or a cancellation. Files are
/// written outside the cooperative pool.
///
/// ```swift
/// let film = try await client.get("films/7", as: .file("/tmp/film.mp4"))
/// let report = try await client.get("reports/latest", as: .file(in: "/home/me/Downloads"))
/// print(report.path, report.size)
/// ```
public struct FileResponseSerializer: ResponseSerializer {
  /// Where the file goes.
  @nonexhaustive
  public enum Destination: Sendable, Hashable {
    /// To this path. A symbolic link there keeps pointing where it does: the file behind it is replaced, if it may
    /// be. A device or pipe, which cannot be replaced, is written to.
    case path(String)
    /// Into this folder, which exists, under the name that Content-Disposition gives (RFC 6266), else the last
    /// component of the URL's path, else `download`. Names of the server are made harmless by
    /// ``ContentDisposition/safeFileName(from:)`` and never lead out of the folder, through links neither.
    case directory(String)
  }

  /// Where the file goes.
  public var destination: Destination

  /// Whether a file that has the name already is replaced; it is an error where not.
  public var overwrites: Bool

  /// The permission bits of the file, such as `0o600`; if nil those of the file that is replaced, or else `0o666`
  /// less the bits that the process masks.
  public var permissions: UInt16?

  /// Whether the content is on the disk before the name is: without it, a crash of the machine can leave an empty
  /// file under the name.
  public var synchronizes: Bool

  /// What it can read: anything by default.
  public var accepts: Acceptance

  /// A serializer.
  ///
  /// - Parameters:
  ///   - destination: Where the file goes.
  ///   - overwrites: Whether a file that has the name already is replaced.
  ///   - permissions: The permission bits of the file.
  ///   - synchronizes: Whether the content is on the disk before the name is.
  ///   - accepts: What it can read.
  public init(
    _ destination: Destination,
    overwriting overwrites: Bool = false,
    permissions: UInt16? = nil,
    synchronizing synchronizes: Bool = true,
    accepting accepts: Acceptance = .any
  ) {
    self.destination = destination
    self.overwrites = overwrites
    self.permissions = permissions
    self.synchronizes = synchronizes
    self.accepts = accepts
  }

  /// Writes the body within the request's limit for files (``RequestOptions/fileBodyLimit``), also where it is a part
  /// of the content (206): nothing is appended to a file that is there.
  ///
  /// - Throws: ``ExchangeError`` of kind `file` if the file cannot be written or the name is taken, of kind
  ///   `limit(.body)` if the body is too long.
  public func serialize(_ response: Response) async throws -> SavedFile {
    do {
      let limit = (response.request?.options ?? RequestOptions()).fileBodyLimit
      try Self.check(response.body.length ?? 0, limit)
      let path = path(for: response)
      let writer = try await FileWriter.open(path, replacement: replacement, permissions: permissions)
      do {
        var size: Int64 = 0
        for try await chunk in response.body {
          size += Int64(chunk.count)
          try Self.check(size, limit)
          try await writer.write(chunk)
        }
        try Task.checkCancellation()
        try await writer.commit(isSynced: synchronizes)
        return SavedFile(path: path, size: size)
      } catch {
        writer.discard()
        throw error
      }
    } catch {
      response.body.cancel()
      throw error
    }
  }

  private var replacement: FileWriter.Replacement {
    guard overwrites else { return .refused }
    return if case .path = destination { .following } else { .allowed }
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
    throw ExchangeError(
      .limit(.body),
      "the response body has \(size) bytes or more, the limit for a file is \(limit) bytes",
      advice: "raise options.fileBodyLimit",
      limit: ExchangeError.Limit(option: RequestOptions.fileBodyLimit.name, value: "\(limit) bytes")
    )
  }
}

/// A file that a response body was written to.
public struct SavedFile: Sendable, Hashable {
  /// Where it is.
  public let path: String
  /// How many bytes it has.
  public let size: Int64
}

extension Request {
  /// The last component of the path, made harmless; nil if nothing is left of it.
  fileprivate var targetFileName: String? {
    let path = (head.path ?? "").prefix { $0 != "?" }
    let component = path.split(separator: "/").last ?? ""
    return ContentDisposition.safeFileName(
      from: String(decoding: component.utf8.percentDecoded, as: UTF8.self)
    )
  }
}

extension ResponseSerializer where Self == FileResponseSerializer {
  /// The body in a file at a path.
  public static func file(_ path: String, overwriting: Bool = false) -> FileResponseSerializer {
    FileResponseSerializer(.path(path), overwriting: overwriting)
  }

  /// The body in a file in a folder, under the name that the server gives.
  public static func file(in directory: String, overwriting: Bool = false) -> FileResponseSerializer {
    FileResponseSerializer(.directory(directory), overwriting: overwriting)
  }
}
