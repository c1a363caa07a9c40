#if Tool
  extension Origin {
    /// The configuration of an origin: its address, what it records, and its limits.
    public struct Configuration: Sendable {
      /// The address to listen on: `127.0.0.1` by default, `::1` for IPv6. Ignored with ``unixSocketPath``.
      public var host = "127.0.0.1"
      /// The TCP port; 0, the default, for any free port.
      public var port = 0
      /// The path of a Unix domain socket to listen on instead of a TCP port. An existing socket file is
      /// replaced.
      public var unixSocketPath: String?
      /// The certificate for HTTPS; `nil`, the default, for plain HTTP.
      public var tls: TLS?
      /// The number of event-loop threads, 1 to 64; 1 by default, which leaves the other cores to the client.
      public var threads = 1
      /// Whether requests are recorded; `true` by default. Turn it off for benchmarks.
      public var recordsRequests = true
      /// The maximum number of recorded requests; the oldest are removed first. 1000 by default.
      public var recordedRequestLimit = 1000
      /// The maximum number of recorded bytes of each body; 64 KiB by default. The length is always counted
      /// completely.
      public var recordedBodyLimit = 64 << 10
      /// The maximum length of a body that `/echo` returns; 16 MiB by default. A longer one gets 413.
      public var echoedBodyLimit = 16 << 20
      /// The time without a byte in either direction after which a connection is closed; 60 seconds by default. It
      /// limits every wait, including `/hang` and `/delay`.
      public var idleTimeout: Duration = .seconds(60)

      /// Creates a configuration for plain HTTP on a free port of `127.0.0.1`, which records requests.
      public init() {}

      func validate() throws {
        func check(_ condition: Bool, _ reason: String) throws {
          guard condition else { throw OriginError.invalidConfiguration(reason) }
        }
        try check((0...65_535).contains(port), "port \(port) is not in 0...65535")
        try check((1...64).contains(threads), "threads \(threads) is not in 1...64")
        try check(recordedRequestLimit >= 0, "recordedRequestLimit is negative")
        try check(recordedBodyLimit >= 0, "recordedBodyLimit is negative")
        try check(echoedBodyLimit >= 0, "echoedBodyLimit is negative")
        try check(
          idleTimeout > .zero && idleTimeout <= .seconds(86_400),
          "idleTimeout is not in 0...1 day"
        )
      }
    }

    /// A server certificate and its private key.
    public struct TLS: Sendable {
      /// PEM text, or the path of a PEM file.
      public enum Source: Sendable, Hashable {
        /// The PEM text itself.
        case pem(String)
        /// The path of a PEM file.
        case file(String)
      }

      /// The certificate of the server, followed by any intermediate ones.
      public var certificateChain: Source
      /// The private key of the first certificate, without a passphrase.
      public var privateKey: Source

      /// Creates a certificate and its private key.
      public init(certificateChain: Source, privateKey: Source) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
      }
    }
  }

  extension Origin.TLS.Source: CustomStringConvertible, CustomReflectable {
    /// The path, or that it is a text, without the text, which may be a private key.
    public var description: String {
      switch self {
      case .pem: "PEM"
      case .file(let path): path
      }
    }

    /// An empty mirror, so that the key is not shown.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif
