#if SQLite
  internal import StagecoachCore

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  /// Calls of the system on files within an open folder. None of them follows a symbolic link.
  enum SystemFile {
    static func message(_ code: Int32) -> String { String(cString: strerror(code)) }

    static func error(_ call: String) -> DiskCacheError { .file(call, code: errno) }

    /// Opens a file; creates it for its owner only if `isNew`, whatever the umask is.
    ///
    /// - Returns: The descriptor; `nil` if there is no such file, or if it exists and should not.
    static func open(_ name: String, in folder: Int32, isNew: Bool = false) throws(DiskCacheError) -> Int32? {
      let flags = isNew ? O_RDWR | O_CREAT | O_EXCL : O_RDONLY
      // Opening a named pipe would wait for a writer.
      let descriptor = openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
      guard descriptor < 0 else {
        if isNew { _ = fchmod(descriptor, 0o600) }
        return descriptor
      }
      guard errno == (isNew ? EEXIST : ENOENT) else {
        throw error("cannot \(isNew ? "create" : "open") \(name)")
      }
      return nil
    }

    /// Opens a folder within a folder, and creates it for its owner only if necessary, whatever the umask is.
    static func openFolder(_ name: String, in folder: Int32, creates: Bool = true) throws(DiskCacheError)
      -> Int32
    {
      if creates {
        if mkdirat(folder, name, 0o700) == 0 {
          _ = fchmodat(folder, name, 0o700, 0)
        } else if errno != EEXIST {
          throw error("cannot create \(name)")
        }
      }
      let descriptor = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { throw error("cannot open \(name)") }
      return descriptor
    }

    /// Opens a folder within a folder in place of one that was removed: the number of its descriptor, which other
    /// threads use, stays the same.
    static func reopenFolder(_ name: String, in folder: Int32, as descriptor: Int32) throws(DiskCacheError) {
      let opened = try openFolder(name, in: folder)
      defer { close(opened) }
      guard dup2(opened, descriptor) >= 0 else { throw error("cannot open \(name)") }
      // A child process that is just being started may get it, which does no harm.
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// The user that a file or folder belongs to; `nil` if there is none of the name.
    static func owner(_ name: String, in folder: Int32) -> UInt32? {
      var status = stat()
      return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_uid : nil
    }

    /// Returns the names within a folder in any order, at most `limit`.
    static func names(in folder: Int32, limit: Int = .max) -> [String] {
      // A descriptor of its own, since it is closed with the stream and has a position.
      let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard copy >= 0 else { return [] }
      guard let stream = fdopendir(copy) else {
        close(copy)
        return []
      }
      defer { closedir(stream) }
      var names: [String] = []
      while names.count < limit, let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
      }
      return names
    }

    /// Removes a folder within a folder with all that it contains, two levels deep.
    static func removeTree(_ name: String, in folder: Int32) {
      guard let opened = try? openFolder(name, in: folder, creates: false) else { return }
      defer {
        close(opened)
        unlinkat(folder, name, AT_REMOVEDIR)
      }
      for name in names(in: opened) where unlinkat(opened, name, 0) != 0 {
        guard let inner = try? openFolder(name, in: opened, creates: false) else { continue }
        for name in names(in: inner) { unlinkat(inner, name, 0) }
        close(inner)
        unlinkat(opened, name, AT_REMOVEDIR)
      }
    }

    /// The length of a regular file of this user; `nil` if it is anything else.
    static func length(_ descriptor: Int32) -> Int64? {
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid()
      else {
        return nil
      }
      return Int64(status.st_size)
    }

    /// Whether the file still has a name.
    static func isLinked(_ descriptor: Int32) -> Bool {
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    /// Reads bytes, fewer than `count` only at the end of the file.
    static func read(_ descriptor: Int32, at offset: Int64, _ count: Int) throws(DiskCacheError) -> [UInt8] {
      var failed: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        while filled < count {
          let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
          let got = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
          if got < 0, errno == EINTR { continue }
          if got < 0 { failed = errno }
          guard got > 0 else { return }
          filled += got
        }
      }
      guard failed == 0 else { throw .file("cannot read a body", code: failed) }
      return bytes
    }

    /// Writes all the bytes.
    static func write(
      _ bytes: UnsafeRawBufferPointer,
      to descriptor: Int32,
      at offset: Int64
    ) throws(DiskCacheError) {
      var written = 0
      while written < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
        if count < 0, errno == EINTR { continue }
        // A limit of the process on the size of files also raises a signal; see setrlimit(2).
        guard count > 0 else { throw error("cannot write a body") }
        written += count
      }
    }

    /// Locks a file for this descriptor until it is closed.
    ///
    /// - Returns: Whether it is locked; `false` only if it should not wait for others.
    static func lock(_ descriptor: Int32, shared: Bool = false, waits: Bool) throws(DiskCacheError) -> Bool {
      while flock(descriptor, (shared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)) != 0 {
        if errno == EINTR { continue }
        guard errno == EWOULDBLOCK, !waits else { throw error("cannot lock the folder of the cache") }
        return false
      }
      return true
    }
  }
#endif
