import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The partial files of this process, to be removed if the process is terminated.
package enum PartialFiles {
  private static let paths = Mutex<Set<String>>([])

  /// The number of random names that are tried.
  private static let maxAttempts = 100

  /// Creates a partial file beside the final path.
  ///
  /// - Throws: ``ExchangeError`` of kind `file`.
  static func open(for path: String, permissions: mode_t) throws -> (descriptor: Int32, path: String) {
    let start =
      path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    for _ in 0..<maxAttempts {
      let letters = (0..<6).compactMap { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() }
      let end = ".part-" + String(letters)
      var name = path[start...]
      while name.utf8.count > FilePlacement.longestName - end.utf8.count { name.removeLast() }
      let partial = "\(path[..<start])\(name)\(end)"
      // Recorded before the file is created, so that it is removed whenever the process ends.
      paths.withLock { _ = $0.insert(partial) }
      let descriptor = systemOpen(partial, permissions)
      if descriptor >= 0 { return (descriptor, partial) }
      let code = errno
      paths.withLock { _ = $0.remove(partial) }
      guard code == EEXIST else { throw ExchangeError.file("cannot create", partial, code) }
    }
    throw ExchangeError.file("cannot create a partial file for", path, EEXIST)
  }

  /// Removes a partial file. A file that was already renamed stays.
  static func remove(_ path: String) {
    unlink(path)
    paths.withLock { _ = $0.remove(path) }
  }

  /// Removes all partial files of this process. Call it before the process ends.
  package static func removeAll() {
    paths.withLock { paths in
      for path in paths { unlink(path) }
    }
  }
}

/// `open` of the C library.
private func systemOpen(_ path: String, _ permissions: mode_t) -> Int32 {
  open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
}
