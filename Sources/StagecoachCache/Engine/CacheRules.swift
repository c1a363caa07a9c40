/// The rules of RFC 9111, for a private or a shared cache: pure functions of requests, responses and times.
struct CacheRules: Sendable, Hashable {
  /// Whether the cache serves several users (RFC 9111 1).
  var isShared = false
  /// Whether a lifetime is guessed where the origin tells none (RFC 9111 4.2.2).
  var usesHeuristics = true
}
