#if Tool
  import NIOCore
  import Synchronization

  /// The shared state of the connections of an origin.
  final class OriginState: Sendable {
    let configuration: Origin.Configuration
    let log: RequestLog
    let idleTimeout: TimeAmount
    let date = DateField()
    let digestNonces = DigestNonces()
    let acceptedConnections = Atomic<Int>(0)
    let openConnections = Atomic<Int>(0)
    let bytesSent = Atomic<Int>(0)

    private let attempts = Mutex<[String: Int]>([:])
    private let largeJSON = Mutex<[Int: ByteBuffer]>([:])

    static let retryKeyLimit = 1024
    private static let largeJSONLimit = 16

    init(_ configuration: Origin.Configuration) {
      self.configuration = configuration
      log = RequestLog(limit: configuration.recordedRequestLimit)
      idleTimeout = TimeAmount(configuration.idleTimeout)
    }

    /// Counts an attempt under a key; nil when there are too many keys already.
    func countAttempt(_ key: String) -> Int? {
      attempts.withLock { attempts in
        guard attempts[key] != nil || attempts.count < Self.retryKeyLimit else { return nil }
        let count = attempts[key, default: 0] + 1
        attempts[key] = count
        return count
      }
    }

    /// The large JSON sample of a size, made once for each of the first sizes that were asked for.
    func largeJSON(kibibytes: Int) -> ByteBuffer {
      if let cached = largeJSON.withLock({ $0[kibibytes] }) { return cached }
      let made = Samples.largeJSON(minimumLength: kibibytes << 10)
      largeJSON.withLock { cache in
        if cache.count < Self.largeJSONLimit { cache[kibibytes] = made }
      }
      return made
    }
  }
#endif
