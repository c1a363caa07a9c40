#if Brotli
  /// The coding `br`, using the system's Brotli library. Requires the trait `Brotli` (RFC 7932).
  ///
  /// The window of a stream is at most 16 MiB: the larger windows of some encoders are not part of the coding and are
  /// refused. A body is one stream, and anything after it is ignored. Brotli has no checksum, so corrupted content
  /// may decode to something else; and its output is delayed, so an error may lose the output of up to the last 4 KiB
  /// of valid encoded bytes.
  public struct BrotliCoding: ContentCoding {
    /// Creates the coding.
    public init() {}

    /// The name of the coding: `br`.
    public var name: String { "br" }

    /// Returns a decoder for one body.
    public func makeDecoder() throws(ContentCodingError) -> any ContentDecoder {
      try BrotliDecoder()
    }
  }
#endif
