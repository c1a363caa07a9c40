#if Tool
  import NIOCore
  import NIOHTTP1

  /// Makes a response body piece by piece, as fast as the peer takes it.
  protocol BodyProducer: AnyObject {
    /// The length if it is known; nil means chunked transfer coding.
    var length: Int? { get }
    func next() -> BodyStep
  }

  enum BodyStep {
    case bytes(ByteBuffer)
    case pause(TimeAmount)
    case end(trailers: HTTPHeaders?)
  }

  /// The bytes that the streaming routes send: byte i is i modulo 251.
  ///
  /// A prime period makes a lost, repeated or misplaced block of a power of two visible.
  enum Pattern {
    static let period = 251
    private static let block: ByteBuffer = {
      var block = ByteBuffer()
      for index in 0..<(period * 1024) { block.writeInteger(UInt8(index % period)) }
      return block
    }()

    /// The longest slice that ``bytes(at:upTo:)`` returns.
    static let longest = period * 1023

    /// A slice of shared storage, no longer than asked for and than ``longest``.
    static func bytes(at offset: Int, upTo count: Int) -> ByteBuffer {
      let length = min(count, longest)
      return block.getSlice(at: offset % period, length: length) ?? ByteBuffer()
    }
  }

  /// A given number of pattern bytes in constant memory.
  final class PatternBody: BodyProducer {
    let length: Int?
    private let end: Int
    private var offset = 0

    init(length: Int) {
      self.length = length
      end = length
    }

    func next() -> BodyStep {
      guard offset < end else { return .end(trailers: nil) }
      let bytes = Pattern.bytes(at: offset, upTo: end - offset)
      offset += bytes.readableBytes
      return .bytes(bytes)
    }
  }

  /// Equal pieces with a pause between two of them.
  final class PacedBody: BodyProducer {
    let length: Int?
    private let pieces: Int
    private let size: Int
    private let pause: TimeAmount
    private let hasTrailers: Bool
    private var sent = 0
    private var isPaused = false
    private var checksum = FNV1a64()

    init(pieces: Int, size: Int, pause: TimeAmount, isChunked: Bool, hasTrailers: Bool = false) {
      self.pieces = pieces
      self.size = size
      self.pause = pause
      self.hasTrailers = hasTrailers
      length = isChunked ? nil : pieces * size
    }

    func next() -> BodyStep {
      guard sent < pieces else {
        guard hasTrailers else { return .end(trailers: nil) }
        return .end(trailers: ["X-Chunks": "\(pieces)", "X-Checksum": checksum.hexadecimal])
      }
      if sent > 0, pause > .zero, !isPaused {
        isPaused = true
        return .pause(pause)
      }
      isPaused = false
      let bytes = Pattern.bytes(at: sent * size, upTo: size)
      if hasTrailers { checksum.update(bytes.readableBytesView) }
      sent += 1
      return .bytes(bytes)
    }
  }
#endif
