#if Zstandard
  /// The coding `zstd` (RFC 8878), over the system's library. It takes the trait `Zstandard`.
  ///
  /// All frames of a body are decoded, one after the other, skippable ones are skipped, and check values are
  /// compared where a frame has one. A frame may ask for a window of at most 8 MiB, as RFC 9659 demands, and not
  /// for a dictionary. Anything else after a frame is an error.
  public struct ZstandardCoding: ContentCoding {
    /// The coding.
    public init() {}

    /// `zstd`
    public var name: String { "zstd" }

    /// A decoder for one body.
    public func makeDecoder() throws(ContentCodingError) -> any ContentDecoder {
      try ZstandardDecoder()
    }
  }
#endif
