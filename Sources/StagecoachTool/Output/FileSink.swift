#if Tool
  import Stagecoach
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
  /// The bytes go to `NAME.part-XXXXXX` in the same folder, which ``commit()`` renames. A symbolic
  /// link keeps pointing where it does: the file behind it is replaced. A device or pipe cannot be
  /// replaced, so it is written to directly.
  final class FileSink: Sink {
    /// The partial files of this process, for the case that it is ended by force.
    private static let partialFiles = Mutex<Set<String>>([])

    private let path: String
    /// Nil for a device or pipe.
    private let partialPath: String?
    private let descriptor: Int32
    private let isOpen = Mutex(true)
    private let queue = BlockingQueue(label: "stagecoach.file")

    /// Opens the partial file.
    ///
    /// - Throws: `ExchangeError` of kind `file`.
    static func open(_ path: String) async throws -> FileSink {
      // Opening a pipe waits for its reader.
      try await BlockingQueue(label: "stagecoach.file").run { try FileSink(path) }
    }

    private init(_ path: String) throws {
      var status = stat()
      let exists = stat(path, &status) == 0
      let type = status.st_mode & S_IFMT
      guard !exists || type != S_IFDIR else { throw ExchangeError.file("cannot write", path, EISDIR) }
      guard !exists || type == S_IFREG else {
        self.path = path
        partialPath = nil
        descriptor = systemOpen(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ExchangeError.file("cannot open", path, errno) }
        return
      }
      self.path = exists ? try Self.resolved(path) : path
      let (descriptor, partialPath) = try Self.openPartialFile(of: self.path)
      self.descriptor = descriptor
      self.partialPath = partialPath
      // Who could not read the old file must not be able to read the new one.
      if exists { _ = fchmod(descriptor, status.st_mode & 0o777) }
    }

    private static func resolved(_ path: String) throws -> String {
      guard let resolved = realpath(path, nil) else { throw ExchangeError.file("cannot write", path, errno) }
      defer { free(resolved) }
      return String(cString: resolved)
    }

    private static func openPartialFile(of path: String) throws -> (Int32, String) {
      while true {
        let letters = (0..<6).compactMap { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() }
        let partial = "\(path).part-\(String(letters))"
        // Registered first, so that no moment is left in which the file exists and nobody knows it.
        partialFiles.withLock { _ = $0.insert(partial) }
        let descriptor = systemOpen(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
        if descriptor >= 0 { return (descriptor, partial) }
        let code = errno
        partialFiles.withLock { _ = $0.remove(partial) }
        guard code == EEXIST else { throw ExchangeError.file("cannot create", partial, code) }
      }
    }

    deinit {
      discard()
    }

    func write(_ bytes: Bytes) async throws {
      try await queue.run { [descriptor, path] in
        try Descriptor.write(bytes, to: descriptor, path: path)
      }
    }

    /// Puts the complete file in its place.
    ///
    /// - Throws: `ExchangeError` of kind `file`; then nothing has changed under the name.
    func commit() async throws {
      try await queue.run { try self.finish() }
    }

    private func finish() throws {
      guard takeOpen() else { return }
      guard let partialPath else {
        close(descriptor)
        return
      }
      defer { Self.forget(partialPath) }
      // Without it a crash of the machine could leave an empty file under the name.
      let isSynced = fsync(descriptor) == 0
      let isClosed = close(descriptor) == 0
      guard isSynced, isClosed, rename(partialPath, path) == 0 else {
        let failure = ExchangeError.file("cannot write", path, errno)
        unlink(partialPath)
        throw failure
      }
    }

    /// Removes the partial file, unless the file is complete.
    func discard() {
      guard takeOpen() else { return }
      close(descriptor)
      guard let partialPath else { return }
      unlink(partialPath)
      Self.forget(partialPath)
    }

    private func takeOpen() -> Bool {
      isOpen.withLock { isOpen in
        defer { isOpen = false }
        return isOpen
      }
    }

    private static func forget(_ partialPath: String) {
      partialFiles.withLock { _ = $0.remove(partialPath) }
    }

    /// Removes all partial files of this process, which is about to end.
    static func removePartialFiles() {
      partialFiles.withLock { paths in
        for path in paths { unlink(path) }
      }
    }
  }

  /// `open` of the C library, which the sink's own hides.
  private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
    open(path, flags, 0o666)
  }
#endif
