public import HTTPTypes

/// A decoded value together with its response.
public struct DecodedResponse<Value: Sendable>: Sendable {
  /// The decoded value.
  public let value: Value
  /// The status and fields of the response.
  public let head: HTTPResponse
  /// The head of the request that was answered.
  public let request: HTTPRequest?
  /// The earlier responses of the exchange, such as redirects, oldest first.
  public let history: [Response.Hop]
  /// When the phases of the exchange ended.
  public let timings: Timings?
  /// The source of the response, such as the network or a cache.
  public let source: Response.Source
  /// The version of HTTP of the response, if the transport reports it.
  public let version: HTTPVersion?
  /// The connection of the response, if the transport reports it.
  public let connection: ConnectionInfo?
  /// The trailer fields, if there were any.
  public let trailers: HTTPFields?

  init(value: Value, response: Response) {
    self.value = value
    head = response.head
    request = response.request?.head
    history = response.history
    timings = response.request?.exchange?.timings
    source = response.source
    version = response.version
    connection = response.connection
    trailers = response.body.trailers
  }

  /// The status.
  public var status: HTTPResponse.Status { head.status }
  /// The header fields.
  public var fields: HTTPFields { head.headerFields }
}

extension DecodedResponse: CustomReflectable {
  /// The value and the response without secrets. Of the request it shows only the URL, because it is not known here
  /// which fields are sensitive.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "value": value, "head": Redaction.head(head),
        "request": request.map { "\($0.method.rawValue) \(Redaction.url(of: $0))" } as Any,
        "history": history, "timings": timings as Any, "source": source, "version": version as Any,
        "connection": connection as Any, "trailers": trailers.map(Redaction.fields) as Any,
      ]
    )
  }
}
