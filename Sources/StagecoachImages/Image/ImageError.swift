#if Images
  /// An error of reading an image.
  public struct ImageError: Error, Equatable, CustomStringConvertible {
    /// The reasons that an image cannot be read.
    @nonexhaustive
    public enum Reason: String, Sendable, Hashable {
      /// The data does not start like PNG, JPEG or WebP.
      case unknownFormat
      /// The data violates its format.
      case malformed
      /// The data ends before the image does.
      case truncated
      /// The image uses a feature of its format that is not supported.
      case unsupported
      /// The image has more pixels than the limit allows.
      case pixelLimit
      /// There was not enough memory.
      case memory
    }

    /// The reason.
    public let reason: Reason

    /// A description of the error.
    public let description: String

    init(_ reason: Reason, _ description: String) {
      self.reason = reason
      self.description = description
    }
  }
#endif
