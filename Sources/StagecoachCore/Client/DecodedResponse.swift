public import HTTPTypes

/// A typed value together with the response that it was made of.
public struct DecodedResponse<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// The status and fields of the response.
  public let head: HTTPResponse
  /// The head of the request that was answered.
  public let request: HTTPRequest?
  /// The responses that led to this one, oldest first.
  public let history: [Response.Hop]
  /// When the phases of the exchange ended.
  public let timings: Timings?
  /// Where the response came from.
  public let source: Response.Source
  /// The version of HTTP it was received in, where the transport tells.
  public let version: HTTPVersion?
  /// The connection it came over, where the transport tells.
  public let connection: ConnectionInfo?
  /// The trailer fields, if any came.
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
  /// The value, and the rest without secrets: of the request its URL alone, since nobody here knows which of its fields
  /// were marked.
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
