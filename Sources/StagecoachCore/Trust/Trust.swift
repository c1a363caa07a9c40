/// The TLS trust policy of a transport, and the client's identity. All transports use this type.
///
/// Certificates are always verified against the roots and the host name. Pins and ``evaluation`` can refuse further
/// peers, but cannot accept a peer that verification refuses. A connection made under one policy is never reused under
/// another.
///
/// ```swift
/// var trust = Trust(roots: .only(try Certificate.fromPEM(ourCA)))
/// trust.hosts["*.bank.example"] = Trust(pins: [
///   try Pin("sha256/hS5jJ4P+iQUErBkvoWBQOd1T7VOAYlOVegvv1iMzpxA="),
///   try Pin("sha256/sRHdihwgkaib1P1gxX8HFszlD+7/gTfNvuAybgLPNis="),  // the backup
/// ])
/// let transport = AsyncHTTPClientTransport(trust: trust)
/// request.options.trust = Trust(identity: identity)  // for this request alone
/// ```
public struct Trust: Sendable, Hashable {
  /// The root certificates that a chain may end in.
  @nonexhaustive
  public enum Roots: Sendable, Hashable {
    /// The roots of the system.
    case system
    /// Only these certificates.
    case only([Certificate])
    /// The roots of the system and these certificates.
    case systemAnd([Certificate])
  }

  /// The verification of certificates.
  @nonexhaustive
  public enum Verification: Sendable, Hashable {
    /// Verifies the chain, the validity period and the host name.
    case full
    /// No verification: any server can impersonate the host. For tests only. Pins and ``Trust/evaluation`` still apply.
    case noneForTesting
  }

  /// A TLS version.
  @nonexhaustive
  public enum Version: Int, Sendable, Hashable, Comparable {
    /// TLS 1.2 (RFC 5246)
    case tls12 = 2
    /// TLS 1.3 (RFC 8446)
    case tls13 = 3

    /// Whether the left version is older.
    public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
  }

  /// The root certificates that a chain may end in; those of the system by default.
  public var roots: Roots
  /// The pins, one of which must match a certificate in the chain of the peer; `nil`, the default, disables pinning. An
  /// empty set refuses every server, so a list of pins that failed to load does not disable pinning silently.
  ///
  /// A transport that sees only the leaf certificate of the peer compares only that: see
  /// ``TransportCapabilities/pinsLeaf``.
  public var pins: Set<Pin>?
  /// The client identity for servers that request one (mutual TLS); `nil` by default.
  public var identity: ClientIdentity?
  /// The minimum TLS version; 1.2 by default.
  public var minimumVersion: Version = .tls12
  /// The maximum TLS version; the newest that the engine supports by default.
  public var maximumVersion: Version?
  /// The verification of certificates; full by default.
  public var verification: Verification = .full
  /// A custom evaluation that can refuse verified peers; `nil` by default.
  public var evaluation: Evaluation?
  /// Overrides for some hosts. A key is a host name in lower case, or `*.` and a domain name for all names below the
  /// domain. An exact name takes precedence over domains, and a longer domain over a shorter one.
  public var hosts: [String: Trust] = [:]

  /// Creates a trust policy.
  public init(roots: Roots = .system, pins: Set<Pin>? = nil, identity: ClientIdentity? = nil) {
    self.roots = roots
    self.pins = pins
    self.identity = identity
  }

  /// Returns the trust policy for a host.
  public func resolved(for host: String) -> Trust {
    guard !hosts.isEmpty else { return self }
    let host = host.lowercased()
    if let own = hosts[host] { return own }
    var rest = host[...]
    while let dot = rest.firstIndex(of: ".") {
      if let domain = hosts["*\(rest[dot...])"] { return domain }
      rest = rest[rest.index(after: dot)...]
    }
    var own = self
    own.hosts = [:]
    return own
  }
}

extension Trust {
  /// A closure that can refuse a verified chain. Two evaluations are equal if one is a copy of the other.
  public struct Evaluation: Sendable, Hashable {
    private final class Closure: Sendable {
      let refuse: @Sendable (Peer) throws -> Void
      /// A number that no other closure has, in this process or another.
      let token = UInt64.random(in: .min ... .max)

      init(_ refuse: @escaping @Sendable (Peer) throws -> Void) {
        self.refuse = refuse
      }
    }

    private let closure: Closure

