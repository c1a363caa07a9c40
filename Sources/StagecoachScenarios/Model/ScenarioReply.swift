public import HTTPTypes

extension Scenario {
  /// The reply to a request: what came, when it came, and how it ended. Times are measured from the start of the request.
  public struct Reply: Sendable, Hashable {
    /// The informational responses before the head, in order (RFC 9110 15.2).
    public var informational: [Head] = []
    /// The head of the final response; `nil` if none came.
    public var head: Head?
    /// The content; `nil` if there is none.
    public var body: Body?
    /// The trailer fields.
    public var trailers: HTTPFields?
    /// How the reply ended.
    public var outcome: Outcome
    /// The time of the end.
    public var end: Duration?

    /// Creates a reply that is complete.
    public init(_ head: Head, body: Body? = nil) {
      self.head = head
      self.body = body
      outcome = Outcome(.complete)
    }

    /// Creates a reply that failed before its head.
    public init(_ outcome: Outcome) {
      self.outcome = outcome
    }
  }

  /// The head of a response.
  public struct Head: Sendable, Hashable {
    /// The status and the fields.
    public var response: HTTPResponse
    /// The version of HTTP, such as `1.1`, if it is known.
    public var version: String?
    /// The time of its arrival.
    public var time: Duration?

    /// Creates a head.
    public init(_ response: HTTPResponse, version: String? = nil, time: Duration? = nil) {
      self.response = response
      self.version = version
      self.time = time
    }
  }

  /// How a reply ended.
  public struct Outcome: Sendable, Hashable {
    /// The kind of end.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// The reply is complete.
      case complete
      /// The peer reset the connection.
      case reset
      /// The peer closed the connection before the reply was complete.
      case truncated
      /// A timeout passed; the detail names it.
      case timeout
      /// The name of the host was not resolved.
      case dns
      /// The peer refused the connection.
      case refused
      /// The connection failed in another way.
      case unreachable
      /// TLS failed; the detail is the reason.
      case tls
      /// The peer sent invalid HTTP.
      case `protocol`
      /// The client cancelled the exchange.
      case cancelled
    }

    /// The kind of end.
    public var kind: Kind
    /// The details of the outcome.
    public var detail: String?

    /// Creates an end.
    public init(_ kind: Kind, detail: String? = nil) {
      self.kind = kind
      self.detail = detail
    }
  }
}
