#if SQLite
  internal import StagecoachCore

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  /// The folder of a store:
  ///
  /// - `stagecoach-cache`, an empty file by which the folder is known, and locked as long as a process uses it
  /// - `index.sqlite`, and what SQLite puts beside it
  /// - `bodies/xx/`, the files of large bodies, whose names are random
  /// - `partial/`, bodies that are being written; each is locked by its writer
  /// - `damaged`, if the index is to be replaced, and `discarded-…`, bodies of a replaced index
  ///
  /// Names of files come from random numbers alone, never from a URL, and text of the index is never used as a name.
  final class DiskFolder: Sendable {
    /// The path without symbolic links.
    let path: String
    /// The descriptors of the folder, and of those within it.
    private let root: Int32
    private let partial: Int32
    private let bodies: Int32
    /// Locked for as long as the folder is used.
    private let marker: Int32
    /// The repair that was made when the folder was opened.
    let repair: String?

    static let index = "index.sqlite"
    private static let markerName = "stagecoach-cache"
    private static let damaged = "damaged"
    private static let discarded = "discarded-"

    /// The number of random names that are tried for a body.
    private static let maxAttempts = 100

    /// Opens or creates the folder, and has `prepare` open the index while no other process does.
    ///
    /// - Parameter prepare: Opens the index at a path; it is called again if it finds the index to be damaged and no
    ///   other process uses it, after the index was removed. Returns whether the index is new.
    init(_ path: String, creates: Bool, prepare: (_ index: String) throws -> Bool) throws {
      var isNewFolder = false
      if creates {
        if mkdir(path, 0o700) == 0 {
          isNewFolder = true
          // Bits that the umask has taken. A link that has come in its place leads nowhere.
          _ = fchmodat(AT_FDCWD, path, 0o700, AT_SYMLINK_NOFOLLOW)
        } else if errno != EEXIST {
          throw SystemFile.error(
            "cannot create \(path)\(errno == ENOENT ? " in a folder that does not exist" : "")"
          )
        }
      }
      let root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (isNewFolder ? O_NOFOLLOW : 0))
      guard root >= 0 else {
        throw errno == ENOENT ? DiskCacheError.missingStore(path) : SystemFile.error("cannot open \(path)")
      }
      var opened = [root]
      var isComplete = false
      defer { if !isComplete { for descriptor in opened { close(descriptor) } } }
      guard let resolved = realpath(path, nil) else { throw SystemFile.error("cannot open \(path)") }
      defer { free(resolved) }
      self.path = String(cString: resolved)
      self.root = root

      let mode = try Self.trustedMode(of: root, path: path)

      // One opening at a time: whether others use the folder does not change meanwhile.
      _ = try SystemFile.lock(root, waits: true)
      marker = try Self.openMarker(in: root, path: path, creates: creates)
      opened.append(marker)
      repair = try Self.makePrivate(root, mode, path: path)
      try Self.checkOwners(in: root, path: path)
      let isAlone = try SystemFile.lock(marker, waits: false)
      let index = "\(self.path)/\(Self.index)"
      var isNew = false
      if faccessat(root, Self.damaged, F_OK, AT_SYMLINK_NOFOLLOW) == 0 {
        guard isAlone else { throw DiskCacheError.corruptIndex(folder: path) }
        Self.removeIndex(in: root)
      }
      do {
        try Self.createIndex(in: root)
        isNew = try prepare(index)
      } catch DiskCacheError.corruptIndex where isAlone {
        Self.removeIndex(in: root)
        try Self.createIndex(in: root)
        isNew = try prepare(index)
      }
      if isNew, isAlone { Self.discardBodies(in: root) }
      partial = try SystemFile.openFolder("partial", in: root)
      opened.append(partial)
      _ = try SystemFile.lock(marker, shared: true, waits: true)
      bodies = try SystemFile.openFolder("bodies", in: root)
      isComplete = true
      flock(root, LOCK_UN)
    }

    deinit {
      // A child process that is just being started may have a copy of the descriptor.
      flock(marker, LOCK_UN)
      for descriptor in [bodies, partial, marker, root] { close(descriptor) }
    }

    /// Returns the mode of a folder, unless others can put entries into it.
    private static func trustedMode(of root: Int32, path: String) throws(DiskCacheError) -> mode_t {
      var status = stat()
      guard fstat(root, &status) == 0 else { throw SystemFile.error("cannot open \(path)") }
      guard status.st_uid == geteuid() else { throw .otherOwner(path, user: status.st_uid) }
      guard status.st_mode & S_IWOTH == 0 else { throw .writableByAll(folder: path) }
      return status.st_mode & 0o777
    }

    /// - Returns: What was mended, if others could write to the folder.
    private static func makePrivate(_ root: Int32, _ mode: mode_t, path: String) throws(DiskCacheError)
      -> String?
    {
      guard mode != 0o700 else { return nil }
      guard fchmod(root, 0o700) == 0 else { throw SystemFile.error("cannot make \(path) private") }
      guard mode & S_IWGRP != 0 else { return nil }
      return "the group of \(path) could write to it: its mode was \(String(mode, radix: 8)) and is now 700"
    }

    /// Refuses what others have put into the folder while its group could write to it.
    private static func checkOwners(in root: Int32, path: String) throws(DiskCacheError) {
      for name in [markerName, damaged, "partial", "bodies"] + indexNames {
        guard let owner = SystemFile.owner(name, in: root), owner != geteuid() else { continue }
        throw .otherOwner("\(path)/\(name)", user: owner)
      }
    }

    private static let indexNames = ["", "-wal", "-shm", "-journal"].map { index + $0 }

    /// Opens the file by which the folder is known. Only an empty folder gets it.
    private static func openMarker(in root: Int32, path: String, creates: Bool) throws -> Int32 {
      if let marker = try SystemFile.open(markerName, in: root) {
        guard SystemFile.length(marker) == 0 else {
          close(marker)
          throw DiskCacheError.foreignFolder(path)
        }
        return marker
      }
      guard creates else { throw DiskCacheError.missingStore(path) }
      guard SystemFile.names(in: root, limit: 1).isEmpty else { throw DiskCacheError.foreignFolder(path) }
      guard let marker = try SystemFile.open(markerName, in: root, isNew: true) else {
        throw DiskCacheError.foreignFolder(path)
      }
      return marker
    }

    /// Creates an empty index, whose permissions SQLite gives to the files beside it. An existing one is not opened:
    /// closing it would end the locks that SQLite has for other connections of this process.
    private static func createIndex(in root: Int32) throws {
      if let descriptor = try SystemFile.open(index, in: root, isNew: true) { close(descriptor) }
    }

    private static func removeIndex(in root: Int32) {
      for name in indexNames { unlinkat(root, name, 0) }
      unlinkat(root, damaged, 0)
    }

    /// Sets the bodies aside that no index knows.
    private static func discardBodies(in root: Int32) {
      renameat(root, "bodies", root, discarded + name(.random(in: .min ... .max)))
    }

    /// Has the next opening replace the index.
    func markDamaged() {
      if let descriptor = try? SystemFile.open(Self.damaged, in: root, isNew: true) { close(descriptor) }
    }

    private static func name(_ file: Int64) -> String { file.bigEndianBytes.hexadecimal }

    /// Creates the file of a body, and locks it.
    func createBody() throws(DiskCacheError) -> (descriptor: Int32, file: Int64) {
      for _ in 0..<Self.maxAttempts {
        let file = Int64.random(in: .min ... .max)
        let created = try reopening("partial", partial) { () throws(DiskCacheError) in
          try SystemFile.open(Self.name(file), in: partial, isNew: true)
        }
        guard let descriptor = created else { continue }
        do throws(DiskCacheError) {
          // Another process may take the file for that of a killed one until it is locked.
          if try SystemFile.lock(descriptor, waits: true), SystemFile.isLinked(descriptor) {
            return (descriptor, file)
          }
        } catch {
          close(descriptor)
          throw error
        }
        close(descriptor)
      }
      throw .file("cannot create a body", code: EEXIST)
    }

    /// Creates a folder again, once, if it was removed while the store is open.
    private func reopening<Result>(
      _ name: String,
      _ folder: Int32,
      _ work: () throws(DiskCacheError) -> Result
    ) throws(DiskCacheError) -> Result {
      do throws(DiskCacheError) {
        return try work()
      } catch {
        guard case .file(_, code: ENOENT) = error else { throw error }
        try SystemFile.reopenFolder(name, in: root, as: folder)
        return try work()
      }
    }

    /// Gives the file of a body its place, after the index names it.
    func publish(_ file: Int64) {
      let name = Self.name(file)
      // If that fails, the body is read where it is, and moved when the store is opened next.
      let opened = try? reopening("bodies", bodies) { () throws(DiskCacheError) in
        try SystemFile.openFolder(String(name.prefix(2)), in: bodies)
      }
      guard let folder = opened else { return }
      renameat(partial, name, folder, name)
      close(folder)
    }

    /// Opens the file of a body.
    ///
    /// - Returns: The descriptor; `nil` if it is gone.
    func openBody(_ file: Int64) throws(DiskCacheError) -> Int32? {
      // The second look finds a file that is moved meanwhile.
      for _ in 0..<2 {
        if let descriptor = try openPublished(file) { return descriptor }
        if let descriptor = try SystemFile.open(Self.name(file), in: partial) { return descriptor }
      }
      return nil
    }

    private func openPublished(_ file: Int64) throws(DiskCacheError) -> Int32? {
      let name = Self.name(file)
      guard let folder = try? SystemFile.openFolder(String(name.prefix(2)), in: bodies, creates: false) else {
        return nil
      }
      defer { close(folder) }
      return try SystemFile.open(name, in: folder)
    }

    /// Removes the file of a body, whose readers keep it.
    func removeBody(_ file: Int64) {
      let name = Self.name(file)
      // In the order in which a file moves, so that it does not escape.
      unlinkat(partial, name, 0)
      guard let folder = try? SystemFile.openFolder(String(name.prefix(2)), in: bodies, creates: false) else {
        return
      }
      unlinkat(folder, name, 0)
      close(folder)
    }

    /// Removes the bodies that killed processes have left.
    ///
    /// - Parameter isKnown: Whether the index names the file.
    /// - Returns: The bytes of the bodies that are being written, by any process.
    func cleanUp(isKnown: (Int64) throws(DiskCacheError) -> Bool) throws(DiskCacheError) -> Int64 {
      var size: Int64 = 0
      for name in SystemFile.names(in: partial) {
        guard let bits = UInt64(name, radix: 16), case let file = Int64(bitPattern: bits),
          Self.name(file) == name,
          let descriptor = try? SystemFile.open(name, in: partial)
        else { continue }
        defer { close(descriptor) }
        // A writer holds its lock until the file has its place, and loses it when its process ends.
        guard (try? SystemFile.lock(descriptor, waits: false)) == true else {
          let length = min(SystemFile.length(descriptor) ?? 0, Self.maxSize)
          size = min(size + IndexRow.fileSize(length), Self.maxSize)
          continue
        }
        if try isKnown(file) { publish(file) } else { unlinkat(partial, name, 0) }
      }
      return size
    }

    /// The largest size that is counted.
    private static let maxSize = Int64(1) << 50

    /// Removes the bodies of a replaced index, which may take long.
    func removeDiscarded() {
      let names = SystemFile.names(in: root).filter { $0.hasPrefix(Self.discarded) }
      // Without anything to do, the folder is not kept locked for it.
      guard !names.isEmpty else { return }
      BlockingQueue.files.enqueue {
        for name in names { SystemFile.removeTree(name, in: self.root) }
      }
    }
  }
#endif
