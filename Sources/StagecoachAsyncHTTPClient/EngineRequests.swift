#if AsyncHTTPClient
  import AsyncHTTPClient
  import HTTPTypes
  import NIOHTTP1
  import StagecoachCore
  import Synchronization

  /// The engine's requests, without fields and content, to targets that were asked for lately.
  ///
  /// The engine takes each URL apart with Foundation, which costs a tenth of a small exchange; most clients
  /// ask for the same few targets again and again.
  final class EngineRequests: Sendable {
    fileprivate struct Target: Equatable {
      let method: HTTPRequest.Method
      let scheme: String
      let authority: String
      let path: String
    }

    /// A request of the engine's, and what its Host field is to say. A reference, since requests are large.
    final class Prepared: Sendable {
      fileprivate let target: Target
      let request: HTTPClient.Request
      let host: String
      /// The target, where the request has another because its URL type would change this one.
      let trueTarget: String?

      fileprivate init(_ target: Target, _ request: HTTPClient.Request, host: String) {
        self.target = target
        self.request = request
        self.host = host
        trueTarget = EngineRequests.isLeftAlone(target.path) ? nil : target.path
      }
    }

    /// How many targets are remembered: each has one place, and the last that came holds it.
    private static let capacity = 256
    /// Longer ones, in bytes, are not worth the memory.
    private static let longestPath = 512

    private let unixSocket: String?
    private let entries = Mutex([Prepared?](repeating: nil, count: capacity))

    /// - Parameter unixSocket: The path of the socket that all requests go to.
    init(unixSocket: String?) {
      self.unixSocket = unixSocket
    }

    /// A request with the method and the target of a head.
    ///
    /// - Throws: `HTTPClientError` if the engine cannot use the URL; `ExchangeError` if the target is no path.
    func request(for head: HTTPRequest) throws -> Prepared {
      let target = Target(
        method: head.method,
        scheme: head.scheme ?? "http",
        authority: head.authority ?? "",
        path: head.path ?? "/"
      )
      // A query is seldom asked for twice, and may hold a secret that must not be kept.
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
      // The engine compares hosts with those of address overrides as they are written.
      let origin =
        unixSocket.map { "\(target.scheme)+unix://\(Self.host(of: $0))" }
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

    /// The authority as the engine can connect to it. Only link-local addresses have zones (RFC 6874), and the
    /// system's resolver knows no name of one for others.
    private static func authority(_ authority: String, _ place: HostAndPort) -> String {
      // The name of a zone keeps its case.
      guard place.zone != nil else { return authority.lowercased() }
      let first = IPAddress(place.host)?.bytes.prefix(2) ?? []
      let isLinkLocal = first.elementsEqual([0xfe, 0x80]) || first.first == 0xff
      return isLinkLocal ? authority : "[\(place.host)]" + (place.port.map { ":\($0)" } ?? "")
    }

    /// The path of a socket as the engine wants it in a URL: every byte that is no letter or digit encoded.
    private static func host(of path: String) -> String {
      path.utf8.map { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: String(UnicodeScalar(byte))
        default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
      }.joined()
    }

    /// Whether the engine's URL type leaves a path alone: if it is a path and a query of RFC 3986. Of others it would encode
    /// the whole, with percent signs that already stand for something encoded once more.
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

    /// The field that the target of a request travels in where the engine's URL type would change it. Nobody can know its
    /// name: its value goes into the request line.
    private static let targetField = "Stagecoach-Target-\(UInt64.random(in: 0 ... .max))"

    /// Adds the target that a request is to have.
    static func addTarget(_ target: String, to headers: inout HTTPHeaders) {
      headers.add(name: targetField, value: target)
    }

    /// Gives a head the target that ``addTarget(_:to:)`` added to its fields.
    ///
    /// - Returns: Whether there was one.
    static func restoreTarget(of head: inout HTTPRequestHead) -> Bool {
      guard head.uri == "/", let target = head.headers.first(name: targetField) else { return false }
      head.headers.remove(name: targetField)
      head.uri = target
      return true
    }
  }
#endif
