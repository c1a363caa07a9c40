import HTTPTypes
import StagecoachCore
import Synchronization

/// A credential in use: in which space, by which scheme, and what makes its fields.
struct KnownSession: Sendable {
  let id: Int
  let space: ProtectionSpace
  /// Whether a challenge has named the realm.
  let isRealmKnown: Bool
  let scheme: String
  let revealsCredential: Bool
  let credential: Credential
  /// Whether the session is from the store or the handler, and can be used for other requests.
  let isShared: Bool
  let session: any AuthenticationSession

  /// The user and the realm; `nil` for a token, which is a name of its own.
  var user: String? { credential.user.map { "\($0)\n\(space.realm)" } }
}

/// The memory of a stage: the sessions of each server, and the refused credentials.
final class SessionMemory: Sendable {
  private struct Refused: Hashable {
    let scheme: String
    let space: ProtectionSpace
    let credential: Credential
  }

  private struct State {
    var sessions: [TargetURI.Origin: [KnownSession]] = [:]
    var refused: Set<Refused> = []
    var ranks: [ProtectionSpace: Int] = [:]
    /// The origins for which the proxy of the stage has asked.
    var behindProxy: Set<TargetURI.Origin> = []
    var revision = 0
    var counter = 0
  }

  /// The maximum number of entries of each kind. Removing an entry costs one more challenge.
  private static let limit = 1000
  /// The most sessions of one server: each request looks at all of them.
  private static let sessionLimit = 32

  private let state = Mutex(State())
  private let count = Atomic<Int>(0)

  /// Whether no server is known.
  var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  private func change<Result>(_ change: (inout State) -> Result) -> Result {
    state.withLock { state in
      defer { count.store(state.sessions.count, ordering: .releasing) }
      return change(&state)
    }
  }

  /// Forgets everything.
  func removeAll() {
    change { $0 = State(revision: $0.revision, counter: $0.counter) }
  }

  /// Forgets what was learned with the credentials of a store that has changed since.
  func follow(revision: Int) {
    change { state in
      guard state.revision != revision else { return }
      state.revision = revision
      state.refused = []
      state.sessions = state.sessions.compactMapValues { sessions in
        let kept = sessions.filter { !$0.isShared }
        return kept.isEmpty ? nil : kept
      }
    }
  }

  /// The session that covers a target most closely, of a credential or, without one, of those shared.
  func session(for target: String, on server: TargetURI.Origin, with credential: Credential?) -> KnownSession?
  {
    let sessions = state.withLock { $0.sessions[server] }
    guard let sessions else { return nil }
    var best: KnownSession?
    var widest = -1
    for known in sessions where credential == nil ? known.isShared : known.credential == credential {
      guard let coverage = known.session.coverage(of: target), coverage > widest else { continue }
      (best, widest) = (known, coverage)
    }
    return best
  }

  /// The session of a scheme for a credential in a space.
  func session(
    by scheme: String,
    in space: ProtectionSpace,
    on server: TargetURI.Origin,
    with credential: Credential,
    isShared: Bool
  ) -> KnownSession? {
    state.withLock { state in
      state.sessions[server]?.first {
        $0.isRealmKnown && $0.scheme == scheme && $0.space == space && $0.credential == credential
          && $0.isShared == isShared
      }
    }
  }

  /// Adds a session, unless there is one for the same space, scheme and credential, which is then returned.
  ///
  /// - Parameter revision: The revision of the store before it was queried. If the store has changed since, the
  ///   session is not added, and is used for its own request only.
  func add(
    _ session: any AuthenticationSession,
    by scheme: any AuthenticationScheme,
    in space: ProtectionSpace,
    isRealmKnown: Bool,
    on server: TargetURI.Origin,
    with credential: Credential,
    isShared: Bool,
    of revision: Int
  ) -> KnownSession {
    change { state in
      let same = state.sessions[server]?.first {
        $0.isRealmKnown == isRealmKnown && $0.scheme == scheme.name && $0.space == space
          && $0.credential == credential && $0.isShared == isShared
      }
      if let same { return same }
      state.counter += 1
      let known = KnownSession(
        id: state.counter,
        space: space,
        isRealmKnown: isRealmKnown,
        scheme: scheme.name,
        revealsCredential: scheme.revealsCredential,
        credential: credential,
        isShared: isShared,
        session: session
      )
      if isShared, state.revision != revision { return known }
      if state.sessions[server]?.count == Self.sessionLimit { state.sessions[server]?.removeFirst() }
      if state.sessions.count == Self.limit, state.sessions[server] == nil {
        state.sessions.remove(at: state.sessions.startIndex)
      }
      state.sessions[server, default: []].append(known)
      return known
    }
  }

  /// Forgets a session.
  func remove(_ known: KnownSession, on server: TargetURI.Origin) {
    change { state in
      state.sessions[server]?.removeAll { $0.id == known.id }
      if state.sessions[server]?.isEmpty == true { state.sessions[server] = nil }
    }
  }

  /// Notes that a credential was refused.
  func refuse(_ credential: Credential, by scheme: String, in space: ProtectionSpace) {
    change { state in
      if state.refused.count == Self.limit { state.refused.removeFirst() }
      state.refused.insert(Refused(scheme: scheme, space: space, credential: credential))
    }
  }

  /// Whether a credential was refused before.
  func wasRefused(_ credential: Credential, by scheme: String, in space: ProtectionSpace) -> Bool {
    state.withLock { $0.refused.contains(Refused(scheme: scheme, space: space, credential: credential)) }
  }

  /// Notes that the proxy of the stage asks for a request.
  func noteProxy(for head: HTTPRequest) {
    guard let origin = TargetURI.Origin(head) else { return }
    change { state in
      if state.behindProxy.count == Self.limit { state.behindProxy.removeFirst() }
      state.behindProxy.insert(origin)
    }
  }

  /// Notes that requests to an origin do not lead to the proxy of the stage any more.
  func forgetProxy(for head: HTTPRequest) {
    guard let origin = TargetURI.Origin(head) else { return }
    change { _ = $0.behindProxy.remove(origin) }
  }

  /// Whether the proxy of the stage has asked for requests to the same origin.
  func leadsThroughProxy(_ head: HTTPRequest) -> Bool {
    guard let origin = TargetURI.Origin(head) else { return false }
    return state.withLock { $0.behindProxy.contains(origin) }
  }

  /// Records the strength of the answer that a space asks for, and returns whether it asked for a stronger one before.
  func isDowngrade(to rank: Int, in space: ProtectionSpace) -> Bool {
    change { state in
      let before = state.ranks[space] ?? rank
      if state.ranks.count == Self.limit { state.ranks.remove(at: state.ranks.startIndex) }
      state.ranks[space] = max(before, rank)
      return rank < before
    }
  }
}
