public import HTTPTypes

/// A request as a value: its head, its content, and the options that every stage can read.
///
/// A reference such as `"users/7"` is resolved by the ``Client`` against its base URL; an absolute
/// one stands for itself.
///
/// ```swift
/// var request = Request(.get, "users/7")
/// request.fields[.accept] = "application/json"
/// request.options.totalTimeout = .seconds(5)
/// ```
///
/// Stages change their copy and pass it on; what they do is never seen by the stages above.
public struct Request: Sendable {
  /// The method, target and fields, in the terms of swift-http-types.
  ///
  /// Scheme, authority and path are unset while ``reference`` waits to be resolved.
  public var head: HTTPRequest

  /// The content.
  public var body: Body

  /// Options for this request alone; what is unset here is inherited from the client.
  public var options: RequestOptions

  /// The URI reference this request was made with, until it is resolved.
  public internal(set) var reference: String?

  /// The exchange that the request is part of: its identity, observers and clock. Nil until a client
  /// or a pipeline sends it.
  public internal(set) var exchange: Exchange?

  /// How many redirects led here; 0 for the request of the caller.
  public var hop: Int32 = 0

  /// Which attempt of its hop this is; 1 for the first.
  public var attempt: Int32 = 1

  /// When it was sent again, from the start of the exchange; zero for what the caller sent.
  var begun = Duration.zero

  /// A request for a URI reference, absolute or relative to the base URL of the client.
  ///
  /// The reference is checked when the request is sent, where a bad one fails with
  /// ``ExchangeError`` of kind `invalidRequest`.
  public init(
    _ method: HTTPRequest.Method,
    _ reference: String,
    fields: HTTPFields = [:],
    body: Body = .empty
  ) {
    head = HTTPRequest(method: method, scheme: nil, authority: nil, path: nil, headerFields: fields)
    self.body = body
    self.options = RequestOptions()
    self.reference = reference
  }

  /// A request with a complete head.
  public init(head: HTTPRequest, body: Body = .empty) {
    self.head = head
    self.body = body
    self.options = RequestOptions()
  }

  /// The request method.
  public var method: HTTPRequest.Method {
    get { head.method }
    set { head.method = newValue }
  }

  /// The header fields, in order, with case and duplicates kept.
  public var fields: HTTPFields {
    get { head.headerFields }
    _modify { yield &head.headerFields }
  }

  /// A GET request.
  public static func get(_ reference: String) -> Request { Request(.get, reference) }
  /// A HEAD request.
  public static func head(_ reference: String) -> Request { Request(.head, reference) }
  /// A DELETE request.
  public static func delete(_ reference: String) -> Request { Request(.delete, reference) }
  /// A POST request.
  public static func post(_ reference: String, body: Body = .empty) -> Request {
    Request(.post, reference, body: body)
  }
  /// A PUT request.
  public static func put(_ reference: String, body: Body = .empty) -> Request {
    Request(.put, reference, body: body)
  }
  /// A PATCH request.
  public static func patch(_ reference: String, body: Body = .empty) -> Request {
    Request(.patch, reference, body: body)
  }

  /// The same request with one option set.
  ///
  /// ```swift
  /// let request = Request.get("report").with(\.totalTimeout, .seconds(5))
  /// ```
  public func with<Value>(_ option: WritableKeyPath<RequestOptions, Value>, _ value: Value) -> Request {
    var copy = self
    copy.options[keyPath: option] = value
    return copy
  }

  /// Adds a field from text that nobody has checked yet.
  ///
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the name is no token or the value holds
  ///   CR, LF or NUL (RFC 9110 5.5).
  public mutating func addField(_ name: String, _ value: String) throws {
    head.headerFields.append(try FieldSafety.field(name: name, value: value))
  }

  /// Emits an event of this request's exchange, built only if somebody observes.
  @inlinable
  public func emit(_ kind: @autoclosure () -> Event.Kind) {
    guard let exchange, exchange.isObserved else { return }
    exchange.deliver(kind(), hop: hop, attempt: attempt)
  }
}

extension Request: CustomStringConvertible, CustomReflectable {
  /// The method and the URL, without secrets.
  public var description: String {
    let head = Redaction.head(of: self)
    return Format.oneLine("\(head.method.rawValue) \(Redaction.url(of: head))")
  }

  /// The head without secrets, how long the content is, and the names of the options.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "head": Redaction.head(of: self), "body": body, "options": options, "hop": hop, "attempt": attempt,
      ]
    )
  }
}
