import HTTPTypes
import StagecoachCore
import Synchronization

/// A password in use in a space: the nonce of the server, and how often it was used.
final class DigestSession: AuthenticationSession {
  /// The values of a nonce that responses are computed from.
  private struct Nonce {
    var challenge: DigestChallenge
    /// Made with the first response, since a session key holds its client nonce.
    var key: DigestKey?
    var clientNonce: String?
    /// The number of uses.
    var count: UInt32 = 0
    /// Whether the server has named it ahead of its use: a refusal of it says nothing of the password.
    var isAnnounced = false
    let prefixes: [String]
  }

  /// The values for one response, including its count.
  private struct Ticket {
    let challenge: DigestChallenge
    let key: DigestKey
    let clientNonce: String
    let count: UInt32
  }

  private let scheme: DigestScheme
  private let space: ProtectionSpace
  private let user: String
  private let password: String
  /// The nonce that is replaced in another session, once the one here has proved good.
  private let origin: (session: DigestSession, nonce: String)?
  private let nonce: Mutex<Nonce?>

  /// - Parameters:
  ///   - challenge: What is answered; nil if the next one has to be waited for.
  ///   - used: How often its nonce was used already.
  init(
    _ scheme: DigestScheme,
    _ challenge: DigestChallenge?,
    _ space: ProtectionSpace,
    user: String,
    password: String,
    used: UInt32 = 0,
    origin: (session: DigestSession, nonce: String)? = nil
  ) {
    self.scheme = scheme
    self.space = space
    self.user = user
    self.password = password
    self.origin = origin
    nonce = Mutex(challenge.map { Nonce(challenge: $0, count: used, prefixes: $0.prefixes(in: space)) })
  }

  // MARK: Requests

  func authorize(_ request: Request) async throws -> Authorization? {
    while let challenge = nonce.withLock({ $0?.challenge }) {
      let quality: DigestChallenge.Quality?
      do {
        quality = try challenge.quality(
          prefersIntegrity: scheme.prefersIntegrity,
          canHashContent: request.body.isReplayable
        )
      } catch {
        return nil
      }
      var content: String?
      if quality == .integrity { content = try await challenge.algorithm.digest(of: request.body) }
      // The count is taken last, so that requests leave in its order as far as they can.
      guard let ticket = try take(for: request) else { return nil }
      guard ticket.challenge.algorithm == challenge.algorithm,
        ticket.challenge.qualities == challenge.qualities
      else {
        // The server has changed its mind while the content was hashed.
        continue
      }
      let response = DigestResponse(
        challenge: ticket.challenge,
        key: ticket.key,
        quality: quality,
        nonceCount: ticket.count,
        clientNonce: ticket.clientNonce,
        method: request.method.rawValue,
        uri: uri(of: request),
        contentDigest: content
      )
      return Authorization(response.value, memo: response)
    }
    return nil
  }

  private func take(for request: Request) throws -> Ticket? {
    let fresh = DigestResponse.makeClientNonce(request.randomNumberGenerator)
    return try nonce.withLock { nonce -> Ticket? in
      guard var current = nonce, current.count < .max else {
        nonce = nil
        return nil
      }
      let first = current.clientNonce ?? fresh
      let key = try current.key ?? makeKey(for: current.challenge, clientNonce: first)
      (current.key, current.clientNonce) = (key, first)
      current.count += 1
      nonce = current
      return Ticket(
        challenge: current.challenge,
        key: key,
        clientNonce: current.challenge.algorithm.isSession ? first : fresh,
        count: current.count
      )
    }
  }

  private func makeKey(for challenge: DigestChallenge, clientNonce: String) throws -> DigestKey {
    do {
      return try DigestKey(
        for: challenge,
        user: user,
        password: password,
        clientNonce: clientNonce,
        charset: scheme.charset
      )
    } catch {
      throw ExchangeError(error)
    }
  }

  /// The request target as it goes over the wire: absolute to a proxy (RFC 9112 3.2.2).
  private func uri(of request: Request) -> String {
    let path = request.head.path ?? "/"
    guard space.isProxy, let scheme = request.head.scheme, let authority = request.head.authority else {
      return path
    }
    return "\(scheme)://\(authority)\(path == "*" ? "" : path)"
  }

  func coverage(of target: String) -> Int? {
    nonce.withLock { nonce in
      guard let nonce else { return nil }
      if nonce.challenge.domain.isEmpty || space.isProxy { return 0 }
      return nonce.prefixes.lazy.filter { target.isBelow($0) }.map(\.utf8.count).max()
    }
  }

  func learn(_ challenge: AuthenticationChallenge, from request: Request) {
    // The first challenge wins: many may come before the first is answered.
    guard nonce.withLock({ $0 == nil }), let challenge = digest(challenge) else { return }
    nonce.withLock { nonce in
      if nonce == nil { nonce = Nonce(challenge: challenge, prefixes: challenge.prefixes(in: space)) }
    }
  }

