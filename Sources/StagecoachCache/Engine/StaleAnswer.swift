import HTTPTypes
import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A decision about a failure of the origin.
enum StaleAnswer: Sendable {
  /// A stored response takes the place of the error.
  case serve(CacheEntry, Serving)
  /// The error is passed on.
  case pass
  /// The answer is 504: there is a stored response that must not be used without validation (RFC 9111 5.2.2.2).
  case gatewayTimeout
}

/// A failure of the origin.
enum OriginFailure: Sendable, Hashable {
  case status(HTTPResponse.Status)
  /// The network failed: no address, no connection, or no answer in time.
  case unreachable
}

extension CacheRules {
  /// Decides whether a stored response takes the place of an error (RFC 5861 4).
  func staleAnswer(
    among entries: [CacheEntry],
    for request: HTTPRequest,
    after failure: OriginFailure,
    mode: CacheMode,
    at now: Date,
    conceal: Conceal
  ) -> StaleAnswer {
    if case .status(let status) = failure, ![500, 502, 503, 504].contains(status.code) { return .pass }
    guard mode == .default || mode == .forceCache, request.method == .get || request.method == .head else {
      return .pass
    }
    let presented = PresentedRequest(request)
    guard !presented.requiresValidation, !presented.control.isNoStore, !presented.hasOriginCondition else {
      return .pass
    }
    for entry in matching(entries, request, conceal: conceal) {
      guard let content = content(of: entry, for: presented) else { continue }
      let policy = policy(of: entry.response.head.headerFields)
      let age = age(of: entry.response, at: now)
      let lifetime = lifetime(of: entry.response, policy)
      if policy.control.isNoCache { return .pass }
      if lifetime <= age, forbidsStale(policy.control) {
        return failure == .unreachable ? .gatewayTimeout : .pass
      }
      let limit = max(policy.control.staleIfError ?? -1, presented.control.staleIfError ?? -1)
      guard limit >= 0, age - lifetime <= limit else { return .pass }
      return .serve(
        entry,
        Serving(age: age, lifetime: lifetime, isStale: lifetime <= age, revalidates: false, content: content)
      )
    }
    return .pass
  }
}
