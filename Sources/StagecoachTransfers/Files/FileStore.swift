import HTTPTypes
import StagecoachCore
import StagecoachSerializers
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes the content to a file that appears under its name only when it is complete and checked.
final class FileStore: PartialStore {
  private struct State {
    var file: PartialFile?
    /// The older bytes that the file replaces once it is complete.
    var older: (file: PartialFile, content: PartialContent)?
    var flushes = BackgroundFlush()
    /// The number of bytes at the last flush.
    var flushed: Int64 = 0
  }

  private let serializer: FileResponseSerializer
  private let checksum: Checksum?
  private let request: Request
  private let base: TargetURI?
  /// The number of bytes after which they are flushed to the disk, so that a crash of the machine loses no more.
  private let stride: Int64
  private let state = Mutex(State())
  let parts: Int

  init(
    _ serializer: FileResponseSerializer,
    checksum: Checksum?,
    parts: Int,
    request: Request,
    base: TargetURI?,
    flushingEvery stride: Int64 = 256 << 20
  ) {
    self.serializer = serializer
    self.checksum = checksum
    self.parts = min(max(parts, 1), PartialContent.mostSpans)
    self.request = request
    self.base = base
    self.stride = stride
  }

  var name: String { serializer.name }
  var accepts: Acceptance { serializer.accepts }
  var asksForIdentity: Bool { true }
  var keepsCoding: Bool { true }

  var executor: (any TaskExecutor)? { BlockingExecutor.files }

  func limit(for options: RequestOptions) -> (bytes: Int64, option: String)? {
    options.fileBodyLimit.map { ($0, RequestOptions.fileBodyLimit.name) }
  }

  func renewed() -> FileStore {
    FileStore(
      serializer,
      checksum: checksum,
      parts: parts,
      request: request,
      base: base,
      flushingEvery: stride
    )
  }

  func archive(in work: inout ArchivedWork) {
    work.file = ArchivedDestination(serializer, checksum: checksum, parts: parts)
  }

  // MARK: Paths

  /// The path that the unfinished file is named after: the final one, or in a folder the name that the URL suggests,
  /// since that of the server is not known before it has answered.
  private func workingPath() throws -> String {
    switch serializer.destination {
    case .path(let path): return try Self.resolved(path, existing: serializer.existing)
    case .directory(let directory):
      return "\(directory)/\(try resolvedRequest().targetFileName ?? "download")"
    }
  }

  private func finalPath(_ response: Response) throws -> String {
    guard case .directory(let directory) = serializer.destination else { return try workingPath() }
    let name = response.fields.contentDisposition?.fileName ?? response.request?.targetFileName
    return try name.map { "\(directory)/\($0)" } ?? workingPath()
  }

  private func resolvedRequest() throws -> Request {
    var request = request
    try request.resolve(against: base)
    return request
  }

  /// Returns the path that a symbolic link leads to, and refuses what cannot become a complete file at once.
  private static func resolved(_ path: String, existing: ExistingFilePolicy) throws -> String {
    var status = stat()
    guard lstat(path, &status) == 0 else { return path }
    guard existing != .fail else {
      throw ExchangeError.fileExists(path)
    }
    guard existing == .overwrite else { return path }
    guard stat(path, &status) == 0, let real = realpath(path, nil) else {
      throw ExchangeError.file("cannot follow", path, errno)
    }
    defer { free(real) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ExchangeError(
        .file,
        "\(path) is not a regular file, so that a download to it could not be resumed",
        advice: "use the serializer .file, or a transfer into a sink"
      )
    }
    return String(cString: real)
  }

  // MARK: Store

  func open() async throws -> PartialContent? {
    let journal = try journal
    let state = try await BlockingQueue.files.run { try self.open(journal) }
    let kept = state.kept
    self.state.withLock { $0 = state.opened }
    return kept
  }

  private func open(_ journal: TransferJournal) throws -> (opened: State, kept: PartialContent?) {
    let path = try workingPath()
    let names = PartialNames(for: path)
    let (file, kept) = try open(names, journal)
    let newer = PartialNames(for: path, isReplacement: true)
    guard PartialFile.earlierJournal(newer.journal) != nil else { return (State(file: file), kept) }
    let (replacement, replacing) = try open(newer, journal)
    // Without what it replaces, or bytes of its own, it is of no use.
    guard let kept, let replacing, replacing.count > 0 else {
      replacement.remove()
      replacement.end()
      return (State(file: file), kept)
    }
    return (State(file: replacement, older: (file, kept)), replacing)
  }

  /// Opens one of the partial files, with the permissions of the file that it is to become. Those of the group and of
  /// others of a replaced file wait for its group.
  private func open(_ names: PartialNames, _ journal: TransferJournal) throws -> (
    PartialFile, PartialContent?
  ) {
    var journal = journal
    journal.name = names.shortened
    let replaced = serializer.existing == .overwrite ? ReplacedFile(try workingPath()) : nil
    return try PartialFile.open(
      names,
      journal: journal,
      permissions: serializer.permissions ?? replaced.map { $0.permissions & 0o700 }
    )
  }

