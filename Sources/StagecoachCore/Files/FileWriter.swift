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
/// The bytes go to `NAME.part-XXXXXX` in the same folder. ``commit()`` renames that file; it is removed if the writer
/// is discarded or released before.
package final class FileWriter: Sendable {
  private let path: String
  /// The path of the partial file; `nil` for a device, a pipe, or an open file.
  private let partialPath: String?
  private let existing: ExistingFilePolicy
  /// The open descriptor; `nil` once the writer is done.
  private let descriptor: Mutex<Int32?>
  private let isCancelled = Atomic(false)

  /// Opens the partial file; a pipe must have a reader.
  ///
  /// - Parameters:
  ///   - path: The final name.
  ///   - existing: What happens to an existing file of the same name.
  ///   - follows: Whether links and special files are followed: the target of a symbolic link is replaced, and a device
  ///     or pipe, which cannot be replaced, is written to. So is an open file of the process, by a name such as
  ///     `/dev/stdout`. Only if the file may be overwritten.
  ///   - permissions: The permission bits, such as `0o600`; `nil` for those of the replaced file, together with its
  ///     owner and group as far as the process may set them, or else `0o666` less the bits that the process masks.
  /// - Throws: ``ExchangeError`` of kind `file`.
  package static func open(
    _ path: String,
    existing: ExistingFilePolicy,
    follows: Bool = false,
    permissions: UInt16? = nil
  ) async throws -> FileWriter {
    try await BlockingQueue.files.run {
      try FileWriter(path, existing: existing, follows: follows, permissions: permissions)
    }
  }

  private init(_ path: String, existing: ExistingFilePolicy, follows: Bool, permissions: UInt16?) throws {
    let follows = follows && existing == .overwrite
    var status = stat()
    let exists = (follows ? stat(path, &status) : lstat(path, &status)) == 0
    if !exists, follows {
      // A dangling symbolic link is not replaced by a file.
      let code = errno
      guard lstat(path, &status) != 0 else { throw ExchangeError.file("cannot follow", path, code) }
    }
    let type = status.st_mode & S_IFMT
    self.existing = existing
    guard !exists || existing != .fail else {
      throw ExchangeError.fileExists(path)
    }
    guard !exists || type != S_IFDIR || existing == .unique else {
      throw ExchangeError.file("cannot write", path, EISDIR)
    }
    if exists, type != S_IFREG, follows {
      // A pipe without a reader fails instead of blocking a thread until there is one.
      let opened = systemOpen(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
      guard opened >= 0 else { throw ExchangeError.file("cannot open", path, errno) }
      self.path = path
      partialPath = nil
      descriptor = Mutex(opened)
      return
    }
    if exists, follows, let shared = Self.openDescriptor(named: path) {
      // The process has this file open: a replacement would lose its content for the holder of the descriptor.
      let copy = fcntl(shared, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw ExchangeError.file("cannot open", path, errno) }
      self.path = path
      partialPath = nil
      descriptor = Mutex(copy)
      return
    }
    self.path = exists && follows ? try Self.resolved(path) : path
    // A user that could not read the old file must not be able to read the new one.
    let replaced =
      exists && type == S_IFREG && existing == .overwrite && permissions == nil ? ReplacedFile(status) : nil
    // Its group may read once the new file is of that group.
    let bits = mode_t(permissions ?? replaced.map { $0.permissions & 0o700 | 0o600 } ?? 0o666) & 0o777
    let (opened, partial) = try PartialFiles.open(for: self.path, permissions: bits)
    if permissions != nil { _ = fchmod(opened, bits) }
    replaced?.passOn(to: opened)
    descriptor = Mutex(opened)
    partialPath = partial
  }

  /// The number of the open file that a name refers to.
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
  /// - Throws: ``ExchangeError`` of kind `file`; `CancellationError` if the writer was discarded, or the task was
  ///   cancelled while the reader of a pipe took no bytes.
  package func write(_ bytes: Bytes) async throws {
    try await withTaskCancellationHandler {
      try await BlockingQueue.files.run { try self.put(bytes) }
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
    }
  }

  private func put(_ bytes: Bytes) throws {
    // The lock is held during the write, so that the descriptor is not closed meanwhile.
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
  /// - Parameter isSynced: Whether to write the content to the disk before the file is renamed. Without it, a crash of
  ///   the machine can leave an empty file under the name.
  /// - Returns: The path of the file.
  /// - Throws: ``ExchangeError`` of kind `file`; an existing file of the name is then unchanged.
  @discardableResult
  package func commit(isSynced: Bool = true) async throws -> String {
    try await BlockingQueue.files.run { try self.finish(isSynced: isSynced) }
  }

  private func finish(isSynced: Bool) throws -> String {
    guard let descriptor = takeDescriptor() else { throw CancellationError() }
    guard let partialPath else {
      close(descriptor)
      return path
    }
    defer { PartialFiles.remove(partialPath) }
    var code: Int32? = isSynced && !Self.synchronize(descriptor) ? errno : nil
    if close(descriptor) != 0 { code = code ?? errno }
    if let code { throw ExchangeError.file("cannot write", path, code) }
    return try FilePlacement.place(partialPath, at: path, existing: existing)
  }

  /// Writes the content to the disk before any later write.
  ///
  /// - Returns: Whether it succeeded; `errno` has the reason if not.
  package static func synchronize(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      // On Darwin fsync leaves the order to the disk. Not every file system supports barriers.
      if fcntl(descriptor, F_BARRIERFSYNC) == 0 { return true }
    #endif
    return fsync(descriptor) == 0
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

/// `open` of the C library, which the writer's own `open` hides.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
  open(path, flags, 0o600)
}
