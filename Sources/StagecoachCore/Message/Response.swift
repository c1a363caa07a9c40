public import HTTPTypes

/// An HTTP response: its head, its content, its source and its history.
public struct Response: Sendable {
  /// The status and header fields.
  public var head: HTTPResponse

  /// The content, which can be read once.
  public var body: Body

  /// The source of the response, such as the network or a cache.
  public var source: Source

  /// The version of HTTP of the response, if the transport reports it.
  public var version: HTTPVersion?

  private(set) var answered: Answered?

  private var details: Details?

  /// Creates a response.
  public init(
    head: HTTPResponse,
    body: Body = .empty,
    source: Source = .network,
    version: HTTPVersion? = nil,
    connection: ConnectionInfo? = nil
  ) {
    self.head = head
    self.body = body
    self.source = source
    self.version = version
    if let connection { self.connection = connection }
  }

  /// Creates a response with a status, fields and content.
  public init(_ status: HTTPResponse.Status, fields: HTTPFields = [:], body: Body = .empty) {
    self.init(head: HTTPResponse(status: status, headerFields: fields), body: body)
  }

  /// The request that this response answers, as the transport or the answering stage received it.
  public internal(set) var request: Request? {
    get { answered?.request }
    set { answered = newValue.map(Answered.init) }
  }

  /// Assigns the response to a request, unless a stage below has already assigned it.
  package mutating func answer(_ request: Request) {
    // Compared without copying requests, because every stage checks this.
    if let answered, answered.request.exchange === request.exchange { return }
    answered = Answered(request)
  }

  /// The connection of the response, if the transport reports it.
  public var connection: ConnectionInfo? {
    get { details?.contents.connection }
    set { contents.connection = newValue }
  }

  /// The proxy that answered, if the request was sent to a proxy instead of its origin: with its own response, or with
  /// the origin's (RFC 9112 3.2.2). `nil` if the origin answered, directly or through a tunnel, or if the transport
  /// does not report it.
  ///
  /// A transport sets it on each such response: a proxy that is not named here gets no password from
  /// ``Authentication/init(proxy:handler:)``.
  public var proxy: TargetURI.Origin? {
    get { details?.contents.proxy }
    set { contents.proxy = newValue }
  }

  /// Notes the proxy that a transport sent the request to instead of its origin, and what its 407 means.
  public mutating func noteAnswer(through proxy: Proxy) {
    self.proxy = proxy.origin
    guard status == .proxyAuthenticationRequired else { return }
    remark =
      proxy.user == nil
      ? "the proxy \(proxy) requires a name and a password"
      : "the proxy \(proxy) refused the name and the password"
  }

  /// The earlier responses of the exchange, oldest first: redirects, challenges, failed attempts.
  public var history: [Hop] {
    get { details?.contents.history ?? [] }
    set { contents.history = newValue }
  }

  /// Returns this response as a step of the history, for a stage that sends another request.
  ///
  /// - Parameters:
  ///   - request: The request as the stage received it.
  ///   - arrival: The time at which the stage received the response, relative to the start of the exchange.
  package func hop(to request: Request, at arrival: Duration?) -> Hop {
    let answered = self.request ?? request
    return Hop(
      request: Redaction.head(of: answered),
      response: head,
      start: arrival.map { _ in answered.begun },
      duration: arrival.map { $0 - answered.begun }
    )
  }

  /// Why a stage or the transport returns this response although it handles others like it: advice for the error that
  /// refuses it.
  package var remark: String? {
    get { details?.contents.remark }
    set { contents.remark = newValue }
  }

  /// Whether the body was decoded from a content coding, so that its positions are not those of the representation.
  package var isDecoded: Bool {
    get { details?.contents.isDecoded ?? false }
    set { contents.isDecoded = newValue }
  }

  /// A note of a stage for the stages above it; the initial value of the key if there is none.
  package subscript<Value>(note note: ResponseNote<Value>) -> Value {
    get {
      details?.contents.notes[ObjectIdentifier(note)].flatMap { $0.value as? Value } ?? note.initialValue
    }
    set { contents.notes[ObjectIdentifier(note)] = (note, newValue) }
  }

