import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A range of a regular file, checked to exist.
struct FileRange: Sendable {
  let path: String
  let offset: Int64
  let length: Int64
  /// Whether the range is the whole file.
  let isWhole: Bool

  init(path: String, range: Range<Int64>?) throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw ExchangeError.file("cannot read", path, errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ExchangeError(
        .file,
        "\(path) is not a regular file",
        advice: "send pipes and devices with Request.Body.oneShot"
      )
    }
    let size = Int64(status.st_size)
    if let range, range.lowerBound < 0 || range.upperBound > size {
      throw ExchangeError(.file, "the range \(range) is outside of \(path), which has \(size) bytes")
    }
    self.path = path
    isWhole = range == nil
    self.offset = range?.lowerBound ?? 0
    self.length = range.map { $0.upperBound - $0.lowerBound } ?? size
  }
}

/// Reads a range of a file chunk by chunk, outside of the cooperative thread pool because disks may block.
final class FileSource: BodySource {
  private static let chunkSize = 256 * 1024

  private struct Access {
    var descriptor: Int32?
    /// Whether a thread is reading. That thread then closes the file if it is cancelled meanwhile, because a read may
    /// take long and cancelling must not wait for it.
    var isReading = false
    var isCancelled = false

    /// - Returns: The descriptor to close, if any.
    mutating func end() -> Int32? {
      isCancelled = true
      guard !isReading else { return nil }
      defer { descriptor = nil }
      return descriptor
    }
  }

  private let file: FileRange
  private let access: Mutex<Access>
  private let position = Mutex<Int64>(0)

  init(_ file: FileRange) throws {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ExchangeError.file("cannot open", file.path, errno) }
    self.file = file
    access = Mutex(Access(descriptor: descriptor))
  }

  deinit {
    cancel()
  }

  func next() async throws -> Bytes? {
    try Task.checkCancellation()
    let chunk = try await BlockingQueue.files.run { try self.read() }
    if chunk == nil { cancel() }
    return chunk
  }

  private func read() throws -> Bytes? {
    let position = self.position.withLock { $0 }
    let wanted = Int(min(file.length - position, Int64(Self.chunkSize)))
    guard wanted > 0 else { return nil }
    let descriptor = try access.withLock { access in
      guard let descriptor = access.descriptor, !access.isCancelled else { throw CancellationError() }
      access.isReading = true
      return descriptor
    }
    defer { endRead() }
    let chunk = try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      var result: Int
      repeat {
        result = pread(descriptor, buffer.baseAddress, wanted, off_t(file.offset + position))
      } while result < 0 && errno == EINTR
      guard result >= 0 else { throw ExchangeError.file("cannot read", file.path, errno) }
      count = result
    }
    guard !chunk.isEmpty else {
      throw ExchangeError(
        .file,
        "\(file.path) ended after \(position) of \(file.length) bytes: the file was truncated while being sent"
      )
    }
    self.position.withLock { $0 += Int64(chunk.count) }
    return Bytes(chunk)
  }

  private func endRead() {
    let unused = access.withLock { access in
      access.isReading = false
      return access.isCancelled ? access.end() : nil
    }
    if let unused { close(unused) }
  }

  func cancel() {
    if let unused = access.withLock({ $0.end() }) { close(unused) }
  }
}
