/// The coding `gzip`, also called `x-gzip` (RFC 9110 8.4.1.3, RFC 1952).
///
/// All members of a file of several are decoded, one after the other, and each one's check value and length
/// are compared. Zeros that fill up a block after the last member are ignored; anything else there is an
/// error.
public struct GzipCoding: ContentCoding {
  /// Whether content that does not begin as gzip does is passed on as it is, for the sake of servers that
  /// label plain content; an error by default.
  public var passesPlainContent: Bool

  /// The coding.
  public init(passesPlainContent: Bool = false) {
    self.passesPlainContent = passesPlainContent
  }

  /// `gzip`
  public var name: String { "gzip" }

  /// `x-gzip`
  public var aliases: [String] { ["x-gzip"] }

  /// A decoder for one body.
  public func makeDecoder() throws(ContentCodingError) -> any ContentDecoder {
    try InflatingDecoder(.gzip(passesPlainContent: passesPlainContent))
  }
}
