/// What ``ConcurrencyLimit`` and ``Coalescing`` did with a request.
@nonexhaustive
public enum ConcurrencyEvent: Sendable, CustomStringConvertible {
  /// The request waits for a slot, as one of so many.
  case queued(position: Int, priority: RequestPriority)
  /// The request got its slot after this time.
  case started(after: Duration)
  /// The request was refused: it would have waited longer than it may, or too many wait already.
  case refused(ExchangeError.Kind)
  /// The request waited, and its task was cancelled.
  case abandoned

  /// The request waits for the response to another one like it.
  case joined
  /// The one whose response this request waited for was cancelled: this one is sent instead.
  case tookOver
  /// So many other requests share the response to this one.
  case shared(with: Int)
  /// The response is shared, and was read so slowly that the rest needs a request of its own.
  case cutLoose(after: Int64)

  /// A readable line.
  public var description: String {
    switch self {
    case .queued(let position, let priority): "waits for a slot, number \(position), priority \(priority)"
    case .started(let wait): "got a slot after \(Format.duration(wait))"
    case .refused(let kind): "got no slot: \(kind)"
    case .abandoned: "was cancelled while it waited for a slot"
    case .joined: "joined a request like it"
    case .tookOver: "took over, since the request it had joined was cancelled"
    case .shared(let count): "shares its response with \(count) \(count == 1 ? "other" : "others")"
    case .cutLoose(let bytes): "read too slowly: cut loose after \(bytes) bytes, to a request of its own"
    }
  }
}
