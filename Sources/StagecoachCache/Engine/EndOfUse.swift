import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CacheRules {
  /// The time from which a response can neither be used nor validated: it has no validator, is stale, and its own
  /// directives do not allow to use it (RFC 9111 4.2.4, RFC 5861 3 and 4). `nil` if it has a validator.
  ///
  /// A request with `max-stale` and the modes that take any stored response can still use it.
  func endOfUse(of response: CachedResponse, _ policy: ResponsePolicy) -> Date? {
    guard !response.hasValidator else { return nil }
    let control = policy.control
    if control.isNoCache { return response.responseTime }
    // Staleness is allowed up to and including this second, freshness only before the last one.
    let staleness =
      forbidsStale(control) ? -1 : max(control.staleWhileRevalidate ?? -1, control.staleIfError ?? -1)
    let seconds =
      lifetime(of: response, policy) + staleness + 1 - age(of: response, at: response.responseTime)
    return response.responseTime + TimeInterval(seconds)
  }
}
