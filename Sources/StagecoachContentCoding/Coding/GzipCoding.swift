/// The coding `gzip`, also named `x-gzip` (RFC 9110 8.4.1.3, RFC 1952).
///
/// All members of the data are decoded, one after the other, and their checksums and lengths are verified. Anything
/// else after the last member is ignored, with ``ContentDecodingEvent/ignoredTrailingData(_:)`` unless it is zeros.
public struct GzipCoding: ContentCoding {
  /// Whether to pass on content unchanged that does not start like gzip, for servers that mislabel plain content; by
  /// default it is an error.
  public var passesPlainContent: Bool

  /// Creates the coding.
  public init(passesPlainContent: Bool = false) {
    self.passesPlainContent = passesPlainContent
  }

  /// The name of the coding: `gzip`.
  public var name: String { "gzip" }

  /// The other name of the coding: `x-gzip`.
  public var aliases: [String] { ["x-gzip"] }

  /// Returns a decoder for one body.
  public func makeDecoder() throws(ContentCodingError) -> any ContentDecoder {
    try InflatingDecoder(.gzip(passesPlainContent: passesPlainContent))
  }
}
