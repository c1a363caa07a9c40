import StagecoachCore

/// A server-sent event (WHATWG HTML 9.2).
public struct ServerSentEvent: Sendable, Hashable {
  /// The type of the event; `message` if the server sends none.
  public var type: String

  /// The data: the values of its data lines, joined by LF.
  public var data: String

  /// The last ID that the server has sent, with this event or before; empty if it has sent none. Send it as
  /// `Last-Event-ID` in a new request to continue after this event.
  public var id: String

  /// The reconnection time that the server last sent on this connection; `nil` if it has sent none.
  public var retry: Duration?

  /// Creates an event.
  public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
    self.type = type
    self.data = data
    self.id = id
    self.retry = retry
  }
}
