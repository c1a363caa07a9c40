#if Zstandard
  /// The coding `zstd`, using the system's library. Requires the trait `Zstandard` (RFC 8878).
  ///
  /// All frames of a body are decoded, one after the other; skippable frames are skipped, and checksums are verified
  /// if present. A frame may use a window of at most 8 MiB (RFC 9659) and no dictionary. Anything else after a frame
  /// is ignored.
  public struct ZstandardCoding: ContentCoding {
    /// Creates the coding.
    public init() {}

    /// The name of the coding: `zstd`.
    public var name: String { "zstd" }

    /// Returns a decoder for one body.
    public func makeDecoder() throws(ContentCodingError) -> any ContentDecoder {
      try ZstandardDecoder()
    }
  }
#endif
