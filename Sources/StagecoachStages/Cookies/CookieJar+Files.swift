public import StagecoachCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension CookieJar {
  /// A file format for cookies.
  @nonexhaustive
  public enum FileFormat: Sendable, Hashable {
    /// JSON with all properties of the cookies: `{"cookies": [{"name": ..., "value": ..., "domain": ..., "path": ...,
    /// "expires": "2026-12-24T18:00:00Z", ...}]}`, in order of creation.
    ///
    /// `hostOnly`, `secure` and `httpOnly` are present if they are true, `sameSite` if the server specified one, and
    /// `expires` unless it is a session cookie; `created` and `lastAccessed` are always present. A name or value that
    /// is not UTF-8 is stored as `nameBase64` or `valueBase64`.
    case json
    /// The `cookies.txt` of Netscape, curl and others: lines of seven columns, with `#HttpOnly_` before the domain of
    /// an HttpOnly cookie. SameSite and all times except the expiry are lost.
    case netscape
  }

  /// The maximum size of a cookie file: 64 MiB.
  public static let maximumFileSize = 64 * 1024 * 1024

  /// Returns the cookies as the content of a file.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - includingSession: Whether to include session cookies.
  ///   - date: The current date; expired cookies are omitted.
  public func exported(
    as format: FileFormat = .json,
    includingSession: Bool = false,
    at date: Date = Date()
  ) -> CookieExport {
    let cookies = cookies(at: date).filter { includingSession || $0.expires != nil }
    return switch format {
    case .json: JSONCookies.write(cookies)
    case .netscape: NetscapeCookies.write(cookies)
    }
  }

  /// Adds the cookies of a file's content, replacing existing ones.
  ///
  /// They are checked like the cookies of responses; those that cannot be stored are reported.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - format: The format.
  ///   - date: The current date.
  /// - Throws: ``ExchangeError`` of kind `file` if it is not a JSON cookie file; then nothing is changed.
  @discardableResult
  public func add(
    _ bytes: Bytes,
    as format: FileFormat = .json,
    at date: Date = Date()
  ) throws -> CookieImport {
    let now = date.wholeSeconds
    let entries =
      switch format {
      case .json: try JSONCookies.read(bytes.array)
      case .netscape: NetscapeCookies.read(bytes.array)
      }
    var result = CookieImport()
    for (position, record) in entries {
      do throws(CookieRejection) {
        let cookie = try record.get().cookie(publicSuffixes, now: now)
        _ = try put(cookie, fromSecure: true, now: now)
        result.stored += 1
      } catch {
        result.skipped.append(CookieImport.Skipped(position: position, reason: error))
      }
    }
    return result
  }

  /// Writes the cookies to a file, which replaces the old one when it is complete and is only accessible to its owner
  /// (mode 0600).
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - format: The format.
  ///   - includingSession: Whether to write session cookies.
  ///   - date: The current date; expired cookies are not written.
  /// - Returns: The cookies that the format cannot represent.
  /// - Throws: ``ExchangeError`` of kind `file`.
  @discardableResult
  public func save(
    to path: String,
    as format: FileFormat = .json,
    includingSession: Bool = false,
    at date: Date = Date()
  ) async throws -> [Cookie] {
    let export = exported(as: format, includingSession: includingSession, at: date)
    let writer = try await FileWriter.open(path, existing: .overwrite, follows: true, permissions: 0o600)
    try await writer.write(export.bytes)
    try await writer.commit()
    return export.omitted
  }

  /// Adds the cookies of a file, like `add(_:as:at:)`.
  ///
  /// - Parameters:
  ///   - path: The file, at most ``maximumFileSize``.
  ///   - format: The format.
  ///   - mustExist: Whether a missing file is an error.
  ///   - date: The current date.
  /// - Throws: ``ExchangeError`` of kind `file`; then nothing is changed.
  @discardableResult
  public func load(
    from path: String,
    as format: FileFormat = .json,
    mustExist: Bool = true,
    at date: Date = Date()
  ) async throws -> CookieImport {
    if !mustExist, access(path, F_OK) != 0, errno == ENOENT { return CookieImport() }
    let file = try Request.Body.file(path)
    let length = file.length ?? 0
    guard length <= Self.maximumFileSize else {
      throw ExchangeError(
        .file,
        "\(path) is \(length) bytes long, larger than the limit for cookie files of \(Self.maximumFileSize)"
      )
    }
    let source = try file.makeSource()
    var content: [UInt8] = []
    while let chunk = try await source.next() { content += chunk.array }
    do {
      return try add(Bytes(content), as: format, at: date)
    } catch let error as ExchangeError {
      throw ExchangeError(error.kind, "\(path): \(error.message)", underlying: error.underlying)
    }
  }
}