  /// The status.
  public var status: HTTPResponse.Status {
    get { head.status }
    set { head.status = newValue }
  }

  /// The header fields, in order, with their case and duplicates.
  public var fields: HTTPFields {
    get { head.headerFields }
    _modify { yield &head.headerFields }
  }

  /// The media type of Content-Type; `nil` if the field is absent or malformed.
  public var mediaType: MediaType? { head.headerFields.contentType }

  /// The less frequently used properties.
  private struct Contents {
    var connection: ConnectionInfo?
    var proxy: TargetURI.Origin?
    var history: [Hop] = []
    var isDecoded = false
    var remark: String?
    /// With the keys, so that no other object gets the identity of one.
    var notes: [ObjectIdentifier: (key: any AnyObject & Sendable, value: any Sendable)] = [:]
  }

  private var contents: Contents {
    get { details?.contents ?? Contents() }
    set { details = Details(newValue) }
  }

  /// Stored behind one reference, so that a response, which every stage passes on, stays small.
  private final class Details: Sendable {
    let contents: Contents

    init(_ contents: Contents) {
      self.contents = contents
    }
  }

  /// The request that was answered, shared by a response and its body.
  final class Answered: Sendable {
    let request: Request

    init(_ request: Request) {
      self.request = request
    }
  }

  /// The source of a response.
  @nonexhaustive
  public enum Source: Sendable, Hashable {
    /// The network, or a stub of it.
    case network
    /// A cache, without contacting the origin.
    case cache
    /// A cache, after validation by the origin (RFC 9111 4.3).
    case validated
    /// A cache, although the response is stale and was not validated (RFC 9111 4.2.4).
    case stale
  }

  /// A step of the history: an earlier request and its response.
  public struct Hop: Sendable, Hashable {
    /// The head of the request, without secrets.
    public var request: HTTPRequest
    /// The head of the response, without secrets.
    public var response: HTTPResponse
    /// The time at which the request was sent, relative to the start of the exchange; `nil` if unknown.
    public var start: Duration?
    /// The time until the response arrived; `nil` if unknown.
    public var duration: Duration?

    /// Creates a step of a history. Secrets are removed from both heads.
    ///
    /// - Parameters:
    ///   - request: The head of the request.
    ///   - response: The head of the response.
    ///   - start: The time at which the request was sent, relative to the start of the exchange.
    ///   - duration: The time until the response arrived.
    public init(
      request: HTTPRequest,
      response: HTTPResponse,
      start: Duration? = nil,
      duration: Duration? = nil
    ) {
      self.request = Redaction.head(request)
      self.response = Redaction.head(response)
      self.start = start
      self.duration = duration
    }
  }
}

extension Response: CustomStringConvertible, CustomReflectable {
  /// The status.
  public var description: String { Format.oneLine(Format.status(status)) }

  /// The head without secrets, the length of the content, and the history.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "head": Redaction.head(head), "body": body, "source": source, "version": version as Any,
        "connection": connection as Any, "history": history, "request": request as Any,
      ]
    )
  }
}

/// A version of HTTP.
public struct HTTPVersion: Sendable, Hashable, CustomStringConvertible {
  /// The major version.
  public var major: UInt8
  /// The minor version.
  public var minor: UInt8

  /// Creates a version.
  public init(major: UInt8, minor: UInt8) {
    self.major = major
    self.minor = minor
  }

  /// HTTP/1.0.
  public static let http10 = HTTPVersion(major: 1, minor: 0)
  /// HTTP/1.1.
  public static let http11 = HTTPVersion(major: 1, minor: 1)
  /// HTTP/2.
  public static let http2 = HTTPVersion(major: 2, minor: 0)
  /// HTTP/3.
  public static let http3 = HTTPVersion(major: 3, minor: 0)

  /// The name on the wire, such as `HTTP/1.1`, or `HTTP/2` without a minor version.
  public var description: String {
    major < 2 ? "HTTP/\(major).\(minor)" : "HTTP/\(major)"
  }
}
