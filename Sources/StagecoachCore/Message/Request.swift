public import HTTPTypes

/// An HTTP request: its head, its content, and its options.
///
/// A reference such as `"users/7"` is resolved by the ``Client`` against its base URL; an absolute reference is used
/// as it is.
///
/// ```swift
/// var request = Request(.get, "users/7")
/// request.fields[.accept] = "application/json"
/// request.options.totalTimeout = .seconds(5)
/// ```
///
/// Each stage changes its own copy and passes it on; stages above never see the changes.
public struct Request: Sendable {
  /// The method, target and header fields.
  ///
  /// Scheme, authority and path are unset until ``reference`` is resolved.
  public var head: HTTPRequest

  /// The content.
  public var body: Body

  /// Options of this request; unset options are inherited from the client.
  public var options: RequestOptions

  /// The URI reference that the request was created with, until it is resolved.
  public package(set) var reference: String?

  /// The exchange of the request: its identity, observers and clock; `nil` until a client or a pipeline sends the
  /// request.
  public package(set) var exchange: Exchange?

  /// The number of redirects that led to this request; 0 for the request of the caller.
  public var hop: Int32 = 0

  /// The number of the attempt within its hop, starting at 1.
  public var attempt: Int32 = 1

  /// The time at which the request was sent again, relative to the start of the exchange; zero for the request of the
  /// caller.
  var begun = Duration.zero

  /// Creates a request for a URI reference, absolute or relative to the base URL of the client.
  ///
  /// The reference is checked when the request is sent. Sending an invalid reference throws ``ExchangeError`` of kind
  /// `invalidRequest`.
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

  /// Creates a request with a complete head.
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

  /// The header fields, in order, with their case and duplicates.
  public var fields: HTTPFields {
    get { head.headerFields }
    _modify { yield &head.headerFields }
  }

  /// Creates a GET request.
  public static func get(_ reference: String) -> Request { Request(.get, reference) }
  /// Creates a HEAD request.
  public static func head(_ reference: String) -> Request { Request(.head, reference) }
  /// Creates a DELETE request.
  public static func delete(_ reference: String) -> Request { Request(.delete, reference) }
  /// Creates a POST request.
  public static func post(_ reference: String, body: Body = .empty) -> Request {
    Request(.post, reference, body: body)
  }
  /// Creates a PUT request.
  public static func put(_ reference: String, body: Body = .empty) -> Request {
    Request(.put, reference, body: body)
  }
  /// Creates a PATCH request.
  public static func patch(_ reference: String, body: Body = .empty) -> Request {
    Request(.patch, reference, body: body)
  }

  /// Returns the request with one option set.
  ///
  /// ```swift
  /// let request = Request.get("report").with(\.totalTimeout, .seconds(5))
  /// ```
  public func with<Value>(_ option: WritableKeyPath<RequestOptions, Value>, _ value: Value) -> Request {
    var copy = self
    copy.options[keyPath: option] = value
    return copy
  }

  /// Adds a field from unchecked text.
  ///
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the name is not a token or the value contains CR, LF or
  ///   NUL (RFC 9110 5.5).
  public mutating func addField(_ name: String, _ value: String) throws {
    head.headerFields.append(try FieldSafety.field(name: name, value: value))
  }

  /// Emits an event of this request's exchange. The event is created only if there are observers.
  @inlinable
  public func emit(_ kind: @autoclosure () -> Event.Kind) {
    guard let exchange, exchange.isObserved else { return }
    exchange.deliver(kind(), hop: hop, attempt: attempt)
  }

  /// Emits a custom event of a stage. The event is created only if there are observers.
  @inlinable
  public func emit(_ event: @autoclosure () -> some StageEvent) {
    emit(.stage(event()))
  }
}

extension Request: CustomStringConvertible, CustomReflectable {
  /// The method and the URL, without secrets.
  public var description: String {
    let head = Redaction.head(of: self)
    return Format.oneLine("\(head.method.rawValue) \(Redaction.url(of: head))")
  }

  /// The head without secrets, the length of the content, and the names of the options.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "head": Redaction.head(of: self), "body": body, "options": options, "hop": hop, "attempt": attempt,
      ]
    )
  }
}
