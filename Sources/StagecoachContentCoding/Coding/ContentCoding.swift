/// A content coding (RFC 9110 8.4.1): what it is called, and how it is undone.
///
/// ``ContentDecoding`` has some of them; a coding of one's own joins them:
///
/// ```swift
/// let stage = ContentDecoding(ContentDecoding.builtInCodings + [CompressCoding()])
/// ```
public protocol ContentCoding: Sendable {
  /// The registered name, in lower case: what Accept-Encoding asks for.
  var name: String { get }

  /// Other names that Content-Encoding may use for it, in lower case; none by default.
  var aliases: [String] { get }

  /// A decoder for one body.
  func makeDecoder() throws(ContentCodingError) -> any ContentDecoder
}

extension ContentCoding {
  /// None.
  public var aliases: [String] { [] }

  /// Whether Content-Encoding means this coding by a name in lower case.
  func isCalled(_ name: some StringProtocol) -> Bool {
    self.name == name || aliases.contains { $0 == name }
  }
}

/// Undoes a content coding, a piece at a time, in memory that does not grow with the body.
///
/// One reader uses it at a time. Limits are no business of a decoder: it never writes more than it is
/// given room for, and who gives the room counts. It is not asked anything for a body without a byte, which
/// is empty in every coding.
public protocol ContentDecoder: AnyObject {
  /// Decodes as much as there is input and room for.
  ///
  /// Called again with the rest of the input, which may be empty, when the room was filled. Bytes that were
  /// decoded before an error belong to the body: they are returned, and the next call throws, or ``finish()``
  /// does.
  ///
  /// - Parameters:
  ///   - input: The next coded bytes.
  ///   - output: Room for decoded bytes, at least one.
  /// - Returns: How many bytes were taken from the start of `input`, and how many were written to the start
  ///   of `output`. Input that is not empty is taken or gives output, in part at least.
  func decode(
    _ input: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) throws(ContentCodingError) -> (consumed: Int, produced: Int)

  /// Called once when the body has ended and all of it was decoded; throws if the coded data has not ended.
  func finish() throws(ContentCodingError)
}
