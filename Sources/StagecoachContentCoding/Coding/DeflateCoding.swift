/// The coding `deflate`: the zlib format (RFC 9110 8.4.1.2, RFC 1950), or raw DEFLATE data (RFC 1951), which some
/// servers send under this name. The first two bytes determine the format.
public struct DeflateCoding: ContentCoding {
  /// Creates the coding.
  public init() {}

  /// The name of the coding: `deflate`.
  public var name: String { "deflate" }

  /// Returns a decoder for one body.
  public func makeDecoder() throws(ContentCodingError) -> any ContentDecoder {
    try InflatingDecoder(.deflate)
  }
}
