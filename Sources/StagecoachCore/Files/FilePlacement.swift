#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Gives a complete file its name.
package enum FilePlacement {
  /// The number of names that are tried for a unique one.
  private static let mostNames = 10_000

  /// Renames a file.
  ///
  /// - Returns: The name it got.
  /// - Throws: ``ExchangeError`` of kind `file`.
  package static func place(_ partial: String, at path: String, existing: ExistingFilePolicy) throws -> String
  {
    switch existing {
    case .overwrite:
      guard rename(partial, path) == 0 else { throw ExchangeError.file("cannot write", path, errno) }
      return path
    case .fail:
      if let code = placeAnew(partial, at: path) { throw ExchangeError.file("cannot write", path, code) }
      return path
    case .unique:
      for number in 0..<mostNames {
        let name = number == 0 ? path : numbered(path, number)
        guard let code = placeAnew(partial, at: name) else { return name }
        guard code == EEXIST else { throw ExchangeError.file("cannot write", name, code) }
      }
      throw ExchangeError.file("cannot write", path, EEXIST)
    }
  }

  /// Renames a file unless there is one of that name.
  ///
  /// - Returns: The system's error number; `nil` on success.
  private static func placeAnew(_ partial: String, at path: String) -> Int32? {
    // Unlike a rename, a hard link never replaces a file that was created meanwhile.
    if link(partial, path) == 0 {
      unlink(partial)
      return nil
    }
    guard errno != EEXIST else { return EEXIST }
    // On a file system without hard links an empty file claims the name, and the rename replaces it.
    let claim = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard claim >= 0 else { return errno }
    close(claim)
    guard rename(partial, path) != 0 else { return nil }
    let code = errno
    unlink(path)
    return code
  }

  /// The maximum length of a file name on common systems, in octets.
  package static let longestName = 255

  /// Returns a path with a number before its extension. A name that would be too long is shortened before the number.
  private static func numbered(_ path: String, _ number: Int) -> String {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    var stem = path[start...]
    var end = " (\(number))"
    // A name that begins with its only dot has no extension.
    if let dot = stem.lastIndex(of: "."), dot != stem.startIndex {
      end += stem[dot...]
      stem = stem[..<dot]
    }
    while stem.utf8.count + end.utf8.count > longestName, !stem.isEmpty { stem.removeLast() }
    return "\(path[..<start])\(stem)\(end)"
  }
}
