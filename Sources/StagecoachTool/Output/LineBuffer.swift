#if Tool
  import HTTPTypes
  import Stagecoach
  import Synchronization

  /// Buffers the lines made from a body, to reduce the number of system calls.
  ///
  /// Lines are written before more bytes are requested: a slow body shows each line immediately, and a fast one needs
  /// one call per chunk, or per 64 KiB of lines.
  final class LineBuffer: Sendable {
    private static let capacity = 64 << 10

    private let sink: any Sink
    private let lines = Mutex<[UInt8]>([])

    init(_ sink: any Sink) { self.sink = sink }

    /// Adds a text and the end of its line.
    ///
    /// - Returns: How many bytes that is.
    /// - Throws: What the sink throws.
    func append(_ line: [UInt8]) async throws -> Int {
      let isFull = lines.withLock { lines in
        lines += line
        lines.append(UInt8(ascii: "\n"))
        return lines.count >= Self.capacity
      }
      if isFull { try await flush() }
      return line.count + 1
    }

    /// Writes what is there.
    ///
    /// - Throws: What the sink throws.
    func flush() async throws {
      let bytes = lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
      if !bytes.isEmpty { try await sink.write(Bytes(bytes)) }
    }

    /// A body that lets the lines out before it waits for more.
    func body(_ body: Response.Body) -> Response.Body {
      Response.Body(transforming: Source(body, self))
    }

    private final class Source: BodySource {
      private let reader: BodyReader
      private let buffer: LineBuffer

      init(_ body: Response.Body, _ buffer: LineBuffer) {
        reader = BodyReader(body)
        self.buffer = buffer
      }

      func next() async throws -> Bytes? {
        try await buffer.flush()
        return try await reader.next()
      }

      var trailers: HTTPFields? { reader.trailers }

      func cancel() { reader.cancel() }
    }
  }
#endif
