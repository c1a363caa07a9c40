import StagecoachCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An unfinished download: `FILE.part`, locked against other transfers and processes, and its journal
/// `FILE.part.json`. Its calls block.
final class PartialFile: Sendable {
  private let partialPath: String
  private let journalPath: String
  private let descriptor: Int32
  private let journal: Mutex<TransferJournal>
  private let isClosed = Atomic(false)

  /// The number of times that the file is opened, if another transfer moves it each time.
  private static let maxAttempts = 100

  /// Opens the partial file of a destination, and creates it if there is none.
  ///
  /// - Parameters:
  ///   - names: The names of its files.
  ///   - journal: What the journal says of the request.
  ///   - permissions: The permission bits of the file; `nil` for `0o666` less the bits that the process masks. Its
  ///     owner can always read and write the partial file.
  /// - Returns: The file, and what is kept of the content; `nil` if nothing is.
  /// - Throws: `ExchangeError` of kind `file`, also if another transfer has it open.
  static func open(
    _ names: PartialNames,
    journal: TransferJournal,
    permissions: UInt16?
  ) throws -> (file: PartialFile, kept: PartialContent?) {
    let permissions = permissions.map { mode_t($0) & 0o777 | 0o600 }
    for _ in 0..<maxAttempts {
      let descriptor = systemOpen(
        names.partial,
        O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
        permissions ?? 0o666
      )
      guard descriptor >= 0 else { throw ExchangeError.file("cannot create", names.partial, errno) }
      let file: PartialFile
      let earlier: TransferJournal?
      let kept: PartialContent?
      do {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
          guard errno == EWOULDBLOCK else { throw ExchangeError.file("cannot lock", names.partial, errno) }
          throw ExchangeError(
            .file,
            "\(names.partial) is in use by another download",
            advice: "wait until it has ended, or give another name"
          )
        }
        var opened = stat()
        var named = stat()
        guard fstat(descriptor, &opened) == 0 else {
          throw ExchangeError.file("cannot read", names.partial, errno)
        }
        // Another transfer may have finished, and moved the file, between the two calls.
        let isNamed = lstat(names.partial, &named) == 0
        guard isNamed || errno == ENOENT else {
          throw ExchangeError.file("cannot read", names.partial, errno)
        }
        guard isNamed, named.st_ino == opened.st_ino, named.st_dev == opened.st_dev else {
          close(descriptor)
          continue
        }
        guard opened.st_mode & S_IFMT == S_IFREG else {
          throw ExchangeError(.file, "\(names.partial) is not a regular file")
        }
        let size = Int64(opened.st_size)
        earlier = earlierJournal(names.journal)
        guard earlier != nil || size == 0 else {
          throw ExchangeError(
            .file,
            "\(names.partial) exists, without the journal \(names.journal) of a download",
            advice: "remove it if it is of no use, or give another name"
          )
        }
        kept = earlier?.kept(for: journal, size: size)
        if let permissions { _ = fchmod(descriptor, permissions) }
        file = PartialFile(names, descriptor, journal)
      } catch {
        close(descriptor)
        throw error
      }
      // From here on the file closes the descriptor, and the journal says that it is ours.
      if kept == nil {
        try file.empty()
      } else {
        file.journal.withLock { $0.durable = earlier?.durable }
      }
      return (file, kept)
    }
    throw ExchangeError(.file, "\(names.partial) was replaced each time that it was opened")
  }

  /// Reads a journal; `nil` if there is none that is valid.
  static func earlierJournal(_ path: String) -> TransferJournal? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return (try? Descriptor.read(path, limit: TransferJournal.longest)).flatMap { TransferJournal($0) }
  }

  private init(_ names: PartialNames, _ descriptor: Int32, _ journal: TransferJournal) {
    (partialPath, journalPath) = (names.partial, names.journal)
    self.descriptor = descriptor
    self.journal = Mutex(journal)
  }

  deinit {
    end()
  }

  /// Unlocks and closes the file; nothing may be called afterwards.
  func end() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    // A child process that is just being started may have a copy of the descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Removes all bytes.
  func empty() throws {
    try cut(to: 0)
    try writeJournal(isSynced: false) {
      $0.content = nil
      $0.durable = nil
    }
  }

  /// Writes bytes at a position.
  func write(_ bytes: Bytes, at position: Int64) throws {
    let code = bytes.withUnsafeBytes { buffer -> Int32? in
      var rest = buffer[...]
      var position = position
      while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest)
        let written = pwrite(descriptor, piece.baseAddress, piece.count, off_t(position))
        guard written > 0 else {
          if written < 0, errno == EINTR { continue }
          return written < 0 ? errno : EIO
        }
        rest = rest.dropFirst(written)
        position += Int64(written)
      }
      return nil
    }
    if let code { throw ExchangeError.file("cannot write", partialPath, code) }
  }

  /// Removes the bytes from a position on.
  func cut(to size: Int64) throws {
    guard ftruncate(descriptor, off_t(size)) == 0 else {
      throw ExchangeError.file("cannot write", partialPath, errno)
    }
  }

  /// Notes what is there.
  ///
  /// - Parameter isSynced: Whether the bytes and the journal are flushed to the disk.
  func keep(_ content: PartialContent, isSynced: Bool) throws {
    if isSynced, !FileWriter.synchronize(descriptor) {
      throw ExchangeError.file("cannot write", partialPath, errno)
    }
    try writeJournal(isSynced: isSynced) {
      $0.content = content
      if isSynced { $0.durable = content }
    }
  }

  /// Flushes the bytes that are there to the disk, and notes it.
  func flush(_ content: PartialContent) throws {
    guard FileWriter.synchronize(descriptor) else {
      throw ExchangeError.file("cannot write", partialPath, errno)
    }
    try writeJournal(isSynced: true) { $0.durable = content }
  }

  /// Changes the journal, for one part after the other: all of them write the same new file.
  private func writeJournal(isSynced: Bool, _ change: (inout TransferJournal) -> Void) throws {
    try journal.withLock { journal in
      change(&journal)
      try write(journal, isSynced: isSynced)
    }
  }

  private func write(_ journal: TransferJournal, isSynced: Bool) throws {
    let text = try journal.encoded()
    let newPath = "\(journalPath).new"
    // The URL may be secret, and whoever writes the journal decides what is appended to the file.
    let descriptor = systemOpen(newPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw ExchangeError.file("cannot create", newPath, errno) }
    var code = Descriptor.write(Bytes(text), to: descriptor)
    if code == nil, isSynced, !FileWriter.synchronize(descriptor) { code = errno }
    if close(descriptor) != 0 { code = code ?? errno }
    if code == nil, rename(newPath, journalPath) != 0 { code = errno }
    guard let code else { return }
    unlink(newPath)
    throw ExchangeError.file("cannot write", journalPath, code)
  }

  /// Returns the checksum of the bytes that are there.
  func checksum(_ algorithm: Checksum.Algorithm) throws -> Checksum? {
    var hash = algorithm.makeHash()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var position: Int64 = 0
    while true {
      let count = buffer.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, $0.count, off_t(position))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ExchangeError.file("cannot read", partialPath, errno) }
      guard count > 0 else { return Checksum(algorithm, hash.digest()) }
      buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      position += Int64(count)
    }
  }

  /// Gives the complete file its name and removes the journal.
  ///
  /// - Returns: The path of the file.
  func commit(
    size: Int64,
    to name: String,
    existing: ExistingFilePolicy,
    permissions: UInt16?,
    isSynced: Bool
  ) throws -> String {
    // Bytes of an earlier version may follow.
    try cut(to: size)
    if let permissions {
      _ = fchmod(descriptor, mode_t(permissions) & 0o777)
    } else if existing == .overwrite {
      ReplacedFile(name)?.passOn(to: descriptor)
    }
    if isSynced, !FileWriter.synchronize(descriptor) {
      throw ExchangeError.file("cannot write", partialPath, errno)
    }
    let placed = try FilePlacement.place(partialPath, at: name, existing: existing)
    unlink(journalPath)
    return placed
  }

  /// Removes the partial file and its journal.
  func remove() {
    // The journal goes last: a partial file without one is somebody else's.
    unlink(partialPath)
    unlink(journalPath)
  }
}

/// `open` of the C library, which the file's own `open` hides.
private func systemOpen(_ path: String, _ flags: Int32, _ permissions: mode_t) -> Int32 {
  open(path, flags, permissions)
}
