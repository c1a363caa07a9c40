import Foundation
import StagecoachCore
import Synchronization

/// The content of a request, complete before any of it is sent.
///
/// The engine on Linux takes a stream without available data for an ended one, and can only wait by blocking the one
/// thread that all sessions of the process share. So a stream is first read to its end, into memory if it is small, and
/// otherwise into a file, which the engine reads with backpressure. Apple's systems do the same, so that code behaves
/// alike on both.
enum RequestContent: Sendable {
  case none
  case data(Data)
  case file(TemporaryFile, length: Int64)

  /// The length in bytes.
  var length: Int64 {
    switch self {
    case .none: 0
    case .data(let data): Int64(data.count)
    case .file(_, let length): length
    }
  }

  /// The maximum size of content in memory, in bytes.
  private static let memoryLimit = 1024 * 1024

  /// - Throws: An error of the body source; `ExchangeError` of kind `timeout(.idle)` if the source pauses for longer
  ///   than the request allows, `file` if the content cannot be stored; `CancellationError`.
  init(of request: Request, _ watchdog: Watchdog) async throws {
    if let bytes = request.body.bytes {
      self = bytes.isEmpty ? .none : .data(Data(bytes))
      return
    }
    let source = try request.body.makeSource()
    let expiry = Expiry()
    let limit = request.options.idleTimeout
    let watch = watchdog.watch(for: limit) {
      expiry.note()
      source.cancel()
    }
    defer { watchdog.remove(watch) }
    do {
      self = try await Self.read(source) { watchdog.move(watch, to: limit) }
    } catch {
      source.cancel()
      if expiry.hasPassed { throw ExchangeError.timeout(.idle, after: limit ?? .zero) }
      throw Self.failure(error)
    }
    if expiry.hasPassed { throw ExchangeError.timeout(.idle, after: limit ?? .zero) }
  }

  private static func read(_ source: any BodySource, onChunk: () -> Void) async throws -> RequestContent {
    var data = Data()
    var file: TemporaryFile?
    var length: Int64 = 0
    while let chunk = try await source.next() {
      onChunk()
      length += Int64(chunk.count)
      chunk.withUnsafeBytes { data.append(contentsOf: $0) }
      guard data.count > memoryLimit else { continue }
      let open = try file ?? TemporaryFile()
      try open.append(data)
      data.removeAll(keepingCapacity: true)
      file = open
    }
    guard let file else { return data.isEmpty ? .none : .data(data) }
    try file.append(data)
    return .file(file, length: length)
  }

  private static func failure(_ error: any Error) -> any Error {
    if error is CancellationError || error is ExchangeError { return error }
    return ExchangeError(.requestBody, "the request body failed: \(error)", underlying: error)
  }
}

/// Whether a deadline has passed.
private final class Expiry: Sendable {
  private let passed = Atomic(false)

  func note() { passed.store(true, ordering: .relaxed) }

  var hasPassed: Bool { passed.load(ordering: .relaxed) }
}

/// A file that is deleted with the last reference to it.
final class TemporaryFile: Sendable {
  let url: URL
  private let handle: Mutex<FileHandle?>

  /// - Throws: `ExchangeError` of kind `file`.
  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "stagecoach-body-\(UUID().uuidString)"
    )
    // Readable only by the user of the process.
    let isMade = FileManager.default.createFile(
      atPath: url.path,
      contents: nil,
      attributes: [.posixPermissions: 0o600]
    )
    guard isMade else { throw Self.failure("could not be made", nil) }
    do {
      handle = Mutex(try FileHandle(forWritingTo: url))
    } catch {
      throw Self.failure("could not be opened", error)
    }
  }

  deinit {
    try? handle.withLock { try $0?.close() }
    try? FileManager.default.removeItem(at: url)
  }

  /// - Throws: `ExchangeError` of kind `file`.
  func append(_ data: Data) throws {
    do {
      try handle.withLock { try $0?.write(contentsOf: data) }
    } catch {
      throw Self.failure("could not be written", error)
    }
  }

  private static func failure(_ what: String, _ error: (any Error)?) -> ExchangeError {
    ExchangeError(
      .file,
      "the temporary file for the request body \(what)",
      advice: "make room in the temporary directory, or send a body that is in memory",
      underlying: error
    )
  }
}