  private func digest(_ challenge: AuthenticationChallenge?) -> DigestChallenge? {
    challenge.flatMap { try? DigestChallenge($0, allowsMissingQuality: scheme.allowsMissingQuality) }
  }

  // MARK: Refusals

  func refused(
    _ refusal: AuthenticationRefusal,
    to request: Request,
    with authorization: Authorization
  ) -> (any AuthenticationSession)? {
    guard let sent = authorization.memo as? DigestResponse, let fresh = digest(refusal.challenge) else {
      return nil
    }
    let used = sent.challenge.nonce
    if fresh.isStale {
      guard refusal.earlier == 0 else { return alone(with: nil, for: used) }
      replace(used, with: Nonce(challenge: fresh, prefixes: fresh.prefixes(in: space)))
      return self
    }
    // Apache counts all nonces with the same `opaque` together, so a new nonce may not be enough.
    if origin != nil, refusal.earlier > 0 { return alone(with: nil, for: used) }
    // With a nonce of its own the password is wrong; with a shared nonce, this request may have overtaken others.
    guard origin == nil, fresh.nonce != used, sent.nonceCount > 1 || isShared(used) else { return nil }
    guard request.body.isReplayable else {
      // Nothing is sent with it now, so the next request can use it.
      replace(used, with: Nonce(challenge: fresh, prefixes: fresh.prefixes(in: space)))
      return self
    }
    return alone(with: fresh, for: used)
  }

  private func isShared(_ used: String) -> Bool {
    nonce.withLock { nonce in
      guard let nonce else { return true }
      return nonce.challenge.nonce != used || nonce.count > 1 || nonce.isAnnounced
    }
  }

  /// Returns a session for one request, whose nonce is not shared; without a challenge, one that asks for a nonce.
  private func alone(with challenge: DigestChallenge?, for used: String) -> DigestSession {
    DigestSession(
      scheme,
      challenge,
      space,
      user: user,
      password: password,
      origin: origin ?? (self, used)
    )
  }

  private func replace(_ used: String, with new: Nonce) {
    nonce.withLock { nonce in
      if nonce == nil || nonce?.challenge.nonce == used { nonce = new }
    }
  }

  // MARK: Responses

  func received(_ response: inout Response, to request: Request, with authorization: Authorization) throws {
    if let origin, let good = nonce.withLock({ $0 }) { origin.session.replace(origin.nonce, with: good) }
    guard let sent = authorization.memo as? DigestResponse else { return }
    let name: HTTPField.Name = space.isProxy ? .proxyAuthenticationInfo : .authenticationInfo
    let info = AuthenticationInfo(response.fields, name)
    let proof = DigestProof(sent: sent, field: name, isRequired: scheme.requiresServerProof, request: request)
    switch sent.check(info) {
    case .valid: break
    case .invalid:
      try proof.refuse()
      return
    case .absent where !scheme.requiresServerProof: break
    case .absent, .needsContentDigest: try proof.follow(&response, info)
    }
    if let next = info?.nextNonce { (origin?.session ?? self).advance(from: sent.challenge.nonce, to: next) }
  }

  /// The server wants another nonce from now on; the key of a session stays.
  ///
  /// Of several that were named for one nonce the first counts: a count must not begin anew.
  private func advance(from used: String, to next: String) {
    nonce.withLock { nonce in
      guard nonce?.challenge.nonce == used, next != used else { return }
      nonce?.challenge.nonce = next
      nonce?.count = 0
      nonce?.isAnnounced = true
    }
  }
}

extension DigestChallenge {
  /// Returns the request targets that start the protection space, without those of other origins (RFC 7616 3.3,
  /// `domain`).
  fileprivate func prefixes(in space: ProtectionSpace) -> [String] {
    guard !domain.isEmpty, !space.isProxy, let root = try? TargetURI(parsing: "\(space.origin)/") else {
      return []
    }
    return domain.compactMap { reference in
      guard let target = try? root.resolving(reference), target.isSameOrigin(as: root) else { return nil }
      return target.requestTarget
    }
  }
}

extension String {
  /// Whether a request target is another one or lies below it.
  fileprivate func isBelow(_ prefix: String) -> Bool {
    let (octets, prefix) = (utf8, prefix.utf8)
    guard octets.starts(with: prefix) else { return false }
    guard prefix.last != UInt8(ascii: "/"), let next = octets.dropFirst(prefix.count).first else {
      return true
    }
    return next == UInt8(ascii: "/") || next == UInt8(ascii: "?")
  }
}

extension ExchangeError {
  /// A credential that a scheme cannot write.
  init(_ error: CredentialError) {
    self.init(
      .authentication(.invalidCredential),
      "\(error)",
      advice: "use another credential, or a scheme that supports this one",
      underlying: error
    )
  }
}