    var token: UInt64 { closure.token }

    /// Creates an evaluation.
    ///
    /// - Parameter evaluate: Throws to refuse the peer. It runs on a thread of the engine and must return soon.
    public init(_ evaluate: @escaping @Sendable (Peer) throws -> Void) {
      closure = Closure(evaluate)
    }

    func callAsFunction(_ peer: Peer) throws {
      try closure.refuse(peer)
    }

    /// Whether both have the same closure.
    public static func == (left: Evaluation, right: Evaluation) -> Bool { left.closure === right.closure }

    /// Hashes the identity of the closure.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(closure))
    }
  }

  /// The peer of a TLS connection.
  public struct Peer: Sendable {
    /// The requested host name.
    public let host: String
    /// The certificate chain, leaf first; only the leaf if the transport cannot see more.
    public let chain: [Certificate]
    /// Whether the chain was verified successfully. Always true, except under ``Verification/noneForTesting``.
    public let isVerified: Bool

    /// Creates a peer.
    public init(host: String, chain: [Certificate], isVerified: Bool) {
      self.host = host
      self.chain = chain
      self.isVerified = isVerified
    }

    /// The subjects and keys of the certificates, one per line.
    fileprivate var shown: String {
      chain.isEmpty ? "  no certificate" : chain.map { "  \($0)" }.joined(separator: "\n")
    }
  }

  /// Whether the transport must call ``evaluate(_:)`` with the certificates of each peer.
  public var examinesChain: Bool { pins != nil || evaluation != nil }

  /// Checks the pins and the evaluation for a peer.
  ///
  /// - Throws: ``ExchangeError`` of kind `tls(.pinMismatch)` or `tls(.refused)`.
  public func evaluate(_ peer: Peer) throws {
    if let pins, !peer.chain.contains(where: { certificate in pins.contains { $0.matches(certificate) } }) {
      let wanted = pins.isEmpty ? "  no key" : pins.map { "  \($0)" }.sorted().joined(separator: "\n")
      throw ExchangeError(
        .tls(.pinMismatch),
        "no certificate of \(peer.host) is pinned; it showed\n\(peer.shown)\npinned are\n\(wanted)",
        advice: pins.isEmpty
          ? "pins is empty and would refuse every server; use nil to turn pinning off"
          : "if the server's key was changed on purpose, pin the new one beside the old one"
      )
    }
    do {
      try evaluation?(peer)
    } catch {
      throw ExchangeError(
        .tls(.refused),
        "the evaluation of the trust refused \(peer.host): \(error); it showed\n\(peer.shown)",
        underlying: error
      )
    }
  }
}

/// A client identity for TLS connections: a certificate with its intermediates, and the private key.
public struct ClientIdentity: Sendable, Hashable {
  /// The certificate chain, the client certificate first.
  public let chain: [Certificate]
  /// The private key as unencrypted PEM.
  public let privateKeyPEM: String

  /// Creates an identity from PEM texts.
  ///
  /// - Parameters:
  ///   - chain: The certificate chain, the client certificate first.
  ///   - privateKey: The unencrypted private key.
  /// - Throws: ``TrustError``
  public init(chainPEM chain: String, privateKeyPEM privateKey: String) throws {
    self.chain = try Certificate.fromPEM(chain)
    // `ENCRYPTED PRIVATE KEY` (RFC 7468 11), or a `Proc-Type` of the older form (RFC 1421).
    guard !privateKey.contains("ENCRYPTED") else { throw TrustError.encryptedPrivateKey }
    let labels = ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"]
    guard labels.contains(where: { (try? PEM.blocks(of: privateKey, label: $0))?.isEmpty == false }) else {
      throw TrustError.noPrivateKey
    }
    privateKeyPEM = privateKey
  }
}

extension ClientIdentity: CustomStringConvertible, CustomReflectable {
  /// The certificate, without the private key.
  public var description: String { chain.first.map { "\($0)" } ?? "" }

  /// The certificates, without the private key.
  public var customMirror: Mirror { Mirror(self, children: ["chain": chain]) }
}

extension RequestOptions {
  static let trust = RequestOption<Trust?>("trust", default: nil)

  /// The trust policy of this request. Overrides the transport's policy; see ``Trust``.
  public var trust: Trust? {
    get { self[Self.trust] }
    set { self[Self.trust] = newValue }
  }
}
