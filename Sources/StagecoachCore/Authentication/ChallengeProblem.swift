/// What was wrong with a WWW-Authenticate or Proxy-Authenticate field, and what became of it.
@nonexhaustive
public enum ChallengeProblem: Sendable, Hashable {
  /// A comma was missing behind a parameter; both sides were read.
  case missingComma(scheme: String)
  /// A tab stood behind a scheme in place of a space; the challenge was read.
  case tabBehindScheme(scheme: String)
  /// A value had to be in quotes since it is no token; it was read up to the comma.
  case unquotedValue(scheme: String, parameter: String)
  /// A quote within a quoted string was not escaped; it was read as part of the value.
  case strayQuote(scheme: String, parameter: String)
  /// A quoted string had no end; it was read to the end of the field.
  case unterminatedQuote(scheme: String, parameter: String)
  /// A parameter followed something like `realm=`, which then was read as an empty parameter.
  case emptyParameter(scheme: String, parameter: String)
  /// A parameter has two values; the challenge was left out.
  case conflictingParameter(scheme: String, parameter: String)
  /// Something was skipped that is no challenge or parameter; the payload is its start, on one line.
  case skipped(String)
  /// A field with a control character was ignored.
  case controlCharacter
  /// A field of more octets than the limit was ignored.
  case fieldTooLong(limit: Int)
  /// Challenges behind the limit were ignored.
  case tooManyChallenges(limit: Int)
  /// Parameters of a challenge behind the limit were ignored.
  case tooManyParameters(scheme: String, limit: Int)
}

extension ChallengeProblem: CustomStringConvertible {
  /// What was found and done, for a person, on one line.
  public var description: String {
    switch self {
    case .missingComma(let scheme): "a comma is missing in the \(scheme) challenge"
    case .tabBehindScheme(let scheme): "a tab stands behind \(scheme) in place of a space"
    case .unquotedValue(let scheme, let name): "\(name) of the \(scheme) challenge needs quotes"
    case .strayQuote(let scheme, let name): "a quote in \(name) of the \(scheme) challenge is not escaped"
    case .unterminatedQuote(let scheme, let name): "\(name) of the \(scheme) challenge has no closing quote"
    case .emptyParameter(let scheme, let name): "\(name) of the \(scheme) challenge has no value"
    case .conflictingParameter(let scheme, let name):
      "the \(scheme) challenge is left out: it has two values of \(name)"
    case .skipped(let text): "skipped \"\(text)\", which is no challenge"
    case .controlCharacter: "a field with a control character is ignored"
    case .fieldTooLong(let limit): "a field of more than \(limit) octets is ignored"
    case .tooManyChallenges(let limit): "only the first \(limit) challenges are read"
    case .tooManyParameters(let scheme, let limit):
      "only the first \(limit) parameters of the \(scheme) challenge are read"
    }
  }
}
