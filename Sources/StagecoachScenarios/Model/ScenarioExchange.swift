public import HTTPTypes

extension Scenario {
  /// A request and its reply.
  public struct Exchange: Sendable, Hashable {
    /// A name that is unique in its scenario.
    public var id: String
    /// The request.
    public var request: Request
    /// The reply, as a timeline.
    public var reply: Reply
    /// How often it answers.
    public var times = Times.exactly(1)
    /// The states that must hold, in their order; `nil` means that the state was never set.
    public var requires: [State] = []
    /// The states that it sets.
    public var sets: [State] = []
    /// Rules of comparing requests with the recorded one.
    public var match: [Rule] = []
    /// Rules of comparing the reply of a live service with the recorded one.
    public var expect: [Rule] = []
    /// The cause of the exchange.
    public var cause: Cause?
    /// Whether it may stay unused.
    public var isOptional = false
    /// The secrets in place of which stand made-up values of their kind: numbers, dates and the like, which cannot hold a
    /// text such as `SECRET-PASSWORD-1`. A made-up value is one because it is listed here, whatever it looks like.
    public var redacted: [RedactedLeaf] = []
    /// Why nothing but the method and the path was recorded; `nil` if it was. The reply has no head then.
    public var omission: String?

    /// Creates an exchange that answers once.
    public init(id: String, request: Request, reply: Reply) {
      self.id = id
      self.request = request
      self.reply = reply
    }
  }

  /// A place in an exchange with a made-up value in place of a secret.
  public struct RedactedLeaf: Sendable, Hashable {
    /// The part: `request.target`, `request.header`, `request.body`, `request.trailer`, and the same of `reply`.
    public var part: String
    /// The place in the part, such as `query.pin`, `cookie.id` or `$.user.pin`.
    public var path: String
    /// The name and the number of the secret, such as `PIN-1`.
    public var name: String

    /// Creates an entry.
    public init(_ part: String, _ path: String, _ name: String) {
      self.part = part
      self.path = path
      self.name = name
    }
  }

  /// How often an exchange answers.
  public enum Times: Sendable, Hashable {
    /// This many times.
    case exactly(Int)
    /// At least once.
    case atLeastOnce
    /// Any number of times, also never.
    case any
    /// Once in its turn, and then for every equal request that has no exchange of its own.
    case last
  }

  /// A named state of the service, and its value.
  public struct State: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value; `nil` if the state is not set.
    public var value: String?

    /// Creates a state.
    public init(name: String, value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// The cause of an exchange: an earlier one that a stage answered with this request.
  public struct Cause: Sendable, Hashable {
    /// The reason of the second request.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// It follows a redirect.
      case redirect
      /// It answers a challenge.
      case challenge
      /// It tries again.
      case retry
      /// It was asked for first (Fetch, CORS).
      case preflight
    }

    /// The reason.
    public var kind: Kind
    /// The identifier of the earlier exchange.
    public var exchange: String

    /// Creates a cause.
    public init(_ kind: Kind, of exchange: String) {
      self.kind = kind
      self.exchange = exchange
    }
  }

  /// A recorded request.
  public struct Request: Sendable, Hashable {
    /// The method.
    public var method: String
    /// The target: an absolute URL, which may start with `{ALIAS}` in place of its origin.
    public var target: String
    /// The version of HTTP, such as `1.1`, if it is known.
    public var version: String?
    /// The fields.
    public var fields: HTTPFields
    /// The content; `nil` if there is none.
    public var body: Body?
    /// The trailer fields.
    public var trailers: HTTPFields?

    /// Creates a request.
    public init(_ method: String, _ target: String, fields: HTTPFields = [:], body: Body? = nil) {
      self.method = method
      self.target = target
      self.fields = fields
      self.body = body
    }
  }
}
