/// What the stage ``Authentication`` saw and decided. No secret is in it.
@nonexhaustive
public enum AuthenticationEvent: Sendable, Hashable {
  /// A server or a proxy asked for credentials, by one of these schemes.
  case challenged(schemes: [String])
  /// A challenge was broken, and read as far as it made sense.
  case recovered(ChallengeProblem)
  /// The request carries credentials by a scheme; preemptive ones before anybody asked.
  case answered(scheme: String, preemptive: Bool)
  /// The credentials are good and their nonce or token is not: they are sent again with another.
  case stale(scheme: String)
  /// The credentials were refused.
  case failed(scheme: String)
  /// A challenge, or a credential, was not made use of.
  case skipped(scheme: String, SkipReason)
  /// The server asks by a weaker scheme or algorithm than it did before.
  case downgraded(scheme: String)
  /// A renewal of the token began.
  case refreshStarted
  /// The request waits for a renewal that is under way.
  case refreshJoined
  /// The token was renewed.
  case refreshed
  /// The token could not be renewed.
  case refreshFailed
  /// The token does not allow what was asked; the scope that would (RFC 6750 3), if the server says.
  case insufficientScope(String?)
  /// The server did not prove, or not rightly, that it knows the password (RFC 7616 3.5).
  case serverNotAuthentic
  /// The refusal goes on to the caller.
  case passedOn(PassReason)

  /// Why a challenge or a credential was not made use of.
  @nonexhaustive
  public enum SkipReason: String, Sendable, Hashable {
    /// Anybody on the way could read the credential.
    case plainHTTP = "anybody on the way could read it"
    /// The credential is for another realm.
    case otherRealm = "the credential is for another realm"
    /// The credential was refused before.
    case refusedBefore = "the credential was refused before"
    /// The credential was given for another origin.
    case otherOrigin = "the credential is for another origin"
    /// The scheme cannot answer this challenge with this credential.
    case unusable = "the challenge cannot be answered with the credential"
  }

  /// Why a refusal goes on to the caller.
  @nonexhaustive
  public enum PassReason: String, Sendable, Hashable {
    /// The response holds no challenge.
    case noChallenge = "it holds no challenge"
    /// No scheme of the stage answers any of the challenges.
    case noScheme = "none of the schemes is answered here"
    /// There is no credential, or none that may be sent.
    case noCredential = "there is no credential to send"
    /// As many credentials as allowed were tried.
    case attempts = "no further credential may be tried"
    /// The request has to be sent again, and its body exists once.
    case bodyNotReplayable = "the request body exists once"
    /// The caller has set the field himself.
    case fieldOfCaller = "the caller set the credentials himself"
    /// The challenge handler decided so.
    case handler = "the handler decided so"
    /// Another origin asked, to which a stage below had led the request.
    case otherOrigin = "another origin asks than was addressed"
    /// The transport does not say that the proxy asks: it may be an origin, through a tunnel.
    case otherThanProxy = "the transport does not say that the proxy asks"
    /// The transport speaks to the proxy of an https request.
    case tunnel = "only the transport can answer the proxy of an https request"
  }
}

extension AuthenticationEvent: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    let text =
      switch self {
      case .challenged(let schemes): "challenged: \(schemes.joined(separator: ", "))"
      case .recovered(let problem): "broken challenge: \(problem)"
      case .answered(let scheme, let preemptive):
        "\(preemptive ? "sent before asked" : "answered"): \(scheme)"
      case .stale(let scheme): "\(scheme): sent again, the nonce or token had gone stale"
      case .failed(let scheme): "\(scheme): credentials refused"
      case .skipped(let scheme, let reason): "\(scheme): not sent, \(reason.rawValue)"
      case .downgraded(let scheme): "\(scheme): weaker than what the server asked for before"
      case .refreshStarted: "renewing the token"
      case .refreshJoined: "waiting for the renewal of the token"
      case .refreshed: "the token was renewed"
      case .refreshFailed: "the token could not be renewed"
      case .insufficientScope(let scope): "the token does not suffice" + (scope.map { ", scope \($0)" } ?? "")
      case .serverNotAuthentic: "the server did not prove that it knows the password"
      case .passedOn(let reason): "refusal passed on: \(reason.rawValue)"
      }
    return "authentication: \(Format.oneLine(text))"
  }
}
