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
    let head = try resolvedRequest().head
    let journal = TransferJournal(
      method: head.method.rawValue,
      url: "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")",
      boot: MachineBoot.identifier
    )
    let (file, kept) = try await BlockingQueue.files.run {
      try PartialFile.open(try self.workingPath(), journal: journal, permissions: self.serializer.permissions)
    }
    state.withLock { $0 = State(file: file) }
    return kept
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
    let file = try opened()
    let path = try finalPath(response)
    let size = content.total ?? content.count
    try await state.withLock { $0.flushes }.finish()
    let (serializer, checksum) = (serializer, checksum)
    let placed = try await BlockingQueue.files.run {
      let expected = [checksum, content.digest.flatMap { Checksum(digestField: $0) }].compactMap(\.self)
      for expected in Set(expected) {
        guard let actual = try file.checksum(expected.algorithm), actual != expected else { continue }
        // Nothing of it can be trusted, so nothing is kept.
        file.remove()
        file.end()
        self.state.withLock { $0.file = nil }
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
      return placed
    }
    state.withLock { $0.file = nil }
    return SavedFile(path: placed, size: size)
  }

  func close(_ content: PartialContent?) async {
    guard let file = state.withLock({ $0.file }) else { return }
    // If one has failed, so does the transfer; what is there is flushed once more.
    try? await state.withLock { $0.flushes }.finish()
    try? await BlockingQueue.files.run {
      defer { file.end() }
      // Without a validator, or a first reply, there is nothing to go on from.
      guard let content, content.validator != nil else { return file.remove() }
      // Bytes after those that count are wrong.
      if content.spans.count == 1 { try file.cut(to: content.count) }
      try file.keep(content, isSynced: true)
    }
    state.withLock { $0.file = nil }
  }

  func discard() async {
    try? await BlockingQueue.files.run {
      let names = PartialFile.names(for: try self.workingPath())
      unlink(names.partial)
      unlink(names.journal)
    }
  }
}
