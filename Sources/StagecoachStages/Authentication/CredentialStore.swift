public import HTTPTypes
public import StagecoachCore
import Synchronization

/// A store of credentials by origin, for example in memory, in a `.netrc` file or in a keychain.
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
  /// Returns the credential for a protection space, after a challenge.
  ///
  /// - Throws: Any error, which ends the exchange.
  func credential(for space: ProtectionSpace) async throws -> Credential?

  /// Returns the credential to send with a request before the server asks; `nil` by default.
  ///
  /// Called for each request, so it must be fast. It must check scheme and authority, because the credential is sent
  /// to that server.
  func preemptiveCredential(for request: HTTPRequest) -> Credential?

  /// A number that changes with each change of the store. The stage then forgets what it learned with the previous
  /// credentials. 0 by default.
  var revision: Int { get }
}

extension CredentialStore {
  /// Returns `nil`.
  public func preemptiveCredential(for request: HTTPRequest) -> Credential? { nil }
  /// The default: 0.
  public var revision: Int { 0 }
}

/// A credential store in memory. Each credential belongs to one origin.
///
/// ```swift
/// let store = MemoryCredentialStore()
/// try store.set(Credential(user: "ada", password: "secret"), for: "https://api.example.com")
/// let authentication = Authentication(store: store)
/// ```
public final class MemoryCredentialStore: CredentialStore {
  private struct State {
    var credentials: [TargetURI.Origin: [Credential]] = [:]
    var hasPreemptive = false
  }

  private let state = Mutex(State())
  private let changes = Atomic<Int>(0)

  /// Creates an empty store.
  public init() {}

  /// Adds a credential for one realm or all of them, replacing an earlier one for the same realm.
  ///
  /// - Parameters:
  ///   - credential: The credential.
  ///   - origin: The origin, as `https://host:port`; what follows is ignored.
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the origin is not an http or https URL.
  public func set(_ credential: Credential, for origin: String) throws {
    set(credential, for: try TargetURI.Origin.parsing(origin))
  }

  /// Adds a credential for one realm or all of them, replacing an earlier one for the same realm.
  public func set(_ credential: Credential, for origin: TargetURI.Origin) {
    change { state in
      state.credentials[origin, default: []].removeAll { $0.realm == credential.realm }
      state.credentials[origin, default: []].append(credential)
    }
  }

  /// Removes the credential of a realm; without a realm, all credentials of an origin.
  ///
  /// - Parameters:
  ///   - origin: The origin, as `https://host:port`; what follows is ignored.
  ///   - realm: The realm; `nil`, the default, for all credentials of the origin.
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the origin is not an http or https URL.
  public func removeCredentials(for origin: String, realm: String? = nil) throws {
    let server = try TargetURI.Origin.parsing(origin)
    change { state in
      state.credentials[server]?.removeAll { realm == nil || $0.realm == realm }
      if state.credentials[server]?.isEmpty == true { state.credentials[server] = nil }
    }
  }

  /// Removes all credentials.
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

  /// Returns the credential for the realm, otherwise the one for all realms.
  public func credential(for space: ProtectionSpace) -> Credential? {
    let known = state.withLock { $0.credentials[space.origin] } ?? []
    return known.first { $0.realm == space.realm } ?? known.first { $0.realm == nil }
  }

  /// Returns the first preemptive credential of the origin.
  public func preemptiveCredential(for request: HTTPRequest) -> Credential? {
    state.withLock { state in
      guard state.hasPreemptive, let server = TargetURI.Origin(request) else { return nil }
      return state.credentials[server]?.first(where: \.isPreemptive)
    }
  }

  /// The number of changes of the store.
  public var revision: Int { changes.load(ordering: .acquiring) }
}

extension MemoryCredentialStore: CustomReflectable {
  /// An empty mirror, so that the credentials are not shown.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
