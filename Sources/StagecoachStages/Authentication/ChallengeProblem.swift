import StagecoachCore

/// A problem in a WWW-Authenticate or Proxy-Authenticate field, and how it was handled.
@nonexhaustive
public enum ChallengeProblem: Sendable, Hashable {
  /// A comma was missing after a parameter; both sides were read.
  case missingComma(scheme: String)
  /// A tab instead of a space followed the scheme; the challenge was read.
  case tabBehindScheme(scheme: String)
  /// A value that is not a token was not quoted; it was read up to the comma.
  case unquotedValue(scheme: String, parameter: String)
  /// A quote within a quoted string was not escaped; it was read as part of the value.
  case strayQuote(scheme: String, parameter: String)
  /// A quoted string was not closed; it was read to the end of the field.
  case unterminatedQuote(scheme: String, parameter: String)
  /// A parameter followed text such as `realm=`, which was read as an empty parameter.
  case emptyParameter(scheme: String, parameter: String)
  /// A parameter has two values; the challenge was omitted.
  case conflictingParameter(scheme: String, parameter: String)
  /// Text was skipped that is neither a challenge nor a parameter; the payload is its start, on one line.
  case skipped(String)
  /// A field with a control character was ignored.
  case controlCharacter
  /// A field longer than the limit was ignored.
  case fieldTooLong(limit: Int)
  /// Challenges beyond the limit were ignored.
  case tooManyChallenges(limit: Int)
  /// Parameters beyond the limit were ignored.
  case tooManyParameters(scheme: String, limit: Int)
}

extension ChallengeProblem: CustomStringConvertible {
  /// A description on one line.
  public var description: String {
    switch self {
    case .missingComma(let scheme): "a comma is missing in the \(scheme) challenge"
    case .tabBehindScheme(let scheme): "a tab instead of a space follows \(scheme)"
    case .unquotedValue(let scheme, let name): "\(name) of the \(scheme) challenge needs quotes"
    case .strayQuote(let scheme, let name): "a quote in \(name) of the \(scheme) challenge is not escaped"
    case .unterminatedQuote(let scheme, let name): "\(name) of the \(scheme) challenge has no closing quote"
    case .emptyParameter(let scheme, let name): "\(name) of the \(scheme) challenge has no value"
    case .conflictingParameter(let scheme, let name):
      "the \(scheme) challenge is ignored: it has two values of \(name)"
    case .skipped(let text): "skipped \"\(text)\", which is not a challenge"
    case .controlCharacter: "a field with a control character is ignored"
    case .fieldTooLong(let limit): "a field longer than \(limit) octets is ignored"
    case .tooManyChallenges(let limit): "only the first \(limit) challenges are read"
    case .tooManyParameters(let scheme, let limit):
      "only the first \(limit) parameters of the \(scheme) challenge are read"
    }
  }
}
