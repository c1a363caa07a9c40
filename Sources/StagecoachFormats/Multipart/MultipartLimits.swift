/// The limits of a multipart reader. They also bound its memory, together with the size of the chunks that it is
/// given.
public struct MultipartLimits: Sendable, Hashable {
  /// The maximum number of parts; 10 000 by default.
  public var partCount = 10_000
  /// The maximum size of the fields of one part, including line ends, in bytes; 16 KiB by default. More than 1,000
  /// fields are always refused.
  public var headSize = 16 * 1024
  /// The maximum number of bytes before the first boundary; 64 KiB by default.
  public var preambleSize = 64 * 1024
  /// The maximum length of a boundary in bytes; 70 by default (RFC 2046 5.1.1).
  public var boundaryLength = 70

  /// Creates the default limits.
  public init() {}
}
