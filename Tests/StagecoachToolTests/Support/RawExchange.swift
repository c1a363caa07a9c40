#if Tool
  import Foundation

  /// Requests byte by byte to a server on loopback.
  enum RawExchange {
    private static let queue = DispatchQueue(label: "raw exchanges", attributes: .concurrent)

    /// Sends bytes, line ends as CR LF, and returns what comes until the server ends the connection.
    ///
    /// - Parameter url: The URL of the server, which `HOST` in the text stands for.
    static func send(_ text: String, to url: String) async throws -> String {
      let authority = String(url.dropFirst("http://".count))
      let bytes = Array(text.replacing("HOST", with: authority).replacing("\n", with: "\r\n").utf8)
      return try await blocking {
        let socket = try LoopbackSocket(port: Int(authority.drop { $0 != ":" }.dropFirst()) ?? 0)
        try socket.send(bytes)
        var all: [UInt8] = []
        while case let more = try socket.receive(), !more.isEmpty { all += more }
        return String(decoding: all, as: UTF8.self)
      }
    }

    /// Runs what blocks on a thread of its own.
    static func blocking<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws
      -> Result
    {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Swift.Result { try work() }) }
      }
    }
  }
#endif
