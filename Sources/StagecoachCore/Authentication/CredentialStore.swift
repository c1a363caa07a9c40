public import HTTPTypes
import Synchronization

/// Keeps credentials by the origin that they belong to: in memory, in a `.netrc` file, in a keychain.
///
/// ```swift
/// struct OneAccount: CredentialStore {
///   func credential(for space: ProtectionSpace) async -> Credential? {
///     guard space.origin.isSecure, space.origin.host == "api.example.com" else { return nil }
///     return Credential(user: "ada", password: "secret")
///   }
/// }
/// ```
public protocol CredentialStore: Sendable {
  /// The credential for a protection space, asked for when a server has challenged.
  ///
  /// - Throws: Anything, which ends the exchange.
  func credential(for space: ProtectionSpace) async throws -> Credential?

  /// The credential to send with a request before anybody asked; nil by default.
  ///
  /// Asked for each request, so it must be quick, and must look at scheme and authority: the credential is sent
  /// wherever this says.
  func preemptiveCredential(for request: HTTPRequest) -> Credential?

  /// A number that changes with each change of the store, upon which the stage forgets what it learned with the
  /// credentials before; 0 by default.
  var revision: Int { get }
}

extension CredentialStore {
  /// Nil.
  public func preemptiveCredential(for request: HTTPRequest) -> Credential? { nil }
  /// 0
  public var revision: Int { 0 }
}

/// Credentials in memory, each of one origin.
///
/// ```swift
/// let store = MemoryCredentialStore()
/// try store.set(Credential(user: "ada", password: "secret"), for: "https://api.example.com")
/// let authentication = Authentication(store: store)
/// ```
public final class MemoryCredentialStore: CredentialStore {
  private struct State {
    var credentials: [ServerName: [Credential]] = [:]
    var hasPreemptive = false
  }

  private let state = Mutex(State())
  private let changes = Atomic<Int>(0)

  /// An empty store.
  public init() {}

  /// Keeps a credential, for one realm or all of them, in place of the one for the same.
  ///
  /// - Parameters:
  ///   - credential: The credential.
  ///   - origin: The origin, as `https://host:port`; what follows is ignored.
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the origin is no http or https URL.
  public func set(_ credential: Credential, for origin: String) throws {
    set(credential, for: try TargetURI.Origin.parsing(origin))
  }

  /// Keeps a credential, for one realm or all of them, in place of the one for the same.
  public func set(_ credential: Credential, for origin: TargetURI.Origin) {
    change { state in
      state.credentials[ServerName(origin), default: []].removeAll { $0.realm == credential.realm }
      state.credentials[ServerName(origin), default: []].append(credential)
    }
  }

  /// Forgets the credential of a realm; without a realm, all of an origin.
  ///
  /// - Parameters:
  ///   - origin: The origin, as `https://host:port`; what follows is ignored.
  ///   - realm: The realm; nil, the default, for all credentials of the origin.
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the origin is no http or https URL.
  public func removeCredentials(for origin: String, realm: String? = nil) throws {
    let server = ServerName(try TargetURI.Origin.parsing(origin))
    change { state in
      state.credentials[server]?.removeAll { realm == nil || $0.realm == realm }
      if state.credentials[server]?.isEmpty == true { state.credentials[server] = nil }
    }
  }

  /// Forgets all credentials.
  public func removeAll() {
    change { $0.credentials = [:] }
  }

  private func change(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      state.hasPreemptive = state.credentials.values.contains { $0.contains(where: \.isPreemptive) }
      changes.add(1, ordering: .releasing)
    }
  }

  /// The credential for the realm, else the one for all realms.
  public func credential(for space: ProtectionSpace) -> Credential? {
    let known = state.withLock { $0.credentials[ServerName(space.origin)] } ?? []
    return known.first { $0.realm == space.realm } ?? known.first { $0.realm == nil }
  }

  /// The first credential of the origin that is preemptive.
  public func preemptiveCredential(for request: HTTPRequest) -> Credential? {
    state.withLock { state in
      guard state.hasPreemptive, let server = ServerName(request) else { return nil }
      return state.credentials[server]?.first(where: \.isPreemptive)
    }
  }

  /// How often the store was changed.
  public var revision: Int { changes.load(ordering: .acquiring) }
}

extension MemoryCredentialStore: CustomReflectable {
  /// Nothing of the credentials.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
