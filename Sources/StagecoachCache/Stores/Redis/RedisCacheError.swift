#if Redis
  /// An error of the Redis store, which the cache treats as a miss.
  ///
  /// Neither replies of the server nor arguments are part of it: some servers repeat arguments, and so passwords.
  package enum RedisCacheError: Error, Hashable, CustomStringConvertible {
    /// The server cannot be reached, did not answer in time or answered something that is not Redis' protocol.
    case unavailable(server: String, reason: String)
    /// All connections were in use until it was too late to ask.
    case busy(server: String)
    /// The server refused a command with an error; the code is the first word of it, such as `OOM`.
    case refused(server: String, code: String)
    /// A value is not what this store writes.
    case foreignValue(key: String)
    /// A head or a content is larger than the store takes.
    case tooLarge(limit: Int)
    /// All bytes for contents that are being written are in use.
    case tooManyWriters(limit: Int)
    /// A read outside the content.
    case outOfBounds

    package var description: String {
      switch self {
      case .unavailable(let server, let reason):
        "The Redis server \(server) is unavailable: \(reason). Calls fail at once until it answers again."
      case .busy(let server): "All connections to the Redis server \(server) are busy."
      case .refused(let server, let code):
        "The Redis server \(server) refused a command: \(code)\(Self.advice[code].map { " (\($0))" } ?? "")."
      case .foreignValue(let key):
        "The value of the Redis key \(key) is not what this cache writes: remove it, or choose another prefix."
      case .tooLarge(let limit): "The Redis store takes no more than \(limit) bytes for this."
      case .tooManyWriters(let limit):
        "More than \(limit) bytes of content are being written to the Redis store."
      case .outOfBounds: "A read outside the content of an entry of the Redis store."
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
      "WRONGTYPE": "a key with the cache's prefix was written by something else",
    ]
  }
#endif