  /// The journal of the request, without content.
  private var journal: TransferJournal {
    get throws {
      let head = try resolvedRequest().head
      return TransferJournal(
        method: head.method.rawValue,
        url: "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")",
        boot: MachineBoot.identifier
      )
    }
  }

  private func opened() throws -> PartialFile {
    guard let file = state.withLock({ $0.file }) else { throw CancellationError() }
    return file
  }

  func empty() async throws {
    let file = try opened()
    let flushes = state.withLock { state in
      state.flushed = 0
      return state.flushes
    }
    // What they note would outlive the bytes.
    try await flushes.finish()
    try await BlockingQueue.files.run { try file.empty() }
  }

  func replace(_ kept: PartialContent) async throws {
    guard older == nil else { return try await empty() }
    let file = try opened()
    try await state.withLock { $0.flushes }.finish()
    let journal = try journal
    let new = try await BlockingQueue.files.run {
      try Self.keep(kept, in: file)
      let names = PartialNames(for: try self.workingPath(), isReplacement: true)
      let (new, earlier) = try self.open(names, journal)
      if earlier != nil { try new.empty() }
      return new
    }
    state.withLock { $0 = State(file: new, older: (file, kept)) }
  }

  var older: PartialContent? { state.withLock { $0.older?.content } }

  func goBack() async throws -> PartialContent? {
    guard let older = state.withLock({ $0.older }) else { return nil }
    let file = try opened()
    try? await state.withLock { $0.flushes }.finish()
    await BlockingQueue.files.run {
      file.remove()
      file.end()
    }
    state.withLock { $0 = State(file: older.file) }
    return older.content
  }

  /// Notes what is there in a way that outlives the machine.
  private static func keep(_ content: PartialContent, in file: PartialFile) throws {
    // Bytes after those that count are wrong.
    if content.spans.count == 1 { try file.cut(to: content.count) }
    try file.keep(content, isSynced: true)
  }

  func keep(_ content: PartialContent) async throws {
    let file = try opened()
    let flushes = state.withLock { state -> BackgroundFlush? in
      guard content.count - state.flushed >= stride else { return nil }
      state.flushed = content.count
      return state.flushes
    }
    try flushes?.start { try file.flush(content) }
    // Of one part the file itself says how far it has come.
    guard content.spans.count > 1 || content.count == 0 else { return }
    try await BlockingQueue.files.run { try file.keep(content, isSynced: false) }
  }

  func write(_ bytes: Bytes, at position: Int64) throws {
    try opened().write(bytes, at: position)
  }

  func finish(_ response: Response, _ content: PartialContent) async throws -> SavedFile {
    guard ![.noContent, .resetContent].contains(response.status) else {
      throw ExchangeError(
        .status,
        "the server sent no content for the file: \(Format.status(response.status))"
      )
    }
    let file = try opened()
    let older = state.withLock { $0.older?.file }
    let path = try finalPath(response)
    let size = content.total ?? content.count
    try await state.withLock { $0.flushes }.finish()
    let (serializer, checksum) = (serializer, checksum)
    let placed = try await BlockingQueue.files.run {
      let expected = [checksum, content.digest.flatMap { Checksum(digestField: $0) }].compactMap(\.self)
      for expected in Set(expected) {
        guard let actual = try file.checksum(expected.algorithm), actual != expected else { continue }
        // Nothing of it can be trusted, so nothing of it is kept.
        file.remove()
        file.end()
        older?.end()
        self.state.withLock { $0 = State() }
        throw ChecksumFailure(expected: expected, actual: actual).error(of: "the file")
      }
      let placed = try file.commit(
        size: size,
        to: path,
        existing: serializer.existing,
        permissions: serializer.permissions,
        isSynced: serializer.synchronizes
      )
      file.end()
      older?.remove()
      older?.end()
      return placed
    }
    state.withLock { $0 = State() }
    return SavedFile(path: placed, size: size)
  }

  func close(_ content: PartialContent?) async {
    let (file, older, flushes) = state.withLock { ($0.file, $0.older?.file, $0.flushes) }
    guard let file else { return }
    // If one has failed, so does the transfer; what is there is flushed once more.
    try? await flushes.finish()
    try? await BlockingQueue.files.run {
      defer {
        file.end()
        older?.end()
      }
      // Without a validator, or a first reply, there is nothing to go on from.
      guard let content, content.validator != nil, older == nil || content.count > 0 else {
        return file.remove()
      }
      try Self.keep(content, in: file)
    }
    state.withLock { $0 = State() }
  }

  func discard() async {
    try? await BlockingQueue.files.run {
      let path = try self.workingPath()
      for names in [PartialNames(for: path), PartialNames(for: path, isReplacement: true)]
      // Without a journal it is somebody else's.
      where PartialFile.earlierJournal(names.journal) != nil {
        unlink(names.partial)
        unlink(names.journal)
      }
    }
  }
}
