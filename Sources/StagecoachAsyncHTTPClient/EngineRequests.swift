#if AsyncHTTPClient
  import AsyncHTTPClient
  import HTTPTypes
  import NIOHTTP1
  import Stagecoach
  import Synchronization

  /// The engine's requests, without fields and content, to targets that were asked for lately.
  ///
  /// The engine takes each URL apart with Foundation, which costs a tenth of a small exchange; most clients
  /// ask for the same few targets again and again.
  final class EngineRequests: Sendable {
    private struct Target: Hashable {
      let method: HTTPRequest.Method
      let scheme: String
      let authority: String
      let path: String
    }

    private struct Entry {
      let target: Target
      let request: HTTPClient.Request
    }

    /// How many targets are remembered: each has one place, and the last that came holds it.
    private static let capacity = 256
    /// Longer ones, in bytes, are not worth the memory.
    private static let longestPath = 512

    private let entries = Mutex([Entry?](repeating: nil, count: capacity))

    /// A request with the method and the target of a head.
    ///
    /// - Throws: `HTTPClientError` if the engine cannot use the URL; `ExchangeError` if the target is no path.
    func request(for head: HTTPRequest) throws -> HTTPClient.Request {
      let target = Target(
        method: head.method,
        scheme: head.scheme ?? "http",
        authority: head.authority ?? "",
        path: head.path ?? "/"
      )
      // A query is seldom asked for twice, and may hold a secret that must not be kept.
      guard target.path.utf8.count <= Self.longestPath, !target.path.utf8.contains(UInt8(ascii: "?")) else {
        return try Self.make(target)
      }
      let place = Int(truncatingIfNeeded: UInt(bitPattern: target.hashValue) % UInt(Self.capacity))
      let known = entries.withLock { entries in
        entries[place].flatMap { $0.target == target ? $0.request : nil }
      }
      if let known { return known }
      let request = try Self.make(target)
      entries.withLock { $0[place] = Entry(target: target, request: request) }
      return request
    }

    private static func make(_ target: Target) throws -> HTTPClient.Request {
      guard target.path.utf8.first == UInt8(ascii: "/") else {
        throw ExchangeError(.unsupported, "AsyncHTTPClient cannot send the target \(target.path)")
      }
      return try HTTPClient.Request(
        url: "\(target.scheme)://\(target.authority)\(escaped(target.path))",
        method: HTTPMethod(rawValue: target.method.rawValue)
      )
    }

    /// The path as the engine's URL type leaves it alone. A bracket would make it encode the whole
    /// target, with percent signs that already stand for something encoded once more.
    private static func escaped(_ path: String) -> String {
      guard path.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }) else {
        return path
      }
      return path.replacing("[", with: "%5B").replacing("]", with: "%5D")
    }
  }
#endif
