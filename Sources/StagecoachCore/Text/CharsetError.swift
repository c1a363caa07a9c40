/// Why octets could not be read as text, or text not written as octets.
@nonexhaustive
public enum CharsetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Neither Stagecoach nor the C library of this system knows the charset.
  case unknown(String)
  /// The octets are not text in the charset; `offset` is where the first wrong or cut-off sequence starts.
  case undecodable(String, offset: Int)
  /// The text has characters that have no place in the charset; `character` is the first, where it is known.
  case unencodable(String, character: Unicode.Scalar?)

  /// What happened and what to do about it, for people.
  public var description: String {
    switch self {
    case .unknown(let name):
      "This system has no decoder for the charset \(name). Override the charset, or read the body as data."
    case .undecodable(let name, let offset):
      "The octets are not text in \(name): the sequence at offset \(offset) is wrong or cut off. "
        + "Override the charset, or decode in lossy mode."
    case .unencodable(let name, let character):
      "The text has characters that \(name) does not have"
        + (character.map { ", U+\(String($0.value, radix: 16, uppercase: true)) for one" } ?? "")
        + ". Choose UTF-8."
    }
  }
}
