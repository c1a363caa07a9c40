#if AsyncHTTPClient
  import AsyncHTTPClient
  import HTTPTypes
  import NIOHTTP1
  import StagecoachCore
  import Synchronization

  /// A cache of engine requests, without fields and content, for recent targets.
  ///
  /// The engine parses each URL with Foundation, which costs a tenth of a small exchange, and most clients request the
  /// same few targets again and again. Foundation changes some targets, or drops them: only plain paths are a part of
  /// the URL. Any other target goes with a request for `/` in a field, and replaces its target when it is written.
  final class EngineRequests: Sendable {
    fileprivate struct Target: Hashable {
      let method: HTTPRequest.Method
      let scheme: String
      let authority: String
      let path: String
    }

    /// A request of the engine with the value of its Host field. A reference, because requests are large.
    final class Prepared: Sendable {
      fileprivate let target: Target
      let request: HTTPClient.Request
      let host: String

      fileprivate init(_ target: Target, _ request: HTTPClient.Request, host: String) {
        self.target = target
        self.request = request
        self.host = host
      }
    }

    /// The number of cached targets. Each has one slot, which the last target of that slot holds.
    private static let capacity = 256
    /// The maximum length of a cached path, in bytes.
    private static let longestPath = 512

    private let unixSocket: String?
    private let entries = Mutex([Prepared?](repeating: nil, count: capacity))

    /// - Parameter unixSocket: The path of the Unix socket for all requests.
    init(unixSocket: String?) {
      self.unixSocket = unixSocket
    }

    /// Returns an engine request with the method and the target of a head.
    ///
    /// - Parameter isCarried: Whether the target must be carried in a field.
    /// - Returns: The request, and the target that it needs a field for.
    /// - Throws: `HTTPClientError` if the engine cannot use the URL; `ExchangeError` if the target is not a path.
    func request(
      for head: HTTPRequest,
      carryingTarget isCarried: Bool
    ) throws -> (request: Prepared, carriedTarget: String?) {
      let path = head.path ?? "/"
      guard path.utf8.first == UInt8(ascii: "/") || path == "*" else {
        throw ExchangeError(.unsupported, "AsyncHTTPClient cannot send the target \(path)")
      }
      // A query is carried: it is seldom requested twice, and may hold a secret that must not be kept.
      let carried = isCarried || !Self.isPlain(path) ? path : nil
      let target = Target(
        method: head.method,
        scheme: head.scheme ?? "http",
        authority: head.authority ?? "",
        path: carried == nil ? path : "/"
      )
      let place = Int(truncatingIfNeeded: UInt(bitPattern: target.hashValue) % UInt(Self.capacity))
      if let known = entries.withLock({ $0[place] }), known.target == target { return (known, carried) }
      let prepared = try make(target)
      entries.withLock { $0[place] = prepared }
      return (prepared, carried)
    }

    private func make(_ target: Target) throws -> Prepared {
      guard let place = HostAndPort(target.authority) else { throw HTTPClientError.invalidURL }
      // The engine compares hosts with address overrides as they are written.
      let origin =
        unixSocket.map { "\(target.scheme)+unix://\($0.percentEncoded(.alphanumeric))" }
        ?? "\(target.scheme)://\(Self.authority(target.authority, place))"
      return Prepared(
        target,
        try HTTPClient.Request(
          url: origin + target.path,
          method: HTTPMethod(rawValue: target.method.rawValue)
        ),
        // The engine would send the zone of an IPv6 address, and no host for a Unix socket.
        host: place.hostField(scheme: target.scheme)
      )
    }

    /// Returns the authority in a form that the engine can connect to. Only link-local addresses have zones (RFC 6874),
    /// and the system's resolver accepts a zone name only for these.
    private static func authority(_ authority: String, _ place: HostAndPort) -> String {
      // The zone name is case-sensitive.
      guard place.zone != nil else { return authority.lowercased() }
      let first = place.ipAddress?.prefix(2) ?? []
      let isLinkLocal = first.elementsEqual([0xfe, 0x80]) || first.first == 0xff
      return isLinkLocal ? authority : "[\(place.host)]" + (place.port.map { ":\($0)" } ?? "")
    }

    /// Whether a path is short and has only characters that Foundation's URL leaves as they are, and no escapes.
    private static func isPlain(_ path: String) -> Bool {
      path.utf8.count <= longestPath && path.utf8.allSatisfy { isOfPath[Int($0)] } && path != "*"
    }

    private static let isOfPath: [Bool] = (UInt8.min...UInt8.max).map { byte in
      switch byte {
      case 0x41...0x5a, 0x61...0x7a: true
      default: "-._~!$&'()*+,;=:@/".utf8.contains(byte)
      }
    }

    /// The names of the fields that carry the target of a request, and say that octets of its values are escaped. They
    /// are random and cannot be guessed, because one value goes into the request line.
    private static let targetField = "Stagecoach-Target-\(UInt64.random(in: 0 ... .max))"
    private static let octetsField = "Stagecoach-Octets-\(UInt64.random(in: 0 ... .max))"

    /// Adds the target to send.
    ///
    /// - Parameter hasEscapes: Whether field values have escaped octets.
    static func addTarget(_ target: String, hasEscapes: Bool, to headers: inout HTTPHeaders) {
      headers.add(name: targetField, value: target)
      if hasEscapes { headers.add(name: octetsField, value: "") }
    }

    /// Sets the target of a head from the field that ``addTarget(_:hasEscapes:to:)`` added.
    ///
    /// - Returns: Whether field values have escaped octets; `nil` if the field is not present.
    static func restoreTarget(of head: inout HTTPRequestHead) -> Bool? {
      guard head.uri == "/", let target = head.headers.first(name: targetField) else { return nil }
      head.headers.remove(name: targetField)
      head.uri = target
      guard head.headers.contains(name: octetsField) else { return false }
      head.headers.remove(name: octetsField)
      return true
    }
  }
#endif
