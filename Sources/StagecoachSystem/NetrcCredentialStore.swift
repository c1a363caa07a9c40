import StagecoachCore
public import StagecoachStages
import Synchronization

/// A credential store over a `.netrc` file. The file only names hosts, so each credential is bound to the first
/// `https` origin of its host that asks for it.
///
/// ```swift
/// let authentication = Authentication(store: NetrcCredentialStore(try NetrcFile(contentsOf: "/home/ada/.netrc")))
/// ```
///
/// An origin of `http` gets a credential only on this machine, or if that is allowed.
public final class NetrcCredentialStore: CredentialStore {
  private let file: NetrcFile
  private let allowsPlainHTTP: Bool
  private let usesDefault: Bool
  private let origins = Mutex<[String: TargetURI.Origin]>([:])

  /// Creates a store over a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - allowsPlainHTTP: Whether origins of `http` get credentials too; `false` by default.
  ///   - usesDefault: Whether the entry `default` is used for every host; `false` by default.
  public init(_ file: NetrcFile, allowsPlainHTTP: Bool = false, usesDefault: Bool = false) {
    self.file = file
    self.allowsPlainHTTP = allowsPlainHTTP
    self.usesDefault = usesDefault
  }

  /// Returns the name and the password for the host of an origin; `nil` for a proxy.
  public func credential(for space: ProtectionSpace) -> Credential? {
    let origin = space.origin
    guard !space.isProxy, origin.isSecure || allowsPlainHTTP || origin.isLoopback,
      let entry = entry(for: origin.host.withoutBrackets), let user = entry.login
    else { return nil }
    // A credential is not bound to an origin that others can impersonate.
    guard origin.isSecure else { return Credential(user: user, password: entry.password ?? "") }
    let bound = origins.withLock { origins in
      let bound = origins[origin.host] ?? origin
      origins[origin.host] = bound
      return bound
    }
    guard bound == origin else { return nil }
    return Credential(user: user, password: entry.password ?? "")
  }

  /// Returns the entry of a host, even if `default` precedes it.
  private func entry(for host: String) -> NetrcFile.Entry? {
    file.entries.first { $0.host?.equalsIgnoringASCIICase(host) == true }
      ?? (usesDefault ? file.entry(forHost: host) : nil)
  }
}

extension String {
  /// The host of a URL without the brackets of an IPv6 address.
  fileprivate var withoutBrackets: String { hasPrefix("[") ? String(dropFirst().dropLast()) : self }
}

extension NetrcCredentialStore: CustomReflectable {
  /// An empty mirror, so that the file is not shown.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
