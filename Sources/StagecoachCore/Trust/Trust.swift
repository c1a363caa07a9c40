/// Whom a transport believes on TLS connections, and who it says it is: one value for every back end.
///
/// Certificates are always verified against the roots and the host's name; pins and ``evaluation`` may refuse more,
/// never less. A connection made under one trust is never used under another.
///
/// ```swift
/// var trust = Trust(roots: .only(try Certificate.fromPEM(ourCA)))
/// trust.hosts["*.bank.example"] = Trust(pins: [try Pin(current), try Pin(backup)])
/// let transport = AsyncHTTPClientTransport(trust: trust)
/// request.options.trust = Trust(identity: identity)  // for this request alone
/// ```
public struct Trust: Sendable, Hashable {
  /// What certificates a chain may end in.
  @nonexhaustive
  public enum Roots: Sendable, Hashable {
    /// Those of the system.
    case system
    /// These and no others.
    case only([Certificate])
    /// Those of the system, and these.
    case systemAnd([Certificate])
  }

  /// Whether certificates are verified.
  @nonexhaustive
  public enum Verification: Sendable, Hashable {
    /// Chain, time and name of the host.
    case full
    /// Not at all: anybody can pose as the server. For tests; pins and ``Trust/evaluation`` still count.
    case noneForTesting
  }

  /// The versions of TLS.
  @nonexhaustive
  public enum Version: Int, Sendable, Hashable, Comparable {
    /// TLS 1.2 (RFC 5246)
    case tls12 = 2
    /// TLS 1.3 (RFC 8446)
    case tls13 = 3

    /// Whether a version is older.
    public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
  }

  /// What certificates a chain may end in; the system's by default.
  public var roots: Roots
  /// One of these has to be in the chain of the peer; nil, the default, is no pinning. An empty set refuses every
  /// server, so that a list of pins that could not be filled does not end pinning in silence.
  ///
  /// Where a transport can see only the certificate of the peer itself, only that is compared: see
  /// ``TransportCapabilities/pinsLeaf``.
  public var pins: Set<Pin>?
  /// Who the client is, for servers that ask (mutual TLS); nil by default.
  public var identity: ClientIdentity?
  /// The oldest version of TLS; 1.2 by default.
  public var minimumVersion: Version = .tls12
  /// The newest version of TLS; the newest that the engine knows by default.
  public var maximumVersion: Version?
  /// Whether certificates are verified; fully by default.
  public var verification: Verification = .full
  /// Refuses more of what was found good; nothing by default.
  public var evaluation: Evaluation?
  /// What counts in place of this for some hosts: by name in lower case, or by `*.` and the name of a domain for all
  /// names below it. The name itself goes before domains, and of domains the longest counts.
  public var hosts: [String: Trust] = [:]

  /// Trust in the system's roots, without pins and identity, unless they are given.
  public init(roots: Roots = .system, pins: Set<Pin>? = nil, identity: ClientIdentity? = nil) {
    self.roots = roots
    self.pins = pins
    self.identity = identity
  }

  /// What counts for a host.
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
  /// A closure that may refuse a chain which was found good. Two are equal if one is a copy of the other.
  public struct Evaluation: Sendable, Hashable {
    private final class Closure: Sendable {
      let refuse: @Sendable (Peer) throws -> Void

      init(_ refuse: @escaping @Sendable (Peer) throws -> Void) {
        self.refuse = refuse
      }
    }

    private let closure: Closure

    /// An evaluation.
    ///
    /// - Parameter evaluate: Throws to refuse. It runs on a thread of the engine and must return soon.
    public init(_ evaluate: @escaping @Sendable (Peer) throws -> Void) {
      closure = Closure(evaluate)
    }

    func callAsFunction(_ peer: Peer) throws {
      try closure.refuse(peer)
    }

    /// Whether both are the same closure.
    public static func == (left: Evaluation, right: Evaluation) -> Bool { left.closure === right.closure }

    /// Feeds the identity of the closure to a hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(closure))
    }
  }

  /// The peer of a TLS connection.
  public struct Peer: Sendable {
    /// The name that was asked for.
    public let host: String
    /// Its certificates, its own first; only its own where the transport cannot see more.
    public let chain: [Certificate]
    /// Whether the chain was verified, and found good. Always, but under ``Verification/noneForTesting``.
    public let isVerified: Bool

    package init(host: String, chain: [Certificate], isVerified: Bool) {
      self.host = host
      self.chain = chain
      self.isVerified = isVerified
    }

    /// The subjects and keys of its certificates, a line for each.
    fileprivate var shown: String {
      chain.isEmpty ? "  no certificate" : chain.map { "  \($0)" }.joined(separator: "\n")
    }
  }

  /// Whether a chain has to be looked at beyond what the engine verifies.
  package var looksAtChain: Bool { pins != nil || evaluation != nil }

  /// Refuses a peer whose chain holds no pinned certificate, or whom the evaluation refuses.
  ///
  /// - Throws: ``ExchangeError`` of kind `tls(.pinMismatch)` or `tls(.refused)`.
  package func check(_ peer: Peer) throws {
    if let pins, !peer.chain.contains(where: { certificate in pins.contains { $0.matches(certificate) } }) {
      let wanted = pins.isEmpty ? "  no key" : pins.map { "  \($0)" }.sorted().joined(separator: "\n")
      throw ExchangeError(
        .tls(.pinMismatch),
        "no certificate of \(peer.host) is pinned; it showed\n\(peer.shown)\npinned are\n\(wanted)",
        advice: pins.isEmpty
          ? "an empty set of pins refuses every server; nil is no pinning"
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

/// Who a client says it is on TLS connections: its certificate with the ones above it, and its private key.
public struct ClientIdentity: Sendable, Hashable {
  /// The certificates, the client's own first.
  public let chain: [Certificate]
  /// The private key, as PEM without a passphrase.
  package let privateKeyPEM: String

  /// An identity from PEM texts.
  ///
  /// - Parameters:
  ///   - chain: The certificates, the client's own first.
  ///   - privateKey: The private key without a passphrase.
  /// - Throws: ``TrustError``
  public init(chainPEM chain: String, privateKeyPEM privateKey: String) throws {
    self.chain = try Certificate.fromPEM(chain)
    let labels = ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"]
    guard try labels.contains(where: { !(try PEM.blocks(of: privateKey, label: $0)).isEmpty }),
      !privateKey.contains("ENCRYPTED")
    else { throw TrustError.noPrivateKey }
    privateKeyPEM = privateKey
  }
}

extension ClientIdentity: CustomStringConvertible, CustomReflectable {
  /// The certificate, and nothing of the key.
  public var description: String { chain.first.map { "\($0)" } ?? "" }

  /// The certificates, and nothing of the key.
  public var customMirror: Mirror { Mirror(self, children: ["chain": chain]) }
}

extension RequestOptions {
  static let trust = RequestOption<Trust?>("trust", default: nil)

  /// Whom this request believes, in place of what its transport was made with; see ``Trust``.
  public var trust: Trust? {
    get { self[Self.trust] }
    set { self[Self.trust] = newValue }
  }
}
