import HTTPTypes
import StagecoachCore

/// One request on its way through the stage: sent, refused, answered, until it is answered well or for good.
struct AuthenticationPass {
  private let stage: Authentication
  private var request: Request
  private let next: Next
  private var history: [Response.Hop] = []
  /// The number of credentials sent, and the number refused.
  private var sent = 0
  private var failures = 0
  /// The number of times that each session was refused and retried.
  private var repeats: [Int: Int] = [:]
  /// Which credentials were refused to this request, by scheme.
  private var refused: Set<Refused> = []
  /// Whether a credential was not sent because an earlier request with it was refused.
  private var hasSkippedRefused = false

  /// RFC 7616 sets no bound to stale nonces, and a server may call each one stale.
  private static let maxRepeats = 2

  private struct Refused: Hashable {
    let scheme: String
    let credential: Credential
  }

  /// The credentials of the request as it was sent.
  private struct Applied {
    let known: KnownSession
    let session: any AuthenticationSession
    /// Nil to be asked anew: the session has yet to learn a challenge.
    let authorization: Authorization?
  }

  init(_ stage: Authentication, _ request: Request, _ next: Next) {
    self.stage = stage
    self.request = request
    self.next = next
  }

  private var role: Authentication.Role { stage.role }

  /// Goes on from a response to the request as it came.
  mutating func run(from response: Response) async throws -> Response {
    let arrival = request.exchange?.elapsed
    var response = response
    guard let applied = try await answer(to: &response, after: nil) else { return response }
    await leave(response, since: arrival)
    return try await run(applied)
  }

  /// Sends the request with what is known.
  mutating func run(with known: KnownSession) async throws -> Response {
    let authorization = try await known.session.authorize(request)
    let applied = authorization.map { Applied(known: known, session: known.session, authorization: $0) }
    if applied != nil {
      sent += 1
      request.emit(AuthenticationEvent.answered(scheme: known.scheme, preemptive: true))
    }
    return try await run(applied)
  }

  private mutating func run(_ first: Applied?) async throws -> Response {
    var applied = first
    while true {
      var outgoing = request
      if let applied, let authorization = applied.authorization {
        outgoing.fields.append(role.field(authorization))
        if !role.isProxy { outgoing.options.authenticatedUser = applied.known.user }
      }
      var response = try await next(outgoing)
      let isOwn = role.isAnswered(by: response)
      if !isOwn { stage.memory.forgetProxy(for: request.head) }
      guard response.status.code == role.status else {
        if let applied, isOwn { try accept(&response, applied) }
        return finish(response)
      }
      let arrival = request.exchange?.elapsed
      guard let following = try await answer(to: &response, after: applied) else { return finish(response) }
      await leave(response, since: arrival)
      applied = following
    }
  }

  private func accept(_ response: inout Response, _ applied: Applied) throws {
    guard let authorization = applied.authorization else { return }
    do {
      try applied.session.received(&response, to: request, with: authorization)
    } catch {
      throw ending(error, response)
    }
  }

  private func finish(_ response: Response) -> Response {
    guard !history.isEmpty else { return response }
    var response = response
    response.history = history + response.history
    return response
  }

  /// Lets go of a response, so that the request can be sent again.
  private mutating func leave(_ response: Response, since arrival: Duration?) async {
    history += response.history
    history.append(response.hop(to: request, at: arrival))
    await response.body.discard()
    request.attempt += 1
    request.begin()
  }

  // MARK: Deciding

  /// Returns the request to send again; `nil` if the response is returned to the caller.
  private mutating func answer(
    to response: inout Response,
    after applied: Applied?
  ) async throws -> Applied? {
    do {
      switch try await decide(on: &response, after: applied) {
      case .send(let following):
        if following.authorization != nil {
          request.emit(AuthenticationEvent.answered(scheme: following.known.scheme, preemptive: false))
        }
        return following
      case .passOn(let reason):
        request.emit(AuthenticationEvent.passedOn(reason))
        response.remark = "\(stage.name) did not answer it: \(text(of: reason))"
        return nil
      }
    } catch {
      throw ending(error, response)
    }
  }

  /// The error text for a caller without a monitor.
  private func text(of reason: AuthenticationEvent.PassReason) -> String {
    guard reason == .noCredential, !role.isProxy, let server = role.server(for: request),
      !stage.mayRevealCredential(to: server, request)
    else { return reason.rawValue }
    return "\(reason.rawValue) that may be sent without TLS, except by Digest: use https, or set "
      + "options.allowsPlainCredentials"
  }

  /// An error that ends the exchange in place of a response.
  private func ending(_ error: any Error, _ response: Response) -> any Error {
    response.body.cancel()
    guard var error = error as? ExchangeError, error.stage.isEmpty else { return error }
    if error.response == nil { error.response = response.head }
    return error
  }

  private enum Decision {
    case send(Applied)
    case passOn(AuthenticationEvent.PassReason)
  }

