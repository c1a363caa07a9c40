extension JSONValue {
  /// The limits of a parse.
  public struct Limits: Sendable, Hashable {
    /// The greatest depth that a parse accepts, whatever ``depth`` asks for. Swift frees, compares and hashes
    /// nested values by recursion; up to this depth that fits the smallest stacks in use, of 512 KiB.
    public static let greatestDepth = 1_000

    /// How deep arrays and objects may be nested: 512 unless told otherwise, at most ``greatestDepth``.
    public var depth: Int

    /// How many characters a number may have: 1,024 unless told otherwise.
    public var numberLength: Int

    /// The limits given, the default for the others.
    public init(depth: Int = 512, numberLength: Int = 1_024) {
      self.depth = depth
      self.numberLength = numberLength
    }
  }

  /// Reads a JSON text strictly by RFC 8259: no comments, trailing commas, `NaN` or leading zeros, nothing after
  /// the value, and strings of valid Unicode only. Any value may stand at the top. A UTF-8 byte order mark is
  /// skipped; UTF-16 and UTF-32 are recognised and refused.
  ///
  /// Bytes in contiguous storage (`[UInt8]`, `Data`, `UnsafeRawBufferPointer` ...) are read in place.
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

  /// Reads a JSON text strictly by RFC 8259, as the initializer for bytes does. Offsets of an error count UTF-8
  /// bytes.
  public init(
    parsing text: some StringProtocol,
    limits: Limits = Limits()
  ) throws(JSONSyntaxError) {
    try self.init(parsing: text.utf8, limits: limits)
  }
}
