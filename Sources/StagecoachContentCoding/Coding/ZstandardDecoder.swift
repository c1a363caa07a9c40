#if Zstandard
  internal import CZstd
  import StagecoachCore

  /// Decodes frames of Zstandard.
  final class ZstandardDecoder: ContentDecoder {
    /// 8 MiB (RFC 9659 3).
    private static let windowLog: Int32 = 23
    /// The size of the header of a block, the part of a frame that the library likes to get beforehand.
    private static let blockHeader = 3

    private let context: OpaquePointer
    /// The first bytes of a frame, until its type is known.
    private var magic: [UInt8] = []
    /// The number of bytes that the library wants next; 0 between two frames.
    private var wanted = 0
    private var frames = 0
    /// Whether something else follows the last frame.
    private var hasEnded = false
    private var mayHoldOutput = false
    private var failure: ContentCodingError?

    init() throws(ContentCodingError) {
      guard let context = ZSTD_createDCtx() else {
        throw ContentCodingError(.coder, "Zstandard ran out of memory")
      }
      self.context = context
      let status = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowLog)
      // The context already belongs to this object, which frees it.
      guard ZSTD_isError(status) == 0 else { throw Self.error(status) }
    }

    deinit {
      ZSTD_freeDCtx(context)
    }

    func decode(
      _ input: UnsafeRawBufferPointer,
      into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> (consumed: Int, produced: Int) {
      var (consumed, produced) = (0, 0)
      while failure == nil, !hasEnded, produced < output.count, mayHoldOutput || consumed < input.count {
        let rest = UnsafeRawBufferPointer(rebasing: input[consumed...])
        if wanted == 0, !mayHoldOutput {
          consumed += begin(with: rest)
          continue
        }
        let room = UnsafeMutableRawBufferPointer(rebasing: output[produced...])
        let step = decompress(UnsafeRawBufferPointer(rebasing: rest.prefix(next)), into: room)
        consumed += step.consumed
        produced += step.produced
      }
      // Decoded bytes are passed on first.
      if produced == 0, let failure { throw failure }
      return (consumed, produced)
    }

    /// The number of bytes to pass to the library.
    ///
    /// The library discards the output of a call that fails. So a call gets at most the rest of a block, and nothing
    /// while output is pending: an error then occurs separately. The last bytes are passed one by one, because a
    /// stored block fails at its last byte if the frame is shorter than declared.
    private var next: Int {
      if mayHoldOutput { return 0 }
      return wanted > Self.blockHeader ? wanted - Self.blockHeader : 1
    }

    /// Collects the four bytes that a frame begins with. The library would take formats that are older than the
    /// coding too.
    private func begin(with input: UnsafeRawBufferPointer) -> Int {
      let taken = input.prefix(4 - magic.count)
      magic.append(contentsOf: taken)
      guard Self.isMagic(magic) else {
        if frames == 0 {
          failure = ContentCodingError(.malformed, "the content does not start like Zstandard")
          return taken.count
        }
        (hasEnded, magic) = (true, [])
        return 0
      }
      guard magic.count == 4 else { return taken.count }
      // Four bytes are too few to give anything.
      var nothing: UInt8 = 0
      withUnsafeMutableBytes(of: &nothing) { room in
        _ = magic.withUnsafeBytes { decompress($0, into: room) }
      }
      magic = []
      return taken.count
    }

    private static func isMagic(_ bytes: [UInt8]) -> Bool {
      let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
      if frame.starts(with: bytes) { return true }
      guard let first = bytes.first, 0x50...0x5F ~= first else { return false }
      return [0x2A, 0x4D, 0x18].starts(with: bytes.dropFirst())
    }

    private func decompress(
      _ input: UnsafeRawBufferPointer,
      into output: UnsafeMutableRawBufferPointer
    ) -> (consumed: Int, produced: Int) {
      var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
      var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
      let status = ZSTD_decompressStream(context, &target, &source)
      guard ZSTD_isError(status) == 0 else {
        failure = Self.error(status)
        return (source.pos, target.pos)
      }
      wanted = status
      mayHoldOutput = status > 0 && target.pos == target.size
      if status == 0 { frames += 1 }
      return (source.pos, target.pos)
    }

    private static func error(_ status: Int) -> ContentCodingError {
      let text = String(cString: ZSTD_getErrorName(status))
      return switch ZSTD_getErrorCode(status) {
      case ZSTD_error_checksum_wrong: ContentCodingError(.checksum, text)
      case ZSTD_error_memory_allocation: ContentCodingError(.coder, text)
      case ZSTD_error_frameParameter_windowTooLarge:
        ContentCodingError(
          .malformed,
          "the data requires a window of more than 8 MiB, which is not allowed (RFC 9659)"
        )
      case ZSTD_error_dictionary_wrong: ContentCodingError(.malformed, "the data requires a dictionary")
      default: ContentCodingError(.malformed, text)
      }
    }

    func finish() throws(ContentCodingError) {
      if let failure { throw failure }
      // A single octet behind a frame does not start another one.
      guard wanted == 0, magic.isEmpty || frames > 0 && magic.count == 1 else { throw .truncated }
    }
  }
#endif
