public import HTTPTypes

/// A response as a value: its head, its content, where it came from and what led to it.
public struct Response: Sendable {
  /// The status and header fields, in the terms of swift-http-types.
  public var head: HTTPResponse

  /// The content, read once.
  public var body: Body

  /// Where the response came from.
  public var source: Source

  /// The version of HTTP it was received in, where the transport tells.
  public var version: HTTPVersion?

  private(set) var answered: Answered?

  private var details: Details?

  /// A response.
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

  /// A response with a status, fields and content.
  public init(_ status: HTTPResponse.Status, fields: HTTPFields = [:], body: Body = .empty) {
    self.init(head: HTTPResponse(status: status, headerFields: fields), body: body)
  }

  /// The request that this response answers, as the transport or the answering stage saw it.
  public internal(set) var request: Request? {
    get { answered?.request }
    set { answered = newValue.map(Answered.init) }
  }

  /// Belongs to the exchange of a request, unless a stage below has said which request it answers.
  mutating func answer(_ request: Request) {
    // Compared without copying requests: every stage asks.
    if let answered, answered.request.exchange === request.exchange { return }
    answered = Answered(request)
  }

  /// The connection it came over, where the transport tells.
  public var connection: ConnectionInfo? {
    get { details?.contents.connection }
    set { contents.connection = newValue }
  }

  /// The proxy that answered, where the request went to one in place of its origin (RFC 9112 3.2.2): for itself, or with
  /// what the origin said. Nil where the origin answered, on a connection to it or through a tunnel, and where the
  /// transport does not tell.
  ///
  /// A transport sets it on each such response: a proxy that is not named gets no password of
  /// ``Authentication/init(proxy:handler:)``.
  public var proxy: TargetURI.Origin? {
    get { details?.contents.proxy }
    set { contents.proxy = newValue }
  }

  /// The responses that led to this one, oldest first: redirects, challenges, failed attempts.
  public var history: [Hop] {
    get { details?.contents.history ?? [] }
    set { contents.history = newValue }
  }

  /// The step of a history that this response is, once another request follows it.
  ///
  /// - Parameters:
  ///   - request: The request as the stage has it that sends another one.
  ///   - arrival: When the response came to that stage, from the start of the exchange.
  func hop(to request: Request, at arrival: Duration?) -> Hop {
    let answered = self.request ?? request
    return Hop(
      request: Redaction.head(of: answered),
      response: head,
      start: arrival.map { _ in answered.begun },
      duration: arrival.map { $0 - answered.begun }
    )
  }

  /// Whether it is a redirect that a policy of the caller wants to have as the response.
  var isRefusedRedirect: Bool {
    get { details?.contents.isRefusedRedirect ?? false }
    set { contents.isRefusedRedirect = newValue }
  }

  /// The status.
  public var status: HTTPResponse.Status {
    get { head.status }
    set { head.status = newValue }
  }

  /// The header fields, in order, with case and duplicates kept.
  public var fields: HTTPFields {
    get { head.headerFields }
    _modify { yield &head.headerFields }
  }

  /// The media type that Content-Type declares; nil if there is none or it is unreadable.
  public var mediaType: MediaType? { head.headerFields.contentType }

  /// What few look at.
  private struct Contents {
    var connection: ConnectionInfo?
    var proxy: TargetURI.Origin?
    var history: [Hop] = []
    var isRefusedRedirect = false
  }

  private var contents: Contents {
    get { details?.contents ?? Contents() }
    set { details = Details(newValue) }
  }

  /// Behind one reference, so that a response stays small: every stage passes it on.
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

  /// Where a response came from.
  @nonexhaustive
  public enum Source: Sendable, Hashable {
    /// The network, or what stands for it.
    case network
    /// A cache, without asking the origin.
    case cache
    /// A cache, after the origin confirmed it (RFC 9111 4.3).
    case validated
  }

  /// A response that led to the final one.
  public struct Hop: Sendable, Hashable {
    /// The head of the request that was answered, without secrets.
    public var request: HTTPRequest
    /// The head of the answer, without secrets.
    public var response: HTTPResponse
    /// When the request was sent, from the start of the exchange; nil if nobody knows.
    public var start: Duration?
    /// How long it took until the answer came; nil if nobody knows.
    public var duration: Duration?

    /// One step of a history; secrets are removed from both heads.
    ///
    /// - Parameters:
    ///   - request: The head of the request that was answered.
    ///   - response: The head of the answer.
    ///   - start: When the request was sent, from the start of the exchange.
    ///   - duration: How long it took until the answer came.
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

  /// The head without secrets, how long the content is, and what led to it.
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

  /// A version.
  public init(major: UInt8, minor: UInt8) {
    self.major = major
    self.minor = minor
  }

  /// HTTP/1.0
  public static let http10 = HTTPVersion(major: 1, minor: 0)
  /// HTTP/1.1
  public static let http11 = HTTPVersion(major: 1, minor: 1)
  /// HTTP/2
  public static let http2 = HTTPVersion(major: 2, minor: 0)
  /// HTTP/3
  public static let http3 = HTTPVersion(major: 3, minor: 0)

  /// The name on the wire, such as `HTTP/1.1`, or `HTTP/2` where there is no minor version.
  public var description: String {
    major < 2 ? "HTTP/\(major).\(minor)" : "HTTP/\(major)"
  }
}

extension HTTPFields {
  /// The value of the first field of a name: many times faster than the subscript, which joins all.
  package func first(of name: HTTPField.Name) -> String? {
    for index in startIndex..<endIndex where self[index].name == name { return self[index].value }
    return nil
  }
}
