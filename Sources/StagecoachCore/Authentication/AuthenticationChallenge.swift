public import HTTPTypes

/// One challenge of a WWW-Authenticate or Proxy-Authenticate field: a scheme and what it wants to be known
/// (RFC 9110 11.3).
///
/// ```swift
/// let (challenges, problems) = AuthenticationChallenge.parse(response.fields, .wwwAuthenticate)
/// for challenge in challenges where challenge.isScheme("Basic") {
///   print(challenge.realm ?? "")
/// }
/// for problem in problems { print(problem) }
/// ```
public struct AuthenticationChallenge: Sendable, Hashable {
  /// The scheme as it was sent; its case does not matter, see ``isScheme(_:)``.
  public let scheme: String

  /// The parameters in order, decoded, their names lower-cased; no name repeats. Empty if there is a
  /// ``token68``.
  public let parameters: [FieldParameter]

  /// What some schemes send in place of parameters (RFC 9110 11.2), such as `YII+abc/==`.
  ///
  /// By the grammar a lone `realm` or `realm=` is such a text too.
  public let token68: String?

  /// The most challenges that are read from all fields of a message: 32.
  public static let maximumCount = 32

  /// The most parameters that are read of a challenge: 64.
  public static let maximumParameterCount = 64

  /// The most octets of a field that is read: 16 KiB. A longer one is ignored.
  public static let maximumFieldLength = 16 * 1024

  /// A challenge with parameters, or nil where it cannot be written: the scheme or a name is no token
  /// (RFC 9110 5.6.2), a name repeats, a value holds a control character other than a tab, or there are more
  /// than 64.
  public init?(scheme: String, parameters: [FieldParameter] = []) {
    guard scheme.isToken, parameters.count <= Self.maximumParameterCount else { return nil }
    var names: Set<String> = []
    for parameter in parameters {
      guard parameter.name.isToken, !parameter.isExtended, names.insert(parameter.name).inserted,
        !parameter.value.utf8.contains(where: \.isControlInField)
      else { return nil }
    }
    self.init(checkedScheme: scheme, parameters: parameters)
  }

  /// A challenge with a token68 in place of parameters, or nil where it cannot be written: the scheme is no
  /// token, or the text no token68 (RFC 9110 11.2).
  public init?(scheme: String, token68: String) {
    guard scheme.isToken, token68.isToken68 else { return nil }
    self.init(checkedScheme: scheme, token68: token68)
  }

  init(checkedScheme scheme: String, parameters: [FieldParameter] = [], token68: String? = nil) {
    self.scheme = scheme
    self.parameters = parameters
    self.token68 = token68
  }

  /// Whether the challenge is of a scheme, its name in any case.
  public func isScheme(_ name: String) -> Bool { scheme.equalsIgnoringASCIICase(name) }

  /// The value of a parameter, its name in any case; nil if there is none.
  public subscript(parameter name: String) -> String? {
    parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
  }

  /// The protection space within the server (RFC 9110 11.5); nil if the challenge names none.
  public var realm: String? { self[parameter: "realm"] }

  /// The challenges of all fields of a name, in order, each field read for itself, so that a broken one does
  /// not spoil the others. Octets that are not UTF-8 are read as ISO-8859-1.
  ///
  /// Read is what RFC 9110 11.6.1 allows: several challenges in a field, any case, blanks around commas and
  /// equals signs, empty elements. Recovered is what real servers send besides: a missing comma before a
  /// parameter or scheme, a value without quotes that is no token (up to the comma), a quote within a quoted
  /// string (one that ends it is followed by a blank, a comma or the end), a quoted string without an end, a
  /// tab behind the scheme, and a parameter behind a lone `realm=`. What cannot be read is skipped, up to the
  /// next comma outside of quotes, and the rest counts.
  ///
  /// A parameter that comes twice with one value counts once; with two values it makes its challenge unusable,
  /// which then is left out. A field of more than ``maximumFieldLength`` octets or with a control character
  /// is ignored, and so are challenges behind the 32nd and parameters behind the 64th.
  ///
  /// - Parameters:
  ///   - fields: The fields of a response.
  ///   - name: Such as `.wwwAuthenticate` or `.proxyAuthenticate`.
  /// - Returns: The challenges, and what was recovered, skipped or ignored: the first 32 such findings.
  public static func parse(_ fields: HTTPFields, _ name: HTTPField.Name)
    -> (challenges: [AuthenticationChallenge], problems: [ChallengeProblem])
  {
    var result = ChallengeReader.Result()
    for index in fields.startIndex..<fields.endIndex where fields[index].name == name {
      fields[index].withUnsafeBytesOfValue { ChallengeReader.read($0, into: &result) }
    }
    return (result.challenges, result.problems)
  }

  /// The challenges of the value of one field, read as ``parse(_:_:)`` does.
  public static func parse(_ value: String)
    -> (challenges: [AuthenticationChallenge], problems: [ChallengeProblem])
  {
    var result = ChallengeReader.Result()
    value.withUTF8Bytes { ChallengeReader.read($0, into: &result) }
    return (result.challenges, result.problems)
  }
}

extension AuthenticationChallenge: CustomStringConvertible {
  /// The text for a field; parses to an equal challenge.
  public var description: String {
    if let token68 { return "\(scheme) \(token68)" }
    let parameters = parameters.map { "\($0.name)=\($0.value.quotedInField)" }
    return parameters.isEmpty ? scheme : "\(scheme) \(parameters.joined(separator: ", "))"
  }
}
