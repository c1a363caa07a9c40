/// The coding `deflate`: the zlib format (RFC 9110 8.4.1.2, RFC 1950), or the bare DEFLATE data (RFC 1951)
/// that some servers send under this name. The first two bytes tell which it is.
public struct DeflateCoding: ContentCoding {
  /// The coding.
  public init() {}

  /// `deflate`
  public var name: String { "deflate" }

  /// A decoder for one body.
  public func makeDecoder() throws(ContentCodingError) -> any ContentDecoder {
    try InflatingDecoder(.deflate)
  }
}