  private mutating func decide(
    on response: inout Response,
    after applied: Applied?
  ) async throws -> Decision {
    let challenges = read(response)
    guard request.options.authenticationAttempts > 0 else { return .passOn(.attempts) }
    guard !request.fields.contains(role.credentials) else { return .passOn(.fieldOfCaller) }
    guard let server = role.server(for: request) else { return .passOn(.tunnel) }
    if let answered = response.request?.head, TargetURI.Origin(answered) != TargetURI.Origin(request.head) {
      return .passOn(.otherOrigin)
    }
    guard role.isAnswered(by: response) else { return .passOn(.otherThanProxy) }
    if role.isProxy { stage.memory.noteProxy(for: request.head) }
    // The session learns of the refusal also where nothing can be sent again.
    var following: Applied?
    if let applied {
      await HeldBody.hold(&response.body, on: request.clock)
      following = try await refusal(of: applied, challenges, on: server)
    }
    guard request.body.isReplayable else { return .passOn(failures > 0 ? .refused : .bodyNotReplayable) }
    if let following { return .send(following) }
    guard !challenges.isEmpty else { return .passOn(failures > 0 ? .refused : .noChallenge) }
    guard sent < request.options.authenticationAttempts else { return .passOn(.attempts) }
    if applied == nil { await HeldBody.hold(&response.body, on: request.clock) }
    return try await answer(challenges, of: response, on: server)
  }

  private func read(_ response: Response) -> [AuthenticationChallenge] {
    let (challenges, problems) = AuthenticationChallenge.parse(response.fields, role.challenge)
    for problem in problems { request.emit(AuthenticationEvent.recovered(problem)) }
    if !challenges.isEmpty { request.emit(AuthenticationEvent.challenged(schemes: challenges.map(\.scheme))) }
    return challenges
  }

  /// Asks the session that was refused; nil if its credential is not to be sent again.
  private mutating func refusal(
    of applied: Applied,
    _ challenges: [AuthenticationChallenge],
    on server: TargetURI.Origin
  ) async throws -> Applied? {
    let known = applied.known
    let isBound = known.isRealmKnown || known.credential.realm != nil
    let own = challenges.filter {
      $0.isScheme(known.scheme) && (!isBound || ($0.realm ?? "") == known.space.realm)
    }
    // Another realm asks: that says nothing of this credential.
    if own.isEmpty, challenges.contains(where: { $0.isScheme(known.scheme) }) { return nil }
    let earlier = repeats[known.id, default: 0]
    let scheme = stage.schemes.first { $0.name == known.scheme }
    let best = own.max { scheme?.strength(of: $0) ?? -1 < scheme?.strength(of: $1) ?? -1 }
    guard let authorization = applied.authorization else {
      guard let best else { return nil }
      applied.session.learn(best, from: request)
      guard let authorization = try await applied.session.authorize(request) else { return nil }
      return Applied(known: known, session: applied.session, authorization: authorization)
    }
    let refusal = AuthenticationRefusal(challenge: best, earlier: earlier)
    if earlier < Self.maxRepeats,
      let session = try await applied.session.refused(refusal, to: request, with: authorization)
    {
      guard request.body.isReplayable else { return nil }
      repeats[known.id] = earlier + 1
      request.emit(AuthenticationEvent.stale(scheme: known.scheme))
      return Applied(known: known, session: session, authorization: try await session.authorize(request))
    }
    refused.insert(Refused(scheme: known.scheme, credential: known.credential))
    // A server that calls each nonce stale says nothing of the credential: only this request goes without it.
    let isGood = earlier >= Self.maxRepeats && best?.isStale == true
    if isGood {
      request.emit(AuthenticationEvent.skipped(scheme: known.scheme, .unusable))
    } else {
      failures += 1
      request.emit(AuthenticationEvent.failed(scheme: known.scheme))
    }
    guard !known.credential.isRenewable else { return nil }
    stage.memory.remove(known, on: server)
    if isGood { return nil }
    var spaces = [known.space]
    if !known.isRealmKnown, let realm = best?.realm {
      spaces.append(ProtectionSpace(origin: known.space.origin, realm: realm, isProxy: role.isProxy))
    }
    for space in spaces { stage.memory.refuse(known.credential, by: known.scheme, in: space) }
    return nil
  }

  // MARK: Answering

  /// A challenge that a scheme can answer.
  private struct Candidate {
    let scheme: any AuthenticationScheme
    let challenge: AuthenticationChallenge
    let space: ProtectionSpace
    /// The order of the schemes, then how strong the challenge is.
    let rank: Int
  }

