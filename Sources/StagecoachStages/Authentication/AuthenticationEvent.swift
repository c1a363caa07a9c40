public import StagecoachCore

/// An event of the stage ``Authentication``. Contains no secrets.
@nonexhaustive
public enum AuthenticationEvent: StageEvent, Hashable {
  /// A server or a proxy sent challenges with these schemes.
  case challenged(schemes: [String])
  /// A malformed challenge was read as far as possible.
  case recovered(ChallengeProblem)
  /// The request has credentials of a scheme; preemptive credentials are sent before the server asks.
  case answered(scheme: String, preemptive: Bool)
  /// The nonce or token of valid credentials expired, and the request is sent again with a new one.
  case stale(scheme: String)
  /// The credentials were refused.
  case failed(scheme: String)
  /// A challenge or a credential was not used.
  case skipped(scheme: String, SkipReason)
  /// The server uses a weaker scheme or algorithm than before.
  case downgraded(scheme: String)
  /// A renewal of the token started.
  case refreshStarted
  /// The request waits for a renewal in progress.
  case refreshJoined
  /// The token was renewed.
  case refreshed
  /// The token could not be renewed.
  case refreshFailed
  /// The token is not sufficient for the request; with the required scope, if the server names it (RFC 6750 3).
  case insufficientScope(String?)
  /// The server did not prove, or not correctly, that it knows the password (RFC 7616 3.5).
  case serverNotAuthentic
  /// The refusal is returned to the caller.
  case passedOn(PassReason)

  /// The reason that a challenge or a credential was not used.
  @nonexhaustive
  public enum SkipReason: String, Sendable, Hashable {
    /// Others could read the credential in transit.
    case plainHTTP = "others could read it in transit"
    /// The credential is for another realm.
    case otherRealm = "the credential is for another realm"
    /// The credential was refused before.
    case refusedBefore = "the credential was refused before"
    /// The credential was given for another origin.
    case otherOrigin = "the credential is for another origin"
    /// The scheme cannot answer this challenge with this credential.
    case unusable = "the challenge cannot be answered with the credential"
  }

  /// The reason that a refusal is returned to the caller.
  @nonexhaustive
  public enum PassReason: String, Sendable, Hashable {
    /// The response contains no challenge.
    case noChallenge = "it contains no challenge"
    /// The stage supports none of the challenges' schemes.
    case noScheme = "none of its schemes is supported"
    /// There is no credential, or none that is allowed.
    case noCredential = "no credential is available"
    /// The credentials were refused, and there are no others.
    case refused = "the credentials were refused"
    /// The maximum number of credentials was tried.
    case attempts = "the maximum number of credentials was tried"
    /// The request would have to be sent again, but its body cannot be replayed.
    case bodyNotReplayable = "the request body cannot be replayed"
    /// The request already has an explicit field with credentials.
    case fieldOfCaller = "the explicit credentials of the request were refused"
    /// The challenge handler declined.
    case handler = "the challenge handler declined"
    /// The challenge is from another origin, to which a stage below led the request.
    case otherOrigin = "the challenge is from another origin than the one addressed"
    /// The transport does not report that the challenge is from the proxy: it may be from an origin, through a tunnel.
    case otherThanProxy = "the transport does not report that the challenge is from the proxy"
    /// The proxy of an https request, which only the transport can answer.
    case tunnel = "only the transport can answer the proxy of an https request"
  }
}

extension AuthenticationEvent {
  /// A description on one line.
  public var description: String {
    let text =
      switch self {
      case .challenged(let schemes): "challenged: \(schemes.joined(separator: ", "))"
      case .recovered(let problem): "malformed challenge: \(problem)"
      case .answered(let scheme, let preemptive):
        "\(preemptive ? "sent preemptively" : "answered"): \(scheme)"
      case .stale(let scheme): "\(scheme): sent again because the nonce or token was stale"
      case .failed(let scheme): "\(scheme): credentials refused"
      case .skipped(let scheme, let reason): "\(scheme): not sent, \(reason.rawValue)"
      case .downgraded(let scheme): "\(scheme): weaker than in an earlier challenge of the server"
      case .refreshStarted: "renewing the token"
      case .refreshJoined: "waiting for the renewal of the token"
      case .refreshed: "the token was renewed"
      case .refreshFailed: "the token could not be renewed"
      case .insufficientScope(let scope):
        "the token is not sufficient" + (scope.map { ", scope \($0)" } ?? "")
      case .serverNotAuthentic: "the server did not prove that it knows the password"
      case .passedOn(let reason): "challenge not answered: \(reason.rawValue)"
      }
    return "authentication: \(Format.oneLine(text))"
  }
}
