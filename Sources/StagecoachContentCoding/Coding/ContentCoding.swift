/// A content coding: its names and its decoder (RFC 9110 8.4.1).
///
/// ``ContentDecoding`` includes some codings; a custom one can be added:
///
/// ```swift
/// func decoding(with coding: any ContentCoding) -> ContentDecoding {
///   ContentDecoding(ContentDecoding.builtInCodings + [coding])
/// }
/// ```
public protocol ContentCoding: Sendable {
  /// The registered name, in lower case, as sent in Accept-Encoding.
  var name: String { get }

  /// Other names of the coding in Content-Encoding, in lower case; none by default.
  var aliases: [String] { get }

  /// Returns a decoder for one body.
  func makeDecoder() throws(ContentCodingError) -> any ContentDecoder
}

extension ContentCoding {
  /// No other names, by default.
  public var aliases: [String] { [] }

  /// Returns whether a name in Content-Encoding, in lower case, means this coding.
  func isCalled(_ name: some StringProtocol) -> Bool {
    self.name == name || aliases.contains { $0 == name }
  }
}

/// Decodes a content coding in pieces, in memory that does not grow with the body.
///
/// It has one reader at a time. It need not check limits: it never writes more than the space it is given, and the
/// caller counts the bytes. It is not called for a body without any bytes, which is empty in every coding.
public protocol ContentDecoder: AnyObject {
  /// Decodes as much as the input and the output space allow.
  ///
  /// Called again with the rest of the input, which may be empty, when the output space was filled. Bytes decoded
  /// before an error belong to the body: they are returned, and the next call throws, or ``finish()`` does.
  ///
  /// - Parameters:
  ///   - input: The next encoded bytes.
  ///   - output: The space for decoded bytes, at least one byte.
  /// - Returns: The number of bytes consumed from the start of `input`, and of bytes written to the start of `output`.
  ///   Both are zero for an input that is not empty if the encoded data has ended before it: the stage then calls
  ///   ``finish()`` and ignores the rest of the body.
  func decode(
    _ input: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) throws(ContentCodingError) -> (consumed: Int, produced: Int)

  /// Called once when the body or the encoded data has ended; throws if the encoded data is incomplete.
  func finish() throws(ContentCodingError)
}
