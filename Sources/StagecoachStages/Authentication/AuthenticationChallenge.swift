public import HTTPTypes
public import StagecoachCore

/// A challenge of a WWW-Authenticate or Proxy-Authenticate field: a scheme with its parameters (RFC 9110 11.3).
///
/// ```swift
/// let (challenges, problems) = AuthenticationChallenge.parse(response.fields, .wwwAuthenticate)
/// for challenge in challenges where challenge.isScheme("Basic") {
///   print(challenge.realm ?? "")
/// }
/// for problem in problems { print(problem) }
/// ```
public struct AuthenticationChallenge: Sendable, Hashable {
  /// The scheme as it was sent; compare it with ``isScheme(_:)``, which ignores case.
  public let scheme: String

  /// The parameters in order, decoded, with lower-case names that do not repeat; empty if there is a ``token68``.
  public let parameters: [FieldParameter]

  /// The text that some schemes send instead of parameters, such as `YII+abc/==` (RFC 9110 11.2).
  ///
  /// According to the grammar, `realm` or `realm=` without a value is such a text too.
  public let token68: String?

  /// The maximum number of challenges read from all fields of a message: 32.
  public static let maximumCount = 32

  /// The maximum number of parameters read from a challenge: 64.
  public static let maximumParameterCount = 64

  /// The maximum length of a field in octets: 16 KiB. A longer field is ignored.
  public static let maximumFieldLength = 16 * 1024

  /// Creates a challenge with parameters, or `nil` if it cannot be written: the scheme or a name is not a token (RFC
  /// 9110 5.6.2), a name repeats, a value contains a control character other than a tab, or there are more than 64
  /// parameters.
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

  /// Creates a challenge with a token68 instead of parameters, or `nil` if the scheme is not a token or the text is
  /// not a token68 (RFC 9110 11.2).
  public init?(scheme: String, token68: String) {
    guard scheme.isToken, token68.isToken68 else { return nil }
    self.init(checkedScheme: scheme, token68: token68)
  }

  init(checkedScheme scheme: String, parameters: [FieldParameter] = [], token68: String? = nil) {
    self.scheme = scheme
    self.parameters = parameters
    self.token68 = token68
  }

  /// Returns whether the challenge uses a scheme, ignoring case.
  public func isScheme(_ name: String) -> Bool { scheme.equalsIgnoringASCIICase(name) }

  /// The value of a parameter, ignoring the case of its name; `nil` if absent.
  public subscript(parameter name: String) -> String? {
    parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
  }

  /// The name of the protection space within the server; `nil` if the challenge has none (RFC 9110 11.5).
  public var realm: String? { self[parameter: "realm"] }

  /// Returns the challenges of all fields with a name, in order. Each field is parsed separately, so that a malformed
  /// one does not affect the others. Octets that are not UTF-8 are read as ISO-8859-1.
  ///
  /// Accepts everything that RFC 9110 11.6.1 allows: several challenges in a field, any case, whitespace around commas
  /// and equals signs, empty elements. Also recovers from common errors of servers: a missing comma before a parameter
  /// or scheme; an unquoted value that is not a token (read up to the comma); a quote within a quoted string (a
  /// closing quote is followed by whitespace, a comma or the end); an unterminated quoted string; a tab after the
  /// scheme; a parameter after a `realm=` without value. Anything else is skipped up to the next comma outside of
  /// quotes, and the rest is read.
  ///
  /// A repeated parameter with the same value is ignored; with different values its challenge is omitted. A field of
  /// more than ``maximumFieldLength`` octets or with a control character is ignored, and so are challenges after the
  /// 32nd and parameters after the 64th.
  ///
  /// - Parameters:
  ///   - fields: The fields of a response.
  ///   - name: The name of the fields, such as `.wwwAuthenticate` or `.proxyAuthenticate`.
  /// - Returns: The challenges, and the first 32 problems that were recovered, skipped or ignored.
  public static func parse(_ fields: HTTPFields, _ name: HTTPField.Name)
    -> (challenges: [AuthenticationChallenge], problems: [ChallengeProblem])
  {
    var result = ChallengeReader.Result()
    for index in fields.startIndex..<fields.endIndex where fields[index].name == name {
      fields[index].withUnsafeBytesOfValue { ChallengeReader.read($0, into: &result) }
    }
    return (result.challenges, result.problems)
  }

  /// Returns the challenges in the value of one field, parsed like ``parse(_:_:)``.
  public static func parse(_ value: String)
    -> (challenges: [AuthenticationChallenge], problems: [ChallengeProblem])
  {
    var result = ChallengeReader.Result()
    value.withUTF8Bytes { ChallengeReader.read($0, into: &result) }
    return (result.challenges, result.problems)
  }
}

extension AuthenticationChallenge: CustomStringConvertible {
  /// The field value, which parses to an equal challenge.
  public var description: String {
    if let token68 { return "\(scheme) \(token68)" }
    let parameters = parameters.map { "\($0.name)=\($0.value.quotedInField)" }
    return parameters.isEmpty ? scheme : "\(scheme) \(parameters.joined(separator: ", "))"
  }
}
