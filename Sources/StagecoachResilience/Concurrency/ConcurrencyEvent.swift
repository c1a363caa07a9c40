public import StagecoachCore

/// An event of ``ConcurrencyLimit`` or ``Coalescing``.
@nonexhaustive
public enum ConcurrencyEvent: StageEvent {
  /// The request waits for a slot, at this position.
  case queued(position: Int, priority: RequestPriority)
  /// The request got its slot, after this time.
  case started(after: Duration)
  /// The request was refused because it would wait too long, or too many requests are waiting.
  case refused(ExchangeError.Kind)
  /// The request was cancelled while it waited.
  case abandoned

  /// The request waits for the response of an identical request.
  case joined
  /// The request is sent because the request it had joined was cancelled.
  case tookOver
  /// This many other requests share the response to this one.
  case shared(with: Int)
  /// The rest of the shared response requires a separate request: it was read too slowly, or, before the first byte,
  /// it is long and has no strong validator.
  case cutLoose(after: Int64)

  /// The time that the request waited for a slot, once it has one.
  public var waited: Duration? {
    if case .started(let wait) = self { wait } else { nil }
  }

  /// A description on one line.
  public var description: String {
    switch self {
    case .queued(let position, let priority): "waiting for a slot, position \(position), priority \(priority)"
    case .started(let wait): "got a slot after \(Format.duration(wait))"
    case .refused(let kind): "no slot: \(kind)"
    case .abandoned: "cancelled while waiting for a slot"
    case .joined: "joined an identical request"
    case .tookOver: "sent because the request it had joined was cancelled"
    case .shared(let count): "response shared with \(count) \(count == 1 ? "other" : "others")"
    case .cutLoose(let bytes):
      "detached after \(bytes) bytes of a shared response, continues with its own request"
    }
  }
}
