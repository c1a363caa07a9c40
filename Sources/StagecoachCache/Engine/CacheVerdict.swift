import HTTPTypes

/// A decision about a request.
enum CacheVerdict: Sendable {
  /// A stored response is the answer.
  case serve(CacheEntry, Serving)
  /// The request goes on with these fields in place of its own, which make it conditional. A 304 may select one of the
  /// candidates.
  case validate(fields: HTTPFields, candidates: [CacheEntry], reason: ForwardReason)
  /// The request goes on with these fields in place of its own.
  case forward(fields: HTTPFields, reason: ForwardReason)
  /// The request goes on with these fields, which ask for the rest of a stored part that starts at 0.
  case complete(fields: HTTPFields, CacheEntry)
  /// The answer is 504: the caller does not want the origin to be asked (RFC 9111 5.2.1.7).
  case unavailable
}

/// How a stored response is used.
struct Serving: Sendable, Hashable {
  /// In seconds.
  var age: Int
  /// In seconds.
  var lifetime: Int
  /// Whether the response is used although it is stale.
  var isStale: Bool
  /// Whether the response is validated in the background (RFC 5861 3).
  var revalidates: Bool
  var content: ServedContent
}

/// The content of an answer from a stored response.
enum ServedContent: Sendable, Hashable {
  /// The response as it is stored.
  case whole
  /// 304: the caller has it.
  case notModified
  /// 206: these bytes of the representation. The stored ones start at ``CachedResponse/Part/start``.
  case part(Range<Int64>, total: Int64)
  /// 416.
  case unsatisfiable(total: Int64)
}

/// The reason why a request went to the origin (RFC 9211 2.2).
enum ForwardReason: String, Sendable {
  case bypass
  case method
  case uriMiss = "uri-miss"
  case varyMiss = "vary-miss"
  case miss
  case request
  case stale
  case partial

  /// The reason in words, for events.
  var text: String {
    switch self {
    case .bypass: "the cache is bypassed"
    case .method: "the method"
    case .uriMiss: "no response with this URL"
    case .varyMiss: "no response for these request fields"
    case .miss: "no response that can be used"
    case .request: "the request wants the origin to be asked"
    case .stale: "it is stale"
    case .partial: "a part is missing"
    }
  }
}
