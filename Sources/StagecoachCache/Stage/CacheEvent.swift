public import StagecoachCore

/// An event of ``Cache``: a decision and its reason.
@nonexhaustive
public enum CacheEvent: StageEvent {
  /// The cache is not asked.
  case bypassed(reason: String)
  /// A stored response answers the request. Its age and lifetime are in seconds; a lifetime below the age was allowed
  /// by the mode or the request.
  case hit(age: Int, lifetime: Int)
  /// No stored response can be used, so that the request is sent.
  case miss(reason: String)
  /// A stored response is validated; the reason is why it cannot be used without.
  case validating(reason: String)
  /// The origin has confirmed the stored response (304).
  case validated
  /// A stale response is used at once, and validated in the background (RFC 5861 3).
  case revalidating(age: Int, lifetime: Int)
  /// A stale response is used in place of a failure (RFC 5861 4).
  case stale(age: Int, lifetime: Int, instead: String)
  /// The request waits for the response to an equal one.
  case joined
  /// This many other requests wait for the response.
  case shared(with: Int)
  /// The rest of a shared response requires a request of its own: it was read too slowly, or, before the first byte,
  /// it is long and has no strong validator.
  case cutLoose(after: Int64)
  /// The response is being stored.
  case storing
  /// The response has arrived completely and is stored.
  case stored(bytes: Int64)
  /// The response is not stored.
  case notStored(reason: String)
  /// Stored responses were removed, since a request may have changed what they tell (RFC 9111 4.4).
  case invalidated(urls: [String])
  /// The folder of a store was open to others, which was mended.
  case storeRepaired(String)
  /// The store failed or took too long, so that the request goes on without it.
  case storeFailed(reason: String)

  /// A description on one line.
  public var description: String {
    switch self {
    case .bypassed(let reason): "cache not asked: \(reason)"
    case .hit(let age, let lifetime): "answered by the cache, age \(age) s of \(lifetime) s"
    case .miss(let reason): "not in the cache: \(reason)"
    case .validating(let reason): "validating a stored response: \(reason)"
    case .validated: "the stored response is still valid"
    case .revalidating(let age, let lifetime):
      "answered by the cache with a stale response, age \(age) s of \(lifetime) s, and validated in the background"
    case .stale(let age, let lifetime, let failure):
      "answered by the cache with a stale response, age \(age) s of \(lifetime) s, in place of: \(failure)"
    case .joined: "waiting for the response to an equal request"
    case .shared(let count): "response shared with \(count) \(count == 1 ? "other" : "others")"
    case .cutLoose(let bytes):
      "detached after \(bytes) bytes of a shared response, continues with its own request"
    case .storing: "storing the response"
    case .stored(let bytes): "stored the response, \(bytes) bytes"
    case .notStored(let reason): "response not stored: \(reason)"
    case .invalidated(let urls): "removed from the cache: \(urls.joined(separator: ", "))"
    case .storeRepaired(let what): "the store of the cache was repaired: \(what)"
    case .storeFailed(let reason): "the store of the cache failed: \(reason)"
    }
  }
}
