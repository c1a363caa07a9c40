public import HTTPTypes
import StagecoachCore

/// Decides how to answer a challenge: ask the user for a password, choose an account, or cancel.
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
/// Simultaneous challenges are decided separately; a credential that worked is used by later requests without asking.
public protocol ChallengeHandler: Sendable {
  /// Decides how to answer a challenge.
  ///
  /// - Throws: Any error, which ends the exchange.
  func decide(on question: ChallengeQuestion) async throws -> ChallengeDecision
}

/// The challenges that a ``ChallengeHandler`` decides on.
public struct ChallengeQuestion: Sendable {
  /// The protection space of the first challenge.
  public var space: ProtectionSpace
  /// The challenges that the stage can answer, best first.
  public var challenges: [AuthenticationChallenge]
  /// The credential that ``ChallengeDecision/useDefault`` would send: that of the request or of the store, unless it
  /// was refused already.
  public var proposed: Credential?
  /// The number of credentials refused for this request.
  public var failures: Int
  /// The head of the request, without secrets.
  public var request: HTTPRequest
  /// The head of the response, without secrets.
  public var response: HTTPResponse
}

/// The decision on a challenge.
@nonexhaustive
public enum ChallengeDecision: Sendable {
  /// Answer with this credential, and use it for later requests to the space.
  case use(Credential)
  /// Answer with the credential of the request or of the store, as without a handler.
  case useDefault
  /// Fail with ``ExchangeError`` of kind `authentication(.cancelled)`.
  case cancel
  /// Return the response to the caller.
  case passOn
}
