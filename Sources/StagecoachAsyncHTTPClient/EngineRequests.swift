#if AsyncHTTPClient
  import AsyncHTTPClient
  import HTTPTypes
  import NIOHTTP1
  import StagecoachCore
  import Synchronization

  /// A cache of engine requests, without fields and content, for recent targets.
  ///
  /// The engine parses each URL with Foundation, which costs a tenth of a small exchange, and most clients request the
  /// same few targets again and again.
  final class EngineRequests: Sendable {
    fileprivate struct Target: Equatable {
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
      /// The target to send, if the URL type of the engine would change it and the request has a substitute.
      let trueTarget: String?

      fileprivate init(_ target: Target, _ request: HTTPClient.Request, host: String) {
        self.target = target
        self.request = request
        self.host = host
        trueTarget = EngineRequests.isLeftAlone(target.path) ? nil : target.path
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
    /// - Throws: `HTTPClientError` if the engine cannot use the URL; `ExchangeError` if the target is not a path.
    func request(for head: HTTPRequest) throws -> Prepared {
      let target = Target(
        method: head.method,
        scheme: head.scheme ?? "http",
        authority: head.authority ?? "",
        path: head.path ?? "/"
      )
      // A query is seldom requested twice, and may hold a secret that must not be kept.
      guard target.path.utf8.count <= Self.longestPath, !target.path.utf8.contains(UInt8(ascii: "?")) else {
        return try make(target)
      }
      let place = Int(truncatingIfNeeded: UInt(bitPattern: target.path.hashValue) % UInt(Self.capacity))
      if let known = entries.withLock({ $0[place] }), known.target == target { return known }
      let prepared = try make(target)
      entries.withLock { $0[place] = prepared }
      return prepared
    }

    private func make(_ target: Target) throws -> Prepared {
      guard target.path.utf8.first == UInt8(ascii: "/") || target.path == "*" else {
        throw ExchangeError(.unsupported, "AsyncHTTPClient cannot send the target \(target.path)")
      }
      guard let place = HostAndPort(target.authority) else { throw HTTPClientError.invalidURL }
      // The engine compares hosts with address overrides as they are written.
      let origin =
        unixSocket.map { "\(target.scheme)+unix://\($0.percentEncoded(.alphanumeric))" }
        ?? "\(target.scheme)://\(Self.authority(target.authority, place))"
      return Prepared(
        target,
        try HTTPClient.Request(
          url: origin + (Self.isLeftAlone(target.path) ? target.path : "/"),
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

    /// Whether the URL type of the engine leaves a path unchanged, which needs a path and query valid in RFC 3986. It
    /// would encode any other path as a whole, including the percent signs of existing escapes.
    private static func isLeftAlone(_ path: String) -> Bool {
      var digits = 0
      for byte in path.utf8 {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: digits -= 1
        case _ where digits > 0: return false
        case UInt8(ascii: "%"): digits = 2
        default:
          guard isOfPath[Int(byte)] else { return false }
        }
      }
      return digits <= 0 && path != "*"
    }

    private static let isOfPath: [Bool] = (UInt8.min...UInt8.max).map { byte in
      switch byte {
      case 0x41...0x5a, 0x61...0x7a: true
      default: "-._~!$&'()*+,;=:@/?".utf8.contains(byte)
      }
    }

    /// The field that carries the target of a request if the URL type of the engine would change it. Its name is random
    /// and cannot be guessed, because its value goes into the request line.
    private static let targetField = "Stagecoach-Target-\(UInt64.random(in: 0 ... .max))"

    /// Adds the target to send.
    static func addTarget(_ target: String, to headers: inout HTTPHeaders) {
      headers.add(name: targetField, value: target)
    }

    /// Sets the target of a head from the field that ``addTarget(_:to:)`` added.
    ///
    /// - Returns: Whether the field was present.
    static func restoreTarget(of head: inout HTTPRequestHead) -> Bool {
      guard head.uri == "/", let target = head.headers.first(name: targetField) else { return false }
      head.headers.remove(name: targetField)
      head.uri = target
      return true
    }
  }
#endif
