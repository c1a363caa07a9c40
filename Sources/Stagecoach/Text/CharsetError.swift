/// Why octets could not be read as text.
@nonexhaustive
public enum CharsetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Neither Stagecoach nor the C library of this system knows the charset.
  case unknown(String)
  /// The octets are not text in the charset; `offset` is where the first wrong or cut-off sequence starts.
  case undecodable(String, offset: Int)

  /// What happened and what to do about it, for people.
  public var description: String {
    switch self {
    case .unknown(let name):
      "This system has no decoder for the charset \(name). Override the charset, or read the body as data."
    case .undecodable(let name, let offset):
      "The octets are not text in \(name): the sequence at offset \(offset) is wrong or cut off. "
        + "Override the charset, or decode in lossy mode."
    }
  }
}
