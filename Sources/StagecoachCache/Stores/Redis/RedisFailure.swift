#if Redis
  /// The reason why a command has no result.
  ///
  /// Neither replies of the server nor arguments are part of it: some servers repeat arguments, and so passwords.
  enum RedisFailure: Error, Hashable, CustomStringConvertible {
    /// The server cannot be reached, did not answer in time or does not speak Redis' protocol.
    case unreachable(server: String, reason: String)
    /// All connections were in use until it was too late to ask.
    case busy(server: String)
    /// The server refused a command with an error; the code is the first word of it, such as `OOM`.
    case refused(server: String, code: String)

    var description: String {
      switch self {
      case .unreachable(let server, let reason): "the Redis server \(server) does not answer: \(reason)"
      case .busy(let server): "all connections to the Redis server \(server) are busy"
      case .refused(let server, let code):
        "the Redis server \(server) refused a command: \(code)\(Self.advice[code].map { " (\($0))" } ?? "")"
      }
    }

    private static let advice = [
      "OOM": "its memory is full; set maxmemory-policy to allkeys-lru",
      "NOAUTH": "it requires a password",
      "WRONGPASS": "the password is wrong",
      "NOPERM": "the user may not run scripts or use the keys",
      "READONLY": "it is a replica; use the primary",
      "MISCONF": "it cannot save its data and takes no writes",
      "LOADING": "it is starting",
      "MOVED": "it is part of a cluster, which is not supported",
      "WRONGTYPE": "something else has written keys with the prefix of the cache",
    ]
  }
#endif
