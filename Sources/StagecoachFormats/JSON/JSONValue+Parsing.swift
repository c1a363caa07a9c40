extension JSONValue {
  /// The limits for parsing.
  public struct Limits: Sendable, Hashable {
    /// The maximum value of ``depth``. Swift frees, compares and hashes nested values by recursion; up to this depth
    /// that fits the smallest stacks in use, of 512 KiB.
    public static let greatestDepth = 1_000

    /// The maximum nesting depth of arrays and objects: 512 by default, at most ``greatestDepth``.
    public var depth: Int

    /// The maximum length of a number in characters: 1,024 by default.
    public var numberLength: Int

    /// Creates limits.
    public init(depth: Int = 512, numberLength: Int = 1_024) {
      self.depth = depth
      self.numberLength = numberLength
    }
  }

  /// Parses a JSON text strictly (RFC 8259): no comments, trailing commas, `NaN` or leading zeros, nothing after the
  /// value, and only valid Unicode in strings. Any value is allowed at the top level. A UTF-8 byte order mark is
  /// skipped; UTF-16 and UTF-32 are recognized and refused.
  ///
  /// Bytes in contiguous storage (`[UInt8]`, `Data`, `UnsafeRawBufferPointer` ...) are parsed in place.
  public init(
    parsing bytes: some Sequence<UInt8>,
    limits: Limits = Limits()
  ) throws(JSONSyntaxError) {
    let read = { (buffer: UnsafeBufferPointer<UInt8>) -> Result<JSONValue, JSONSyntaxError> in
      Result { () throws(JSONSyntaxError) in
        var reader = JSONReader(buffer, limits: limits)
        return try reader.document()
      }
    }
    let result =
      bytes.withContiguousStorageIfAvailable(read) ?? Array(bytes).withUnsafeBufferPointer(read)
    self = try result.get()
  }

  /// Parses a JSON text strictly, like the initializer for bytes. Offsets in errors count UTF-8 bytes.
  public init(
    parsing text: some StringProtocol,
    limits: Limits = Limits()
  ) throws(JSONSyntaxError) {
    try self.init(parsing: text.utf8, limits: limits)
  }
}
