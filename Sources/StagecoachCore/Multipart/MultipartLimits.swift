/// What a reader of multipart content accepts at most. Its memory is bounded by these and by the chunks that it
/// is given.
public struct MultipartLimits: Sendable, Hashable {
  /// The most parts; 10 000 by default.
  public var partCount = 10_000
  /// The most bytes of the fields of one part, line ends included; 16 KiB by default. More than 1,000 fields are
  /// refused whatever their size.
  public var headSize = 16 * 1024
  /// The most bytes in front of the first boundary; 64 KiB by default.
  public var preambleSize = 64 * 1024
  /// The most bytes of a boundary; 70 by default, which is what RFC 2046 5.1.1 allows.
  public var boundaryLength = 70

  /// The defaults.
  public init() {}
}
