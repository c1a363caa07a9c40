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
  /// A format of files of cookies.
  @nonexhaustive
  public enum FileFormat: Sendable, Hashable {
    /// JSON with all that a jar knows: `{"cookies": [{"name": ..., "value": ..., "domain": ..., "path": ...,
    /// "expires": "2026-12-24T18:00:00Z", ...}]}`, in the order in which the cookies were created.
    ///
    /// `hostOnly`, `secure` and `httpOnly` are there if they are true, `sameSite` if the server gave one, and
    /// `expires` unless the cookie lasts as long as the session; `created` and `lastAccessed` are told as well. A
    /// name or value that is no UTF-8 stands in `nameBase64` or `valueBase64`.
    case json
    /// The `cookies.txt` of Netscape, curl and others: lines of seven columns, with `#HttpOnly_` in front of the
    /// domain of a cookie that is HttpOnly. SameSite and the times but the expiry are lost.
    case netscape
  }

  /// The greatest file of cookies that is read: 64 MiB.
  public static let maximumFileSize = 64 * 1024 * 1024

  /// The content of a file of the cookies.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - includingSession: Whether cookies that last as long as the session are among them.
  ///   - date: The current date; what has expired is left out.
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

  /// Adds the cookies of a file's content, each in place of the one that is here already.
  ///
  /// They are checked like those of responses, and what cannot be stored is told.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - format: The format.
  ///   - date: The current date.
  /// - Throws: ``ExchangeError`` of kind `file` if it is no JSON file of cookies; then nothing is changed.
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

  /// Writes the cookies into a file, which takes the place of the old one when it is complete and is for its owner
  /// alone (mode 0600).
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - format: The format.
  ///   - includingSession: Whether cookies that last as long as the session are written.
  ///   - date: The current date; what has expired is not written.
  /// - Returns: The cookies that the format cannot hold.
  /// - Throws: ``ExchangeError`` of kind `file`.
  @discardableResult
  public func save(
    to path: String,
    as format: FileFormat = .json,
    includingSession: Bool = false,
    at date: Date = Date()
  ) async throws -> [Cookie] {
    let export = exported(as: format, includingSession: includingSession, at: date)
    let writer = try await FileWriter.open(path, replacement: .following, permissions: 0o600)
    try await writer.write(export.bytes)
    try await writer.commit()
    return export.omitted
  }

  /// Adds the cookies of a file: as `add(_:as:at:)` does.
  ///
  /// - Parameters:
  ///   - path: The file, at most ``maximumFileSize``.
  ///   - format: The format.
  ///   - mustExist: Whether a file that is not there is an error.
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
    let file = try FileRange(path: path, range: nil)
    guard file.length <= Self.maximumFileSize else {
      throw ExchangeError(
        .file,
        "\(path) has \(file.length) bytes, a file of cookies at most \(Self.maximumFileSize)"
      )
    }
    let source = try FileSource(file)
    var content: [UInt8] = []
    while let chunk = try await source.next() { content += chunk.array }
    do {
      return try add(Bytes(content), as: format, at: date)
    } catch let error as ExchangeError {
      throw ExchangeError(error.kind, "\(path): \(error.message)", underlying: error.underlying)
    }
  }
}
