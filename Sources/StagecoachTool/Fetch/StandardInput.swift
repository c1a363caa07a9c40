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

  /// Standard input as content, read while it is sent. It has no known length and can be read only once.
  final class StandardInput: BodySource {
    private static let chunkSize = 256 * 1024

    private let isCancelled = Atomic(false)

    func next() async throws -> Bytes? {
      let chunk = try await withTaskCancellationHandler {
        try await BlockingQueue.files.run { [self] in
          try Descriptor.read(upTo: Self.chunkSize, from: STDIN_FILENO, "standard input") {
            isCancelled.load(ordering: .relaxed)
          }
        }
      } onCancel: {
        cancel()
      }
      return chunk.isEmpty ? nil : Bytes(chunk)
    }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Reads it to its end.
    ///
    /// - Throws: `ExchangeError` of kind `file`, also if there are more bytes than the limit.
    func content(limit: Int) async throws -> [UInt8] {
      var content: [UInt8] = []
      while let chunk = try await next() {
        guard content.count + chunk.count <= limit else {
          throw ExchangeError(.file, "standard input has more than \(limit) bytes")
        }
        chunk.withUnsafeBytes { content += $0 }
      }
      return content
    }
  }

  extension FileArgument {
    /// Whether the file is standard input, `@-`.
    var isStandardInput: Bool { path == "-" }

    /// The name of the file in errors.
    var shownName: String { isStandardInput ? "standard input" : path }

    /// The content, read while it is sent.
    ///
    /// - Throws: `ExchangeError` of kind `file`.
    func body() throws -> Request.Body {
      guard isStandardInput else { return try .file(path) }
      return .source(length: nil, isReplayable: false) { StandardInput() }
    }

    /// Reads the content into memory.
    ///
    /// - Throws: `ExchangeError` of kind `file`, also if there are more bytes than the limit.
    func content(limit: Int) async throws -> [UInt8] {
      if isStandardInput { return try await StandardInput().content(limit: limit) }
      return try await BlockingQueue.files.run { [path] in try Descriptor.read(path, limit: limit) }
    }
  }
#endif
