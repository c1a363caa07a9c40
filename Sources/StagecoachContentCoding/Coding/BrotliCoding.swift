#if Brotli
  /// The coding `br` (RFC 7932), over the system's Brotli. It takes the trait `Brotli`.
  ///
  /// The window of a stream is at most 16 MiB: the large windows that some encoders know are no part of the
  /// coding and are refused. A body is one stream, anything after it is an error. Brotli has no check value, so
  /// that broken content may decode to something else; and it gives out what it has decoded with a delay, so
  /// that an error may swallow what the last 4 KiB of good coded bytes stood for.
  public struct BrotliCoding: ContentCoding {
    /// The coding.
    public init() {}

    /// `br`
    public var name: String { "br" }

    /// A decoder for one body.
    public func makeDecoder() throws(ContentCodingError) -> any ContentDecoder {
      try BrotliDecoder()
    }
  }
#endif
