internal import CZlib
import StagecoachCore

/// A stream of zlib that makes one member of gzip.
///
/// The same content always gives the same bytes: the header names neither a time nor a file.
final class Deflater {
  private static let room = 64 * 1024
  /// The largest window, and the wrapping of RFC 1952.
  private static let windowBits: Int32 = 31
  /// zlib's default use of memory: 256 KiB in all.
  private static let memoryLevel: Int32 = 8

  // zlib's state points back to the stream, which must never move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var output = [UInt8](repeating: 0, count: room)
  private var filled = 0
  private var input = Bytes()
  private var inputHasEnded = false
  private var hasEnded = false

  init(level: Int) throws(ExchangeError) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = deflateInit2_(
      stream,
      Int32(min(max(level, 1), 9)),
      Z_DEFLATED,
      Self.windowBits,
      Self.memoryLevel,
      Z_DEFAULT_STRATEGY,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    guard status == Z_OK else {
      stream.deallocate()
      throw Self.failure(status)
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// The result of a compression step.
  enum Step {
    case chunk(Bytes)
    case needsInput
    case end
  }

  /// Gives the next bytes, or nil at the end, once ``next()`` has asked for them.
  func append(_ chunk: Bytes?) {
    input = chunk ?? Bytes()
    inputHasEnded = chunk == nil
  }

  /// The next compressed bytes: 64 KiB, or what is left at the end.
  func next() throws(ExchangeError) -> Step {
    while !hasEnded {
      guard !input.isEmpty || inputHasEnded else { return .needsInput }
      try deflate()
      if hasEnded || filled == Self.room {
        defer { filled = 0 }
        return .chunk(Bytes(Array(output[..<filled])))
      }
    }
    return .end
  }

  private func deflate() throws(ExchangeError) {
    let status = output.withUnsafeMutableBytes { output in
      input.withUnsafeBytes { input in
        // zlib reads through this pointer only, it is mutable for the sake of old compilers.
        stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?
          .assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(clamping: input.count)
        stream.pointee.next_out = (output.baseAddress?.assumingMemoryBound(to: UInt8.self)).map {
          $0 + filled
        }
        stream.pointee.avail_out = UInt32(clamping: Self.room - filled)
        return CZlib.deflate(stream, inputHasEnded ? Z_FINISH : Z_NO_FLUSH)
      }
    }
    guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
      throw Self.failure(status)
    }
    hasEnded = status == Z_STREAM_END
    filled = Self.room - Int(stream.pointee.avail_out)
    input = input.dropFirst(min(input.count, Int(UInt32.max)) - Int(stream.pointee.avail_in))
  }

  private static func failure(_ status: Int32) -> ExchangeError {
    ExchangeError(.contentCoding(.coder), "compressing the request body failed: \(zlibMessage(status))")
  }
}

extension Bytes {
  /// One member of gzip; nil if that would not be smaller.
  func compressed(level: Int) throws(ExchangeError) -> Bytes? {
    let deflater = try Deflater(level: level)
    deflater.append(self)
    var all: [UInt8] = []
    while true {
      switch try deflater.next() {
      case .chunk(let chunk):
        guard chunk.count < count - all.count else { return nil }
        chunk.withUnsafeBytes { all.append(contentsOf: $0) }
      case .needsInput: deflater.append(nil)
      case .end: return Bytes(all)
      }
    }
  }
}
