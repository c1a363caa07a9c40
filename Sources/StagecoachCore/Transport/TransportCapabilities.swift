/// What a transport can do beyond a plain exchange.
///
/// The conformance kit holds a transport to what it declares, and reports what it does without declaring it.
public struct TransportCapabilities: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt64

  /// Capabilities from bits.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  // MARK: Messages

  /// Sends request bodies chunk by chunk, at the pace of the peer.
  public static let streamsRequestBodies = TransportCapabilities(rawValue: 1 << 0)
  /// Hands over response bodies chunk by chunk, at the pace of the reader.
  public static let streamsResponseBodies = TransportCapabilities(rawValue: 1 << 1)
  /// Sends trailer fields.
  public static let requestTrailers = TransportCapabilities(rawValue: 1 << 2)
  /// Hands over trailer fields.
  public static let responseTrailers = TransportCapabilities(rawValue: 1 << 3)
  /// Keeps order, case and repetition of fields.
  public static let exactFields = TransportCapabilities(rawValue: 1 << 5)
  /// Sends each chunk of a request body of unknown length as a chunk of its own (RFC 9112 7.1).
  public static let exactChunks = TransportCapabilities(rawValue: 1 << 6)
  /// Hands over the reason phrase as it came.
  public static let reasonPhrases = TransportCapabilities(rawValue: 1 << 7)
  /// Sends `OPTIONS *` (RFC 9112 3.2.4).
  public static let asteriskForm = TransportCapabilities(rawValue: 1 << 8)
  /// Waits for 100 before it sends the body of a request with `Expect: 100-continue` (RFC 9110 10.1.1).
  public static let expectContinue = TransportCapabilities(rawValue: 1 << 9)
  /// Emits informational responses (RFC 9110 15.2) as events.
  public static let informationalResponses = TransportCapabilities(rawValue: 1 << 10)
  /// Goes on sending the request body while the response comes.
  public static let fullDuplex = TransportCapabilities(rawValue: 1 << 11)
  /// Undoes content codings itself.
  public static let decodesContent = TransportCapabilities(rawValue: 1 << 12)
  /// Adds fields to requests that nobody asked for.
  public static let addsFields = TransportCapabilities(rawValue: 1 << 13)

  /// Hands over what follows a 101 (RFC 9110 15.2.2) as the body.
  public static let upgrades = TransportCapabilities(rawValue: 1 << 14)

  // MARK: Connections

  /// Speaks HTTP on connections.
  public static let wire = TransportCapabilities(rawValue: 1 << 16)
  /// Speaks HTTP/2.
  public static let http2 = TransportCapabilities(rawValue: 1 << 4)
  /// Speaks HTTP/2 on plain connections too, see ``HTTPVersions/http2``.
  public static let http2PriorKnowledge = TransportCapabilities(rawValue: 1 << 17)
  /// Speaks HTTP/3.
  public static let http3 = TransportCapabilities(rawValue: 1 << 18)
  /// Connects to Unix domain sockets.
  public static let unixSockets = TransportCapabilities(rawValue: 1 << 19)
  /// Goes through proxies of HTTP.
  public static let httpProxies = TransportCapabilities(rawValue: 1 << 20)
  /// Goes through proxies of SOCKS.
  public static let socksProxies = TransportCapabilities(rawValue: 1 << 21)
  /// Uses given addresses of hosts.
  public static let addressOverrides = TransportCapabilities(rawValue: 1 << 22)
  /// Connects from a given address.
  public static let localAddress = TransportCapabilities(rawValue: 1 << 23)
  /// Tells how long connecting took: ``ConnectionInfo``.
  public static let connectionTimings = TransportCapabilities(rawValue: 1 << 24)
  /// All its timeouts run on the injected clock.
  public static let injectedClock = TransportCapabilities(rawValue: 1 << 25)
  /// Keeps off the cellular network: ``NetworkUse/allowsCellularAccess``.
  public static let cellularAccess = TransportCapabilities(rawValue: 1 << 26)
  /// Ranks requests: ``NetworkUse/serviceType``.
  public static let serviceTypes = TransportCapabilities(rawValue: 1 << 27)
  /// Pipelines requests: ``NetworkUse/pipelines``.
  public static let pipelining = TransportCapabilities(rawValue: 1 << 28)
  /// Answers a proxy that asks for Digest: ``Proxy/Authentication/digest``.
  public static let proxyDigest = TransportCapabilities(rawValue: 1 << 29)
  /// Makes a connection for a request that asks for one: ``NetworkUse/newConnection``.
  public static let newConnections = TransportCapabilities(rawValue: 1 << 30)

  // MARK: Trust

  /// Verifies certificates against given roots.
  public static let customRoots = TransportCapabilities(rawValue: 1 << 32)
  /// Authenticates with a certificate.
  public static let clientIdentity = TransportCapabilities(rawValue: 1 << 33)
  /// Compares the certificate of the peer itself with pins.
  public static let pinsLeaf = TransportCapabilities(rawValue: 1 << 34)
  /// Compares all certificates that the peer shows with pins.
  public static let pinsChain = TransportCapabilities(rawValue: 1 << 35)
  /// Asks ``Trust/evaluation``.
  public static let evaluatesTrust = TransportCapabilities(rawValue: 1 << 36)
  /// Bounds the versions of TLS.
  public static let tlsVersions = TransportCapabilities(rawValue: 1 << 37)
}

extension TransportCapabilities: CustomStringConvertible {
  private static let names: [(TransportCapabilities, String)] = [
    (.streamsRequestBodies, "streamsRequestBodies"), (.streamsResponseBodies, "streamsResponseBodies"),
    (.requestTrailers, "requestTrailers"), (.responseTrailers, "responseTrailers"),
    (.exactFields, "exactFields"),
    (.exactChunks, "exactChunks"), (.reasonPhrases, "reasonPhrases"), (.asteriskForm, "asteriskForm"),
    (.expectContinue, "expectContinue"), (.informationalResponses, "informationalResponses"),
    (.fullDuplex, "fullDuplex"), (.decodesContent, "decodesContent"), (.addsFields, "addsFields"),
    (.upgrades, "upgrades"),
    (.wire, "wire"),
    (.http2, "http2"), (.http2PriorKnowledge, "http2PriorKnowledge"), (.http3, "http3"),
    (.unixSockets, "unixSockets"), (.httpProxies, "httpProxies"), (.socksProxies, "socksProxies"),
    (.proxyDigest, "proxyDigest"),
    (.addressOverrides, "addressOverrides"), (.localAddress, "localAddress"),
    (.connectionTimings, "connectionTimings"), (.injectedClock, "injectedClock"),
    (.newConnections, "newConnections"), (.cellularAccess, "cellularAccess"), (.serviceTypes, "serviceTypes"),
    (.pipelining, "pipelining"),
    (.customRoots, "customRoots"), (.clientIdentity, "clientIdentity"), (.pinsLeaf, "pinsLeaf"),
    (.pinsChain, "pinsChain"), (.evaluatesTrust, "evaluatesTrust"), (.tlsVersions, "tlsVersions"),
  ]

  /// The capability of a name, such as `responseTrailers`; nil if there is none.
  public init?(named name: String) {
    guard let entry = Self.names.first(where: { $0.1 == name }) else { return nil }
    self = entry.0
  }

  /// The names, separated by commas.
  public var description: String {
    Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}
