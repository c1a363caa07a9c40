#if AsyncHTTPClient
  import StagecoachCore
  import StagecoachTransportKit

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Limits the overhead of chunked bodies (RFC 9112 7.1.1): extensions, and leading zeros of a size. It finds their
  /// trailer section and their end.
  ///
  /// It sees the octets before the parser does, and leaves malformed chunks to the parser.
  struct ChunkMeter {
    /// The maximum number of octets beside the data of one chunk.
    static let chunkLimit = 1024
    /// The maximum number of octets beside the data of all chunks of a message.
    static let messageLimit = 16 * 1024
    /// The number of digits of the largest size.
    private static let mostDigits = 16

    private enum State {
      case size, `extension`
      case data(UInt64)
      /// The end of the line after the data of a chunk.
      case dataEnd
      /// Trailer fields, which have separate limits, with the size of the current line.
      case trailers(Int)
      /// The end of the message, or a malformed chunk.
      case passed
    }

    /// The result of examining a part of a body.
    struct Finding {
      /// The position of the trailer section, or of the empty line in its place, if it starts in this part.
      var trailers: Int?
      /// The position behind the message, if it ends in this part.
      var end: Int?
    }

    private var state = State.size
    private var size: UInt64 = 0
    private var digits = 0
    private var beside = 0
    private var total = 0
    private var last: UInt8 = 0
    /// A defect that the parser refuses without a useful description.
    private(set) var defect: String?

    /// Processes more octets of a body.
    ///
    /// - Throws: ``ExchangeError`` of kind `limit(.responseHead)`.
    mutating func add(_ bytes: UnsafeRawBufferPointer) throws -> Finding {
      var finding = Finding()
      var index = 0
      while index < bytes.count {
        switch state {
        case .size:
          try addToSize(bytes[index])
          last = bytes[index]
          index += 1
          if case .trailers = state { finding.trailers = index }
        case .extension:
          let end = Self.lineFeed(in: bytes, from: index)
          let stop = end ?? bytes.count
          if stop > index { last = bytes[stop - 1] }
          // The carriage return of the line end does not count.
          try count(stop - index - (stop > index && last == 0x0d ? 1 : 0))
          index = stop
          if end != nil { state = .size }
        case .data(let left):
          let count = min(left, UInt64(bytes.count - index))
          index += Int(count)
          state = left == count ? .dataEnd : .data(left - count)
        case .dataEnd:
          if bytes[index] == 0x0a { begin() }
          index += 1
        case .trailers(let size):
          guard let end = Self.lineFeed(in: bytes, from: index) else {
            last = bytes[bytes.count - 1]
            state = .trailers(size + bytes.count - index)
            return finding
          }
          let count = size + end - index
          let before = end > index ? bytes[end - 1] : last
          index = end + 1
          guard count == 0 || count == 1 && before == 0x0d else {
            state = .trailers(0)
            continue
          }
          state = .passed
          finding.end = index
          return finding
        case .passed: return finding
        }
      }
      return finding
    }

    private mutating func begin() {
      (state, size, digits, beside) = (.size, 0, 0, 0)
    }

    private mutating func addToSize(_ byte: UInt8) throws {
      switch byte {
      case 0x0a:
        if last != 0x0d { defect = "a chunk size that ends with a bare LF (RFC 9112 7.1)" }
        state = size > 0 ? .data(size) : digits > 0 ? .trailers(0) : .passed
      case 0x0d: break
      default:
        guard let digit = Self.digit(byte) else {
          if byte == 0x20 || byte == 0x09 { defect = "white space after a chunk size (RFC 9112 7.1.1)" }
          state = .extension
          return try count(1)
        }
        let (sixteenfold, overflow) = size.multipliedReportingOverflow(by: 16)
        guard !overflow else { return state = .passed }
        size = sixteenfold + digit
        digits += 1
        if digits > Self.mostDigits { try count(1) }
      }
    }

    private mutating func count(_ octets: Int) throws {
      beside += octets
      total += octets
      guard beside > Self.chunkLimit || total > Self.messageLimit else { return }
      let text = "\(Self.chunkLimit) bytes of extensions for a chunk, \(Self.messageLimit) for all"
      var error = ExchangeError(
        .limit(.responseHead),
        "the chunks of the response have more than \(text)"
      )
      error.setLimitOfEngine(text)
      throw error
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
      switch byte {
      case 0x30...0x39: UInt64(byte - 0x30)
      case 0x41...0x46, 0x61...0x66: UInt64((byte | 0x20) - 0x61 + 10)
      default: nil
      }
    }

    private static func lineFeed(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
      guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0a, bytes.count - start) else {
        return nil
      }
      return UnsafeRawPointer(found) - base
    }
  }
#endif
