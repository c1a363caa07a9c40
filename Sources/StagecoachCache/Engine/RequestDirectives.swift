import HTTPTypes
import StagecoachCore

// What the directives of a request demand of a stored response (RFC 9111 5.2.1).
extension CacheControl {
  /// Whether a fresh response is fresh enough.
  func accepts(age: Int, of lifetime: Int, isImmutable: Bool) -> Bool {
    // A reload in a browser sends max-age=0, which does not ask for what never changes (RFC 8246 2).
    if let maxAge, maxAge == 0 ? !isImmutable : age > maxAge { return false }
    return minFresh.map { lifetime - age >= $0 } ?? true
  }

  /// Whether the request allows a stale response.
  func acceptsStale(_ staleness: Int, age: Int) -> Bool {
    guard let maxStale, minFresh == nil, staleness <= maxStale else { return false }
    return maxAge.map { $0 > 0 && age <= $0 } ?? true
  }

  /// Whether the response itself allows to be used stale, and the request does not ask for more (RFC 5861 3).
  func acceptsOwnStaleness(_ staleness: Int, _ limit: Int?) -> Bool {
    guard let limit, maxAge == nil, minFresh == nil else { return false }
    return staleness <= limit
  }
}

extension PresentedRequest {
  /// The fields with which a request goes on: modes that ask for a new answer say so (Fetch, HTTP-network-or-cache
  /// fetch).
  func fields(for mode: CacheMode) -> HTTPFields {
    guard mode == .reload || mode == .noCache else { return fields }
    var fields = fields
    if fields.firstField(.cacheControl) == nil {
      fields[.cacheControl] = mode == .reload ? "no-cache" : "max-age=0"
    }
    if mode == .reload, fields.firstField(.pragma) == nil { fields[.pragma] = "no-cache" }
    return fields
  }
}

/// The validators that a conditional request carries (RFC 9111 4.3.1).
struct Validators {
  static let maximumTagCount = 16

  private(set) var tags: [String] = []
  private(set) var date: String?

  init(_ candidates: [CacheEntry]) {
    for entry in candidates {
      guard tags.count < Self.maximumTagCount, let tag = entry.response.head.headerFields.entityTag?.text,
        !tags.contains(tag)
      else { continue }
      tags.append(tag)
    }
    if candidates.count == 1, candidates[0].response.lastModified != nil {
      date = candidates[0].response.head.headerFields.firstField(.lastModified)?.value
    }
  }

  func add(to fields: inout HTTPFields) {
    if !tags.isEmpty { fields[.ifNoneMatch] = tags.joined(separator: ", ") }
    if let date { fields[.ifModifiedSince] = date }
  }
}
