/// The reason that octets could not be decoded to text, or text not encoded.
@nonexhaustive
public enum CharsetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Neither Stagecoach nor the C library of this system supports the charset.
  case unknown(String)
  /// The octets are not text in the charset; `offset` is the start of the first ill-formed or incomplete sequence.
  case undecodable(String, offset: Int)
  /// The text contains characters that are not in the charset; `character` is the first of them, if known.
  case unencodable(String, character: Unicode.Scalar?)

  /// A description with advice.
  public var description: String {
    switch self {
    case .unknown(let name):
      "The iconv of this system has no decoder for the charset \(name). Override the charset, or read the body as data."
    case .undecodable(let name, let offset):
      "The octets are not valid \(name): the sequence at offset \(offset) is ill-formed or incomplete. "
        + "Override the charset, or decode in lossy mode."
    case .unencodable(let name, let character):
      "The text contains characters that are not in \(name)"
        + (character.map { ", U+\(String($0.value, radix: 16, uppercase: true)) for example" } ?? "")
        + ". Use UTF-8."
    }
  }
}
