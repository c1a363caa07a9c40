#if Brotli
  internal import CBrotli
  import StagecoachCore

  /// Decodes one stream of Brotli.
  final class BrotliDecoder: ContentDecoder {
    /// The size of the input passed to the library at a time. It returns decoded bytes when it needs more input, and
    /// nothing after an error.
    private static let slice = 4096

    private let state: OpaquePointer
    private var hasEnded = false
    private var failure: ContentCodingError?

    init() throws(ContentCodingError) {
      guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else {
        throw ContentCodingError(.coder, "Brotli ran out of memory")
      }
      self.state = state
    }

    deinit {
      BrotliDecoderDestroyInstance(state)
    }

    func decode(
      _ input: UnsafeRawBufferPointer,
      into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> (consumed: Int, produced: Int) {
      var (consumed, produced) = (0, 0)
      var wantsMore = true
      while wantsMore, failure == nil, !hasEnded, produced < output.count {
        let slice = UnsafeRawBufferPointer(rebasing: input[consumed...].prefix(Self.slice))
        let room = UnsafeMutableRawBufferPointer(rebasing: output[produced...])
        let step = decompress(slice, into: room)
        consumed += step.consumed
        produced += step.produced
        switch step.result {
        case BROTLI_DECODER_RESULT_SUCCESS: hasEnded = true
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: wantsMore = consumed < input.count
        case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: wantsMore = false
        default: failure = error
        }
      }
      // Decoded bytes are passed on first.
      if produced == 0, let failure { throw failure }
      return (consumed, produced)
    }

    private func decompress(
      _ input: UnsafeRawBufferPointer,
      into output: UnsafeMutableRawBufferPointer
    ) -> (consumed: Int, produced: Int, result: BrotliDecoderResult) {
      var (available, room) = (input.count, output.count)
      var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
      var free = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let result = BrotliDecoderDecompressStream(state, &available, &next, &room, &free, nil)
      return (input.count - available, output.count - room, result)
    }

    private var error: ContentCodingError {
      let code = BrotliDecoderGetErrorCode(state)
      let name = BrotliDecoderErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
      // Codes above this one are the input's fault, the others are not (see `brotli/decode.h`).
      guard code.rawValue > BROTLI_DECODER_ERROR_DICTIONARY_NOT_SET.rawValue else {
        return ContentCodingError(.coder, "Brotli failed: \(name)")
      }
      return ContentCodingError(.malformed, "Brotli reports \(name)")
    }

    func finish() throws(ContentCodingError) {
      if let failure { throw failure }
      guard hasEnded else { throw .truncated }
    }
  }
#endif
