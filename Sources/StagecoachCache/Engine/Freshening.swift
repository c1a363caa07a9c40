import HTTPTypes
import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The effect of a 304 or of a response to HEAD on stored responses (RFC 9111 4.3.4, 4.3.5).
struct Freshening: Sendable {
  enum Answer: Sendable {
    /// The caller gets the entry, with the new fields in its head even if they must not be stored.
    case serve(CacheEntry, Serving)
    /// The caller gets the response as it is: it answers the caller's own conditions, or is that of a HEAD.
    case pass
    /// The 304 is about no entry: the request is repeated without conditions.
    case repeatWithoutConditions
  }

  /// The entries that get new heads.
  var updates: [(entry: CacheEntry, response: CachedResponse)] = []
  /// The entries that must not be kept.
  var removals: [CacheEntry] = []
  var answer: Answer
}

extension CacheRules {
  /// Applies a 304 to the candidates of a request.
  ///
  /// - Parameter request: The caller's request, without the conditions that ``CacheVerdict/validate`` added.
  func freshen(
    _ candidates: [CacheEntry],
    by notModified: HTTPResponse,
    request: HTTPRequest,
    sentAt: Date,
    receivedAt: Date,
    conceal: Conceal
  ) -> Freshening {
    let presented = PresentedRequest(request)
    var freshening = Freshening(answer: presented.hasCondition ? .pass : .repeatWithoutConditions)
    let matches = matching(candidates, request, conceal: conceal)
    let selected = selected(
      from: matches,
      by: notModified.headerFields,
      receivedAt: receivedAt,
      isSoleQuestion: candidates.count == 1 && !presented.hasCondition
    )
    var served: (entry: CacheEntry, content: ServedContent)?
    for old in selected {
      var entry = old
      entry.response = merged(
        old.response,
        with: notModified.headerFields,
        sentAt: sentAt,
        receivedAt: receivedAt
      )
      freshening.replace(old, with: &entry, by: keeping(entry.response, request, conceal: conceal))
      served = served ?? content(of: entry, for: presented).map { (entry, $0) }
    }
    // Another variant is the answer too, but its own head, which is for other requests, stays as it is.
    if selected.isEmpty, !presented.hasCondition, let tag = notModified.headerFields.entityTag,
      var entry = candidates.first(where: { $0.response.strongTag?.isStronglyEqual(to: tag) ?? false }),
      isCandidate(entry.response, for: request, conceal: conceal)
    {
      entry.response = merged(
        entry.response,
        with: notModified.headerFields,
        sentAt: sentAt,
        receivedAt: receivedAt
      )
      served = content(of: entry, for: presented).map { (entry, $0) }
    }
    if let served {
      let serving = Serving(
        age: age(of: served.entry.response, at: receivedAt),
        lifetime: lifetime(of: served.entry.response),
        isStale: false,
        revalidates: false,
        content: served.content
      )
      freshening.answer = .serve(served.entry, serving)
    }
    return freshening
  }

  /// Applies a response to HEAD to the entries of its key.
  func freshen(
    _ entries: [CacheEntry],
    byHead response: HTTPResponse,
    request: HTTPRequest,
    sentAt: Date,
    receivedAt: Date,
    conceal: Conceal
  ) -> Freshening {
    var freshening = Freshening(answer: .pass)
    guard request.method == .head, response.status == .ok,
      !CacheControl(request: request.headerFields).isNoStore
    else { return freshening }
    for old in matching(entries, request, conceal: conceal) {
      guard old.response.head.status == .ok || old.response.part != nil else { continue }
      guard old.agrees(withHead: response.headerFields) else {
        freshening.removals.append(old)
        continue
      }
      var entry = old
      entry.response = merged(
        old.response,
        with: response.headerFields,
        sentAt: sentAt,
        receivedAt: receivedAt
      )
      freshening.replace(old, with: &entry, by: keeping(entry.response, request, conceal: conceal))
    }
    return freshening
  }

  /// The entries that a 304 is about (RFC 9111 4.3.4).
  private func selected(
    from matches: [CacheEntry],
    by fields: HTTPFields,
    receivedAt: Date,
    isSoleQuestion: Bool
  ) -> [CacheEntry] {
    if let tag = fields.entityTag, !tag.isWeak {
      let strong = matches.filter { $0.response.strongTag?.isStronglyEqual(to: tag) ?? false }
      if !strong.isEmpty { return strong }
      // A server that has begun to send tags, or weakens them in a 200 only, as nginx does for what it compresses: a
      // strong date is a strong validator too.
      return dated(
        matches.filter { entry in
          entry.response.hasStrongDate
            && entry.response.head.headerFields.entityTag.map { $0.isWeaklyEqual(to: tag) } ?? true
        },
        fields,
        receivedAt
      )
    }
    if let tag = fields.entityTag {
      return Array(
        matches.filter { $0.response.head.headerFields.entityTag?.isWeaklyEqual(to: tag) ?? false }.prefix(1)
      )
    }
    if fields.date(.lastModified, now: receivedAt) != nil { return dated(matches, fields, receivedAt) }
    // Without a validator it can only be about the one response that was asked about.
    return isSoleQuestion ? matches : []
  }

  /// The entries with the date of a 304: all if it is a strong validator, else the latest.
  private func dated(_ matches: [CacheEntry], _ fields: HTTPFields, _ receivedAt: Date) -> [CacheEntry] {
    guard let date = fields.date(.lastModified, now: receivedAt) else { return [] }
    let equal = matches.filter { $0.response.lastModified == date }
    return equal.allSatisfy(\.response.hasStrongDate) ? equal : Array(equal.prefix(1))
  }

  fileprivate enum Keeping {
    case updated(vary: [CachedResponse.Nominated])
    case unchanged
    case removed
  }

  /// Whether a response is still allowed to be stored with its new fields.
  private func keeping(_ response: CachedResponse, _ request: HTTPRequest, conceal: Conceal) -> Keeping {
    let fields = response.head.headerFields
    guard fields.count < Self.maximumFieldCount,
      let vary = nominated(by: fields, request, conceal: conceal)
    else { return .removed }
    switch refusal(of: policy(of: fields), response.head, to: request) {
    case nil: return .updated(vary: vary)
    // What may be stored for others must not be changed by an answer that may not.
    case .authorization, .requestNoStore: return .unchanged
    default: return .removed
    }
  }
}

extension Freshening {
  fileprivate mutating func replace(
    _ old: CacheEntry,
    with entry: inout CacheEntry,
    by keeping: CacheRules.Keeping
  ) {
    switch keeping {
    case .updated(let vary):
      entry.response.vary = vary
      updates.append((old, entry.response))
    case .unchanged: break
    case .removed: removals.append(old)
    }
  }
}

extension CacheEntry {
  /// Whether every validator and the length of a response to HEAD are those of the entry (RFC 9111 4.3.5).
  fileprivate func agrees(withHead fields: HTTPFields) -> Bool {
    if let field = fields.firstField(.eTag) {
      guard let tag = field.withUnsafeBytesOfValue({ EntityTag($0.trimmed) }),
        tag == response.head.headerFields.entityTag
      else { return false }
    }
    if fields.firstField(.lastModified) != nil {
      guard let date = fields.date(.lastModified, now: response.responseTime), date == response.lastModified
      else {
        return false
      }
    }
    if let field = fields.firstField(.contentLength) {
      guard field.withUnsafeBytesOfValue({ $0.byteCount }) == response.part?.total ?? length else {
        return false
      }
    }
    return true
  }
}
