internal import CZlib
import StagecoachCore

/// A stream of zlib that inflates.
final class Inflater {
  /// The format around the compressed data.
  enum Wrapping: Int32 {
    /// The header, and the check value and length at the end, of RFC 1952.
    case gzip = 31
    /// The header and the check value of RFC 1950.
    case zlib = 15
    /// Nothing (RFC 1951).
    case none = -15
  }

  /// The outcome of a call.
  enum Outcome {
    case isUnderWay
    case hasEnded
    case failed(ContentCodingError)
  }

  // zlib's state points back to the stream, which therefore must never move.
  private let stream: UnsafeMutablePointer<z_stream>

  init() throws(ContentCodingError) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // The wrapping is set by `start`, always.
    let status = inflateInit2_(
      stream,
      Wrapping.none.rawValue,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    guard status == Z_OK else {
      stream.deallocate()
      throw ContentCodingError(.coder, "zlib failed to start: \(zlibMessage(status))")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Begins anew.
  func start(_ wrapping: Wrapping) {
    inflateReset2(stream, wrapping.rawValue)
  }

  /// Inflates as much as there is input and room for. The counts are true for every outcome.
  func inflate(
    _ input: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) -> (consumed: Int, produced: Int, outcome: Outcome) {
    let available = UInt32(clamping: input.count)
    let room = UInt32(clamping: output.count)
    // zlib reads through this pointer only, it is mutable for the sake of old compilers.
    stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?
      .assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = available
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = room
    let status = CZlib.inflate(stream, Z_NO_FLUSH)
    let outcome: Outcome =
      switch status {
      case Z_OK, Z_BUF_ERROR: .isUnderWay
      case Z_STREAM_END: .hasEnded
      case Z_NEED_DICT: .failed(ContentCodingError(.malformed, "the data requires a preset dictionary"))
      case Z_DATA_ERROR: .failed(dataError)
      default: .failed(ContentCodingError(.coder, zlibMessage(status)))
      }
    return (Int(available - stream.pointee.avail_in), Int(room - stream.pointee.avail_out), outcome)
  }

  private var dataError: ContentCodingError {
    let message = stream.pointee.msg.map { String(cString: $0) } ?? "invalid data"
    // zlib describes the error only by a text.
    let isCheck = message == "incorrect data check" || message == "incorrect length check"
    return ContentCodingError(isCheck ? .checksum : .malformed, message)
  }
}

/// Returns the message for a status of zlib.
func zlibMessage(_ status: Int32) -> String {
  zError(status).map { String(cString: $0) } ?? "status \(status)"
}
