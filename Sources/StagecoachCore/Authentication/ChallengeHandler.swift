public import HTTPTypes

/// Decides what becomes of a challenge: asks the user for a password, picks an account, or gives up.
///
/// ```swift
/// struct Prompt: ChallengeHandler {
///   func decide(on question: ChallengeQuestion) async throws -> ChallengeDecision {
///     guard question.failures < 2 else { return .passOn }
///     print("Password for \(question.space.realm) at \(question.space.origin):")
///     guard let line = readLine() else { return .cancel }
///     return .use(Credential(user: "ada", password: line))
///   }
/// }
/// ```
///
/// Requests that are challenged at the same time ask each for itself; a credential that worked is used by the later
/// ones without asking.
public protocol ChallengeHandler: Sendable {
  /// Decides on a challenge.
  ///
  /// - Throws: Anything, which ends the exchange.
  func decide(on question: ChallengeQuestion) async throws -> ChallengeDecision
}

/// What a ``ChallengeHandler`` is asked about.
public struct ChallengeQuestion: Sendable {
  /// Who asks: the space of the first of the challenges.
  public var space: ProtectionSpace
  /// The challenges that the stage can answer, the best first.
  public var challenges: [AuthenticationChallenge]
  /// What ``ChallengeDecision/useDefault`` would send: the credential of the request or of the store, if it was not
  /// refused yet.
  public var proposed: Credential?
  /// How many credentials were refused for this request.
  public var failures: Int
  /// The head of the request, without secrets.
  public var request: HTTPRequest
  /// The head of the response, without secrets.
  public var response: HTTPResponse
}

/// What becomes of a challenge.
@nonexhaustive
public enum ChallengeDecision: Sendable {
  /// It is answered with this credential, which then serves later requests to the space too.
  case use(Credential)
  /// It is answered with the credential of the request or of the store, as without a handler.
  case useDefault
  /// The exchange fails with ``ExchangeError`` of kind `authentication(.cancelled)`.
  case cancel
  /// The response goes on to the caller.
  case passOn
}
