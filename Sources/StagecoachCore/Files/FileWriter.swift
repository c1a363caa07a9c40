import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes a file that appears under its name only when it is complete.
///
/// The bytes go to `NAME.part-XXXXXX` in the same folder, which takes the name in ``commit()`` and is removed
/// when the writer is discarded or goes away before.
package final class FileWriter: Sendable {
  /// What becomes of a file that has the name already.
  package enum Replacement: Sendable {
    /// It stays, and the writer fails.
    case refused
    /// A new file takes its place, with its permissions.
    case allowed
    /// As `allowed`, and what is no regular file is meant: behind a symbolic link the file is replaced, and a
    /// device or pipe, which cannot be, is written to. So is what the process has open, by a name such as `/dev/stdout`.
    case following
  }

  private let path: String
  /// Nil for a device, a pipe, or what was open.
  private let partialPath: String?
  private let mayReplace: Bool
  /// Nil once the writer has done its work.
  private let descriptor: Mutex<Int32?>
  private let isCancelled = Atomic(false)

  /// Opens the partial file; a pipe must have a reader.
  ///
  /// - Parameters:
  ///   - path: The name to be.
  ///   - replacement: What becomes of a file that has the name already.
  ///   - permissions: The permission bits, such as `0o600`; if nil those of the file that is replaced, or else
  ///     `0o666` less the bits that the process masks.
  /// - Throws: ``ExchangeError`` of kind `file`.
  package static func open(_ path: String, replacement: Replacement, permissions: UInt16? = nil) async throws
    -> FileWriter
  {
    try await BlockingQueue.files.run {
      try FileWriter(path, replacement: replacement, permissions: permissions)
    }
  }

  private init(_ path: String, replacement: Replacement, permissions: UInt16?) throws {
    var status = stat()
    let exists = (replacement == .following ? stat(path, &status) : lstat(path, &status)) == 0
    if !exists, replacement == .following {
      // Not to be replaced by a file where its target belongs.
      let code = errno
      guard lstat(path, &status) != 0 else { throw ExchangeError.file("cannot follow", path, code) }
    }
    let type = status.st_mode & S_IFMT
    mayReplace = replacement != .refused
    guard !exists || mayReplace else {
      throw ExchangeError(.file, "\(path) exists", advice: "give another name, or allow it to be replaced")
    }
    guard !exists || type != S_IFDIR else { throw ExchangeError.file("cannot write", path, EISDIR) }
    if exists, type != S_IFREG, replacement == .following {
      // A pipe without a reader fails instead of keeping a thread until there is one.
      let opened = systemOpen(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
      guard opened >= 0 else { throw ExchangeError.file("cannot open", path, errno) }
      self.path = path
      partialPath = nil
      descriptor = Mutex(opened)
      return
    }
    if exists, replacement == .following, let shared = Self.openDescriptor(named: path) {
      // Replaced it would be lost to who opened it, with all that is in it.
      let copy = fcntl(shared, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw ExchangeError.file("cannot open", path, errno) }
      self.path = path
      partialPath = nil
      descriptor = Mutex(copy)
      return
    }
    self.path = exists && replacement == .following ? try Self.resolved(path) : path
    // Who could not read the old file must not be able to read the new one.
    let bits = permissions.map { mode_t($0) } ?? (exists && type == S_IFREG ? status.st_mode : nil)
    let (opened, partial) = try PartialFiles.open(for: self.path, permissions: (bits ?? 0o666) & 0o777)
    if let bits { _ = fchmod(opened, bits & 0o777) }
    descriptor = Mutex(opened)
    partialPath = partial
  }

  /// The number of an open file that a name stands for.
  private static func openDescriptor(named path: String) -> Int32? {
    switch path {
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
      return folder.flatMap { Int32(path.dropFirst($0.count)) }
    }
  }

  private static func resolved(_ path: String) throws -> String {
    guard let resolved = realpath(path, nil) else { throw ExchangeError.file("cannot write", path, errno) }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  deinit {
    discard()
  }

  /// Writes all the bytes.
  ///
  /// - Throws: ``ExchangeError`` of kind `file`; `CancellationError` if the writer has been discarded, or the task
  ///   cancelled while nobody took the bytes.
  package func write(_ bytes: Bytes) async throws {
    try await withTaskCancellationHandler {
      try await BlockingQueue.files.run { try self.put(bytes) }
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
    }
  }

  private func put(_ bytes: Bytes) throws {
    // It stays locked while it is written to, so that nobody can close it underneath.
    try descriptor.withLock { descriptor in
      guard let descriptor else { throw CancellationError() }
      let isCancelled = { self.isCancelled.load(ordering: .relaxed) }
      let code =
        partialPath == nil
        ? Descriptor.withoutBrokenPipeSignal {
          Descriptor.write(bytes, to: descriptor, isCancelled: isCancelled)
        }
        : Descriptor.write(bytes, to: descriptor)
      guard code != ECANCELED else { throw CancellationError() }
      if let code { throw ExchangeError.file("cannot write", path, code) }
    }
  }

  /// Puts the complete file in its place.
  ///
  /// - Parameter isSynced: Whether the content is on the disk before the name is: without it, a crash of the
  ///   machine can leave an empty file under the name.
  /// - Throws: ``ExchangeError`` of kind `file`; then nothing has changed under the name.
  package func commit(isSynced: Bool = true) async throws {
    try await BlockingQueue.files.run { try self.finish(isSynced: isSynced) }
  }

  private func finish(isSynced: Bool) throws {
    guard let descriptor = takeDescriptor() else { throw CancellationError() }
    guard let partialPath else {
      close(descriptor)
      return
    }
    defer { PartialFiles.remove(partialPath) }
    var code: Int32? = isSynced && !Self.synchronize(descriptor) ? errno : nil
    if close(descriptor) != 0 { code = code ?? errno }
    if let code = code ?? place(partialPath) { throw ExchangeError.file("cannot write", path, code) }
  }

  /// Brings the content to the disk before what is written after it.
  ///
  /// - Returns: Whether it did; `errno` tells what was wrong.
  private static func synchronize(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      // There fsync leaves the order to the disk. Not every file system knows barriers.
      if fcntl(descriptor, F_BARRIERFSYNC) == 0 { return true }
    #endif
    return fsync(descriptor) == 0
  }

  /// Gives the partial file its name.
  private func place(_ partialPath: String) -> Int32? {
    if mayReplace { return rename(partialPath, path) == 0 ? nil : errno }
    // Unlike a renaming, a second name never takes the place of a file that has come into being meanwhile.
    if link(partialPath, path) == 0 { return nil }
    guard errno != EEXIST else { return EEXIST }
    // On a file system without second names an empty file claims the name, which the renaming replaces.
    let claim = systemOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
    guard claim >= 0 else { return errno }
    close(claim)
    guard rename(partialPath, path) != 0 else { return nil }
    let code = errno
    unlink(path)
    return code
  }

  /// Removes the partial file, unless the file is complete.
  package func discard() {
    guard let descriptor = takeDescriptor() else { return }
    close(descriptor)
    partialPath.map(PartialFiles.remove)
  }

  private func takeDescriptor() -> Int32? {
    descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
  }
}

/// `open` of the C library, which the writer's own hides.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
  open(path, flags, 0o600)
}
