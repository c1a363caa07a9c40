/// One event of a stream of server-sent events (WHATWG HTML 9.2).
public struct ServerSentEvent: Sendable, Hashable {
  /// The type of the event; `message` where the server names none.
  public var type: String

  /// The data: the values of its data lines, joined with LF.
  public var data: String

  /// The last ID that the server has given, with this event or before it; empty if there is none. A new request
  /// sends it as `Last-Event-ID` to go on behind this event.
  public var id: String

  /// The time that the server last asked to wait before reconnecting, on this connection; nil if it never did.
  public var retry: Duration?

  /// An event.
  public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
    self.type = type
    self.data = data
    self.id = id
    self.retry = retry
  }
}
