import HTTPTypes
import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CacheRules {
  /// Decides what is done with a request, given the entries of its key (RFC 9111 4).
  func verdict(
    for request: HTTPRequest,
    among entries: [CacheEntry],
    mode: CacheMode,
    at now: Date,
    conceal: Conceal
  ) -> CacheVerdict {
    if mode == .noStore { return .forward(fields: request.headerFields, reason: .bypass) }
    let presented = PresentedRequest(request)
    let isOffline = mode == .onlyIfCached || presented.control.isOnlyIfCached
    if let reason = reasonToPass(presented, mode: mode) {
      return isOffline ? .unavailable : .forward(fields: presented.fields(for: mode), reason: reason)
    }
    let matches = matching(entries, request, conceal: conceal)
    for entry in matches {
      guard let content = content(of: entry, for: presented) else { continue }
      switch use(of: entry, content, for: presented, mode: mode, at: now) {
      case .success(var serving):
        serving.revalidates = serving.revalidates && !isOffline
        return .serve(entry, serving)
      case .failure(let cause):
        if isOffline { return .unavailable }
        return validation(
          of: entry,
          among: entries,
          matches: matches,
          presented,
          request,
          mode: mode,
          reason: cause.reason,
          conceal: conceal
        )
      }
    }
    if isOffline { return .unavailable }
    if matches.isEmpty { return miss(entries, presented, request, mode: mode, conceal: conceal) }
    return completion(of: matches, presented, mode: mode)
  }

  /// Why a request goes on without a look at the entries.
  private func reasonToPass(_ presented: PresentedRequest, mode: CacheMode) -> ForwardReason? {
    guard presented.method == .get || presented.method == .head else { return .method }
    return presented.control.isNoStore || mode == .reload || presented.hasOriginCondition ? .request : nil
  }

  /// How an entry answers a request; `nil` if it cannot.
  func content(of entry: CacheEntry, for presented: PresentedRequest) -> ServedContent? {
    let response = entry.response
    let isEvaluated = response.head.status == .ok || response.head.status == .partialContent
    if presented.method == .head {
      guard response.part == nil else { return nil }
      return isEvaluated && presented.hasCondition && presented.isNotModified(response)
        ? .notModified : .whole
    }
    var content = ServedContent.whole
    if let part = response.part {
      let end = part.start.addingReportingOverflow(entry.length)
      guard presented.allowsRange(of: response), !end.overflow,
        case .range(let range) = presented.range?.resolved(total: part.total),
        part.start <= range.lowerBound, range.upperBound <= end.partialValue
      else { return nil }
      content = .part(range, total: part.total)
    } else if presented.hasRange, response.head.status == .ok, entry.length > 0,
      presented.allowsRange(of: response), let range = presented.range
    {
      switch range.resolved(total: entry.length) {
      case .range(let range): content = .part(range, total: entry.length)
      case .unsatisfiable: content = .unsatisfiable(total: entry.length)
      }
    }
    return isEvaluated && presented.hasCondition && presented.isNotModified(response) ? .notModified : content
  }

  private struct MustForward: Error { let reason: ForwardReason }

  /// Whether an entry is used without a question to the origin.
  private func use(
    of entry: CacheEntry,
    _ content: ServedContent,
    for presented: PresentedRequest,
    mode: CacheMode,
    at now: Date
  ) -> Result<Serving, MustForward> {
    let policy = policy(of: entry.response.head.headerFields)
    let age = age(of: entry.response, at: now)
    let lifetime = lifetime(of: entry.response, policy)
    let isFresh = lifetime > age
    var serving = Serving(
      age: age,
      lifetime: lifetime,
      isStale: !isFresh,
      revalidates: false,
      content: content
    )
    if mode == .forceCache || mode == .onlyIfCached { return .success(serving) }
    if policy.control.isNoCache { return .failure(MustForward(reason: .stale)) }
    let isImmutable = isFresh && policy.control.isImmutable
    if presented.requiresValidation || (mode == .noCache && !isImmutable) {
      return .failure(MustForward(reason: .request))
    }
    if isFresh {
      let isAccepted = presented.control.accepts(age: age, of: lifetime, isImmutable: isImmutable)
      return isAccepted ? .success(serving) : .failure(MustForward(reason: .request))
    }
    guard !forbidsStale(policy.control) else { return .failure(MustForward(reason: .stale)) }
    serving.revalidates = presented.control.acceptsOwnStaleness(
      age - lifetime,
      policy.control.staleWhileRevalidate
    )
    if serving.revalidates || presented.control.acceptsStale(age - lifetime, age: age) {
      return .success(serving)
    }
    return .failure(MustForward(reason: .stale))
  }

  /// No entry matches: the origin is told which variants are here.
  private func miss(
    _ entries: [CacheEntry],
    _ presented: PresentedRequest,
    _ request: HTTPRequest,
    mode: CacheMode,
    conceal: Conceal
  ) -> CacheVerdict {
    let reason: ForwardReason = entries.isEmpty ? .uriMiss : .varyMiss
    var fields = presented.fields(for: mode)
    guard !entries.isEmpty, !presented.hasCondition, !presented.hasRange else {
      return .forward(fields: fields, reason: reason)
    }
    let candidates = entries.filter { isCandidate($0.response, for: request, conceal: conceal) }
    let validators = Validators(candidates)
    guard !validators.tags.isEmpty else { return .forward(fields: fields, reason: reason) }
    validators.add(to: &fields)
    return .validate(fields: fields, candidates: candidates, reason: reason)
  }

  private func validation(
    of entry: CacheEntry,
    among entries: [CacheEntry],
    matches: [CacheEntry],
    _ presented: PresentedRequest,
    _ request: HTTPRequest,
    mode: CacheMode,
    reason: ForwardReason,
    conceal: Conceal
  ) -> CacheVerdict {
    var fields = presented.fields(for: mode)
    // The caller's conditions are sent as they are, and a 304 to them may still be about an entry.
    if presented.hasCondition { return .validate(fields: fields, candidates: matches, reason: reason) }
    guard entry.response.hasValidator else { return .forward(fields: fields, reason: reason) }
    var candidates = [entry]
    if entry.response.head.headerFields.entityTag != nil {
      candidates += matches.filter { other in
        other.id != entry.id && other.response.strongTag != nil && content(of: other, for: presented) != nil
      }
      if !presented.hasRange {
        candidates += entries.filter { other in
          !candidates.contains { $0.id == other.id }
            && isCandidate(other.response, for: request, conceal: conceal)
        }
      }
    }
    Validators(candidates).add(to: &fields)
    return .validate(fields: fields, candidates: candidates, reason: reason)
  }

  /// Only parts match, and none has what the request asks for.
  private func completion(
    of matches: [CacheEntry],
    _ presented: PresentedRequest,
    mode: CacheMode
  ) -> CacheVerdict {
    var fields = presented.fields(for: mode)
    let isWhole = presented.method == .get && !presented.hasRange && !presented.hasCondition
    for entry in matches where isWhole {
      guard let part = entry.response.part, part.start == 0, entry.length > 0, entry.length < part.total,
        let tag = entry.response.strongTag?.text
      else { continue }
      fields[.range] = "bytes=\(entry.length)-"
      fields[.ifRange] = tag
      return .complete(fields: fields, entry)
    }
    return .forward(fields: fields, reason: .partial)
  }
}