  private mutating func answer(
    _ challenges: [AuthenticationChallenge],
    of response: Response,
    on server: TargetURI.Origin
  ) async throws -> Decision {
    let candidates = candidates(among: challenges, server)
    guard let first = candidates.first else { return .passOn(.noScheme) }
    // Before the store is asked: what it says is kept only while that is still its word.
    let revision = stage.store.revision
    stage.memory.follow(revision: revision)
    var given = stage.givenCredential(for: request, on: server)
    var isHandlers = false
    if let handler = stage.handler {
      let question = ChallengeQuestion(
        space: first.space,
        challenges: candidates.map(\.challenge),
        proposed: try await proposal(for: first, given),
        failures: failures,
        request: Redaction.head(of: request),
        response: Redaction.head(response.head)
      )
      switch try await handler.decide(on: question) {
      case .use(let credential): (given, isHandlers) = (credential, true)
      case .useDefault: break
      case .passOn: return .passOn(.handler)
      case .cancel: throw Self.cancelled
      }
    }
    for candidate in candidates {
      let credential =
        if let given { given } else { try await stored(for: candidate.space) }
      guard let credential else { continue }
      let isShared = isHandlers || given == nil
      let known = try session(of: candidate, with: credential, isShared: isShared, of: revision, on: server)
      guard let known else { continue }
      // The best that could be answered counts, not what is answered in the end.
      let offered = candidates.lazy.filter { $0.space == candidate.space }.map(\.rank).max()
      if stage.memory.isDowngrade(to: offered ?? candidate.rank, in: candidate.space) {
        request.emit(AuthenticationEvent.downgraded(scheme: known.scheme))
      }
      guard let authorization = try await known.session.authorize(request) else {
        request.emit(AuthenticationEvent.skipped(scheme: known.scheme, .unusable))
        continue
      }
      sent += 1
      return .send(Applied(known: known, session: known.session, authorization: authorization))
    }
    return .passOn(failures > 0 || hasSkippedRefused ? .refused : .noCredential)
  }

  private static var cancelled: ExchangeError {
    ExchangeError(.authentication(.cancelled), "the challenge handler cancelled the exchange")
  }

  private func stored(for space: ProtectionSpace) async throws -> Credential? {
    request.options.usesStoredCredentials ? try await stage.store.credential(for: space) : nil
  }

  private func proposal(for candidate: Candidate, _ given: Credential?) async throws -> Credential? {
    let credential = if let given { given } else { try await stored(for: candidate.space) }
    guard let credential,
      !refused.contains(Refused(scheme: candidate.scheme.name, credential: credential)),
      !stage.memory.wasRefused(credential, by: candidate.scheme.name, in: candidate.space)
    else { return nil }
    return credential
  }

  private func candidates(
    among challenges: [AuthenticationChallenge],
    _ origin: TargetURI.Origin
  ) -> [Candidate] {
    var candidates: [Candidate] = []
    for (index, scheme) in stage.schemes.enumerated() where stage.isAllowed(scheme.name, for: request) {
      var own: [Candidate] = []
      for challenge in challenges where challenge.isScheme(scheme.name) {
        guard let strength = scheme.strength(of: challenge) else {
          request.emit(AuthenticationEvent.skipped(scheme: scheme.name, .unusable))
          continue
        }
        let space = ProtectionSpace(origin: origin, realm: challenge.realm ?? "", isProxy: role.isProxy)
        let rank = (stage.schemes.count - index) * 1000 + min(max(strength, 0), 999)
        own.append(Candidate(scheme: scheme, challenge: challenge, space: space, rank: rank))
      }
      // Sorting keeps the order of the server among equals.
      candidates += own.sorted { $0.rank > $1.rank }
    }
    return candidates
  }

  private mutating func session(
    of candidate: Candidate,
    with credential: Credential,
    isShared: Bool,
    of revision: Int,
    on server: TargetURI.Origin
  ) throws -> KnownSession? {
    let (scheme, space, memory) = (candidate.scheme, candidate.space, stage.memory)
    func skip(_ reason: AuthenticationEvent.SkipReason) -> KnownSession? {
      request.emit(AuthenticationEvent.skipped(scheme: scheme.name, reason))
      return nil
    }
    if let realm = credential.realm, realm != space.realm { return skip(.otherRealm) }
    if refused.contains(Refused(scheme: scheme.name, credential: credential))
      || memory.wasRefused(credential, by: scheme.name, in: space)
    {
      hasSkippedRefused = true
      return skip(.refusedBefore)
    }
    if scheme.revealsCredential, !stage.mayRevealCredential(to: space.origin, request) {
      return skip(.plainHTTP)
    }
    if let before = memory.session(
      by: scheme.name,
      in: space,
      on: server,
      with: credential,
      isShared: isShared
    ) {
      before.session.learn(candidate.challenge, from: request)
      return before
    }
    guard let session = try scheme.session(for: candidate.challenge, in: space, with: credential) else {
      return skip(.unusable)
    }
    session.learn(candidate.challenge, from: request)
    return memory.add(
      session,
      by: scheme,
      in: space,
      isRealmKnown: true,
      on: server,
      with: credential,
      isShared: isShared,
      of: revision
    )
  }
}

extension AuthenticationChallenge {
  /// Whether what was refused is the nonce, and not the credential (RFC 7616 3.3).
  fileprivate var isStale: Bool {
    self[parameter: "stale"]?.equalsIgnoringASCIICase("true") == true
  }
}
