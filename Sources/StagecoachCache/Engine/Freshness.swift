import HTTPTypes
import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CacheRules {
  /// The longest lifetime that is guessed: a day.
  private static let heuristicLimit = 24 * 3600

  /// The freshness lifetime in seconds (RFC 9111 4.2.1): s-maxage in a shared cache, max-age, Expires, or a guess.
  func lifetime(of response: CachedResponse) -> Int {
    lifetime(of: response, policy(of: response.head.headerFields))
  }

  func lifetime(of response: CachedResponse, _ policy: ResponsePolicy) -> Int {
    if let lifetime = explicitLifetime(of: response, policy) { return lifetime }
    return usesHeuristics ? heuristicLifetime(of: response, policy) : 0
  }

  /// The lifetime that the origin gives; nil if it gives none. What is malformed gives 0.
  func explicitLifetime(of response: CachedResponse, _ policy: ResponsePolicy) -> Int? {
    if isShared, let lifetime = policy.control.sMaxAge { return lifetime }
    if let lifetime = policy.control.maxAge { return lifetime }
    let fields = response.head.headerFields
    guard !policy.isTargeted, let expires = fields.firstField(.expires) else { return nil }
    // Of several different dates none can be trusted (RFC 9111 4.2.1).
    guard !fields.contains(where: { $0.name == .expires && $0.value != expires.value }),
      let end = expires.expiry(now: response.responseTime)
    else { return 0 }
    return Self.seconds(Double(end - response.date))
  }

  /// A tenth of the time since the last change, at most a day (RFC 9111 4.2.2).
  private func heuristicLifetime(of response: CachedResponse, _ policy: ResponsePolicy) -> Int {
    guard policy.control.isPublic || response.head.status.isHeuristicallyCacheable,
      let change = response.head.headerFields.date(.lastModified, now: response.responseTime)
    else { return 0 }
    return min(Self.seconds(Double(response.date - change)) / 10, Self.heuristicLimit)
  }

  /// The age in seconds (RFC 9111 4.2.3). With a clock that was set back it is the age on arrival.
  func age(of response: CachedResponse, at now: Date) -> Int {
    let arrival = response.responseTime.timeIntervalSince1970
    let apparent = max(0, (arrival - Double(response.date)).rounded(.down))
    let delay = max(0, response.responseTime.timeIntervalSince(response.requestTime))
    let initial = max(apparent, Double(response.head.headerFields.receivedAge) + delay)
    return Self.seconds(initial + max(0, now.timeIntervalSince1970 - arrival))
  }

  /// Whole seconds from 0 to 2³¹, which is more than any lifetime needs.
  private static func seconds(_ time: Double) -> Int {
    // Written so that a value that is not a number gives the limit.
    time < Double(CacheControl.maximumSeconds) ? Int(max(0, time)) : CacheControl.maximumSeconds
  }
}

extension CachedResponse {
  /// Date in seconds since 1970, or the time of arrival.
  var date: Int64 {
    head.headerFields.date(.date, now: responseTime) ?? HTTPDate(responseTime)?.secondsSince1970 ?? 0
  }
}

extension HTTPFields {
  /// The first value of Age; 0 if it is absent or malformed (RFC 9111 5.1).
  fileprivate var receivedAge: Int {
    firstField(.age)?.withUnsafeBytesOfValue { octets in
      octets.prefix { $0 != UInt8(ascii: ",") }.trimmed.deltaSeconds
    } ?? 0
  }
}

extension HTTPResponse.Status {
  /// Whether a response without a lifetime may be stored (RFC 9110 15.1).
  var isHeuristicallyCacheable: Bool {
    switch code {
    case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
    default: false
    }
  }

  /// Whether the rules of RFC 9110 for the status are kept here, as `must-understand` asks (RFC 9111 5.2.2.3).
  var isUnderstood: Bool {
    switch code {
    case 200...206, 300...303, 305, 307, 308, 400, 402...406, 408...415, 417, 421, 422, 426, 500...505: true
    default: false
    }
  }
}
