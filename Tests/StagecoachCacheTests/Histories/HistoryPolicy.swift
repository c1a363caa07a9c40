import TestSupport

/// What an origin says about the storing of a response, in the words of RFC 9111.
struct HistoryPolicy: Sendable {
  var isNoStore = false
  var isNoCache = false
  var isPublic = false
  var isPrivate = false
  /// Whether X-Secret is for the user alone: `private="X-Secret"`.
  var hidesSecret = false
  var isMustRevalidate = false
  var isProxyRevalidate = false
  var isImmutable = false
  var maxAge: Int?
  var sMaxAge: Int?
  var staleWhileRevalidate: Int?
  var staleIfError: Int?
  /// Expires less Date, in seconds.
  var expires: Int?

  static func random(expires: Bool, using random: inout SplitMix) -> HistoryPolicy {
    var policy = HistoryPolicy()
    func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    policy.isNoStore = one(in: 12)
    policy.isNoCache = one(in: 10)
    policy.isPublic = one(in: 4)
    policy.isPrivate = one(in: 5)
    policy.hidesSecret = one(in: 4)
    policy.isMustRevalidate = one(in: 5)
    policy.isProxyRevalidate = one(in: 8)
    policy.isImmutable = one(in: 8)
    if !one(in: 5) { policy.maxAge = [0, 5, 20, 60, 300, 300].randomElement(using: &random) }
    if one(in: 5) { policy.sMaxAge = [0, 10, 100].randomElement(using: &random) }
    if one(in: 5) { policy.staleWhileRevalidate = 30 }
    if one(in: 3) { policy.staleIfError = 60 }
    if expires { policy.expires = [-10, 15, 90].randomElement(using: &random) }
    return policy
  }

  /// Cache-Control; never empty, so that every answer replaces that of an earlier one.
  var text: String {
    var words = ["x-none"]
    if isNoStore { words.append("no-store") }
    if isNoCache { words.append("no-cache") }
    if isPublic { words.append("public") }
    if isPrivate { words.append("private") }
    if hidesSecret { words.append("private=\"X-Secret\"") }
    if isMustRevalidate { words.append("must-revalidate") }
    if isProxyRevalidate { words.append("proxy-revalidate") }
    if isImmutable { words.append("immutable") }
    if let maxAge { words.append("max-age=\(maxAge)") }
    if let sMaxAge { words.append("s-maxage=\(sMaxAge)") }
    if let staleWhileRevalidate { words.append("stale-while-revalidate=\(staleWhileRevalidate)") }
    if let staleIfError { words.append("stale-if-error=\(staleIfError)") }
    return words.joined(separator: ", ")
  }

  /// Section 5.2.2: what never allows a stale answer.
  func forbidsStale(isShared: Bool) -> Bool {
    isMustRevalidate || isNoCache || (isShared && (isProxyRevalidate || sMaxAge != nil))
  }
}

/// The directives of a request.
struct HistoryDemands: Sendable {
  var isNoStore = false
  var isNoCache = false
  var isOnlyIfCached = false
  var maxAge: Int?
  var minFresh: Int?
  /// `Int.max` without an argument.
  var maxStale: Int?
  var staleIfError: Int?

  static func random(using random: inout SplitMix) -> HistoryDemands {
    var demands = HistoryDemands()
    switch Int.random(in: 0..<36, using: &random) {
    case 0: demands.isNoStore = true
    case 1: demands.isNoCache = true
    case 2: demands.isOnlyIfCached = true
    case 3: demands.maxAge = 0
    case 4: demands.maxAge = 10
    case 5: demands.minFresh = 20
    case 6: demands.maxStale = .max
    case 7: demands.maxStale = 40
    case 8: demands.staleIfError = 100
    default: break
    }
    return demands
  }

  /// Cache-Control; nil if nothing is demanded.
  var text: String? {
    if isNoStore { return "no-store" }
    if isNoCache { return "no-cache" }
    if isOnlyIfCached { return "only-if-cached" }
    if let maxAge { return "max-age=\(maxAge)" }
    if let minFresh { return "min-fresh=\(minFresh)" }
    if let maxStale { return maxStale == .max ? "max-stale" : "max-stale=\(maxStale)" }
    return staleIfError.map { "stale-if-error=\($0)" }
  }
}
