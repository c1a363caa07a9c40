/// The capabilities of a transport beyond a plain exchange.
///
/// The conformance kit tests the declared capabilities, and reports those that a transport has but does not declare.
public struct TransportCapabilities: OptionSet, Sendable, Hashable {
  /// The bit mask of the capabilities.
  public let rawValue: UInt64

  /// Creates capabilities from a bit mask.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  // MARK: Messages

  /// Streams request bodies chunk by chunk, with backpressure.
  public static let streamsRequestBodies = TransportCapabilities(rawValue: 1 << 0)
  /// Streams response bodies chunk by chunk, with backpressure.
  public static let streamsResponseBodies = TransportCapabilities(rawValue: 1 << 1)
  /// Sends trailer fields.
  public static let requestTrailers = TransportCapabilities(rawValue: 1 << 2)
  /// Receives trailer fields.
  public static let responseTrailers = TransportCapabilities(rawValue: 1 << 3)
  /// Preserves the order, case and repetition of fields.
  public static let exactFields = TransportCapabilities(rawValue: 1 << 5)
  /// Sends each chunk of a request body of unknown length as a separate HTTP chunk (RFC 9112 7.1).
  public static let exactChunks = TransportCapabilities(rawValue: 1 << 6)
  /// Preserves the reason phrase.
  public static let reasonPhrases = TransportCapabilities(rawValue: 1 << 7)
  /// Sends `OPTIONS *` (RFC 9112 3.2.4).
  public static let asteriskForm = TransportCapabilities(rawValue: 1 << 8)
  /// Waits for a 100 response before it sends the body of a request with `Expect: 100-continue` (RFC 9110 10.1.1).
  public static let expectContinue = TransportCapabilities(rawValue: 1 << 9)
  /// Emits informational responses (RFC 9110 15.2) as events.
  public static let informationalResponses = TransportCapabilities(rawValue: 1 << 10)
  /// Continues to send the request body while the response arrives.
  public static let fullDuplex = TransportCapabilities(rawValue: 1 << 11)
  /// Decodes content codings itself.
  public static let decodesContent = TransportCapabilities(rawValue: 1 << 12)
  /// Adds fields to requests that do not have them.
  public static let addsFields = TransportCapabilities(rawValue: 1 << 13)

  /// Delivers the data after a 101 response (RFC 9110 15.2.2) as the body.
  public static let upgrades = TransportCapabilities(rawValue: 1 << 14)

  // MARK: Connections

  /// Speaks HTTP over network connections.
  public static let wire = TransportCapabilities(rawValue: 1 << 16)
  /// Speaks HTTP/2.
  public static let http2 = TransportCapabilities(rawValue: 1 << 4)
  /// Speaks HTTP/2 on plaintext connections, see ``HTTPVersions/http2``.
  public static let http2PriorKnowledge = TransportCapabilities(rawValue: 1 << 17)
  /// Speaks HTTP/3.
  public static let http3 = TransportCapabilities(rawValue: 1 << 18)
  /// Connects to Unix domain sockets.
  public static let unixSockets = TransportCapabilities(rawValue: 1 << 19)
  /// Connects through HTTP proxies.
  public static let httpProxies = TransportCapabilities(rawValue: 1 << 20)
  /// Connects through SOCKS proxies.
  public static let socksProxies = TransportCapabilities(rawValue: 1 << 21)
  /// Supports address overrides for hosts.
  public static let addressOverrides = TransportCapabilities(rawValue: 1 << 22)
  /// Supports a local address for connections.
  public static let localAddress = TransportCapabilities(rawValue: 1 << 23)
  /// Reports the connection timings in ``ConnectionInfo``.
  public static let connectionTimings = TransportCapabilities(rawValue: 1 << 24)
  /// Runs all its timeouts on the injected clock.
  public static let injectedClock = TransportCapabilities(rawValue: 1 << 25)
  /// Supports ``NetworkUse/allowsCellularAccess``.
  public static let cellularAccess = TransportCapabilities(rawValue: 1 << 26)
  /// Supports ``NetworkUse/serviceType``.
  public static let serviceTypes = TransportCapabilities(rawValue: 1 << 27)
  /// Supports HTTP pipelining, see ``NetworkUse/pipelines``.
  public static let pipelining = TransportCapabilities(rawValue: 1 << 28)
  /// Supports Digest authentication at proxies, see ``Proxy/Authentication/digest``.
  public static let proxyDigest = TransportCapabilities(rawValue: 1 << 29)
  /// Supports ``NetworkUse/newConnection``.
  public static let newConnections = TransportCapabilities(rawValue: 1 << 30)

  // MARK: Trust

  /// Verifies certificates against custom roots.
  public static let customRoots = TransportCapabilities(rawValue: 1 << 32)
  /// Supports client certificates.
  public static let clientIdentity = TransportCapabilities(rawValue: 1 << 33)
  /// Compares the leaf certificate of the peer with pins.
  public static let pinsLeaf = TransportCapabilities(rawValue: 1 << 34)
  /// Compares all certificates in the chain of the peer with pins.
  public static let pinsChain = TransportCapabilities(rawValue: 1 << 35)
  /// Calls ``Trust/evaluation``.
  public static let evaluatesTrust = TransportCapabilities(rawValue: 1 << 36)
  /// Supports a minimum and a maximum TLS version.
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

  /// Returns the capability with a name, such as `responseTrailers`; `nil` if the name is unknown.
  public init?(named name: String) {
    guard let entry = Self.names.first(where: { $0.1 == name }) else { return nil }
    self = entry.0
  }

  /// The names of the capabilities, separated by commas.
  public var description: String {
    Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}
