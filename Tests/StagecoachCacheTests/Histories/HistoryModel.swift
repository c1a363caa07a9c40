import StagecoachCache

/// What RFC 9111 and the promises of the cache allow, written without a look at the engine: it knows what the origin
/// has sent, and says of each response that arrived whether its marks may be there.
///
/// It is an upper bound: a response may pass if any sequence of allowed steps explains it.
struct HistoryModel {
  let isShared: Bool
  let resources: [HistoryResource]
  let emissions: [HistoryEmission]
  let changes: [HistoryChange]

  /// What is wrong with a response; nil if nothing is.
  func complaint(about delivery: HistoryDelivery) -> String? {
    complaintAboutMethod(delivery) ?? complaintAboutHead(delivery) ?? complaintAboutContent(delivery)
  }

  /// Section 4, and 9.3 of RFC 9110: methods other than GET and HEAD are answered by the origin.
  private func complaintAboutMethod(_ delivery: HistoryDelivery) -> String? {
    let request = delivery.request
    guard !request.isRetrieval, (200..<400).contains(delivery.status) else { return nil }
    let isOwn = emissions.contains {
      $0.request.id == request.id && delivery.fields["x-emission"] == "\($0.sequence)"
    }
    return isOwn ? nil : "\(request.method) was not answered by the origin"
  }

  // MARK: Heads

  /// Every field that shows who was answered must be the user's own, or have been free to reach the user.
  private func complaintAboutHead(_ delivery: HistoryDelivery) -> String? {
    let request = delivery.request
    for (name, isCookie) in [("x-emission", false), ("set-cookie", true), ("x-secret", false)] {
      guard let text = delivery.fields[name] else { continue }
      let number = text.split(separator: "=").last.flatMap { Int($0) }
      guard let emission = emissions.first(where: { $0.sequence == number }) else {
        return "\(name) of nobody: \(text)"
      }
      if emission.request.id == request.id { continue }
      if emission.request.resource != request.resource { return "\(name) of another URL" }
      if isShared && isCookie { return "Set-Cookie of \(emission.request.user.name), which was stored" }
      if isShared, name == "x-secret", policy(of: emission).hidesSecret { return "a private field" }
      if !mayBeStored(emission) { return "\(name) of a response that must not be stored" }
      if !fits(emission, request, isStrict: true) { return "\(name) of \(emission.request.user.name)" }
      if name == "x-emission", request.method == "HEAD", !isKnown(emission, at: delivery.began),
        !emissions.contains(where: { $0.request.id == request.id })
      {
        return "the head was invalidated"
      }
    }
    return nil
  }

  // MARK: Content

  private func complaintAboutContent(_ delivery: HistoryDelivery) -> String? {
    let request = delivery.request
    let resource = resources[request.resource]
    guard request.method == "GET", delivery.status == 200 || delivery.status == 206, let body = delivery.body
    else { return nil }
    guard let mark = HistoryResource.mark(in: body) else { return "content without a mark" }
    if let complaint = complaintAboutBytes(delivery, body, resource, mark) { return complaint }
    let own = emissions.filter { $0.request.id == request.id }
    if own.contains(where: { $0.kind == .content && $0.mark == mark }) { return nil }
    if delivery.fields["age"].flatMap({ Int($0) }) == nil { return "no Age" }
    if request.mode == .reload || request.mode == .noStore { return "mode \(request.mode.rawValue)" }
    if request.demands.isNoStore { return "no-store in the request" }
    // The origin has said that the response is the right one for this very request.
    let isConfirmed = own.contains { $0.kind == .notModified && confirms($0, mark) }
    let sources = emissions.filter {
      $0.kind == .content && $0.mark == mark && $0.request.resource == request.resource && mayBeStored($0)
    }
    if sources.isEmpty { return "\(mark) was never storable" }
    let fitting = sources.filter { fits($0, request, isStrict: !isConfirmed || resource.tag == .none) }
    if fitting.isEmpty { return "\(mark) is another's" }
    if isConfirmed { return nil }
    if !fitting.contains(where: { isKnown($0, at: delivery.began) }) { return "\(mark) was invalidated" }
    let hasFailed = own.contains { $0.kind == .failure }
    let isUsable = emissions.contains { answer in
      answer.request.resource == request.resource && confirms(answer, mark) && mayBeStored(answer)
        && fits(answer, request, isStrict: true) && allows(answer, delivery, hasFailed: hasFailed)
    }
    return isUsable ? nil : "\(mark) needs validation"
  }

  private func complaintAboutBytes(
    _ delivery: HistoryDelivery,
    _ body: [UInt8],
    _ resource: HistoryResource,
    _ mark: HistoryResource.Mark
  ) -> String? {
    let whole = resource.body(of: mark)
    if let length = delivery.fields["content-length"], length != "\(body.count)" {
      return "Content-Length \(length) with \(body.count) bytes"
    }
    guard delivery.status == 206 else { return body == whole ? nil : "content of \(mark) is cut or mixed" }
    guard let text = delivery.request.range, let range = HistoryOrigin.range(text, resource.length) else {
      return "206 without a range asked for"
    }
    if let condition = delivery.request.ifRange,
      resource.tag != .strong || resource.tag(of: mark) != condition
    {
      return "206 in spite of If-Range"
    }
    guard delivery.fields["content-range"] == HistoryOrigin.contentRange(range, resource.length) else {
      return "Content-Range is not what was asked for"
    }
    return body == Array(whole[range]) ? nil : "a part of \(mark) is cut or mixed"
  }

  // MARK: Rules

  /// Whether an answer is about the response with a mark: by its tag, or where there is none by its date.
  private func confirms(_ answer: HistoryEmission, _ mark: HistoryResource.Mark) -> Bool {
    let resource = resources[answer.request.resource]
    switch answer.kind {
    case .content: return answer.mark == mark
    case .head where resource.tag == .none && !resource.hasDates: return true
    case .head, .notModified:
      return resource.tag == .none
        ? answer.mark.version == mark.version : resource.tag(of: answer.mark) == resource.tag(of: mark)
    case .failure, .other: return false
    }
  }

  /// RFC 9213 2.1.
  private func policy(of emission: HistoryEmission) -> HistoryPolicy {
    emission.statement.policy(isShared: isShared)
  }

  /// RFC 9111 3 and 3.5, as far as the origin's answers differ.
  private func mayBeStored(_ emission: HistoryEmission) -> Bool {
    let policy = policy(of: emission)
    guard emission.request.isRetrieval || isStorablePost(emission) else { return false }
    if policy.isNoStore || emission.request.demands.isNoStore || emission.request.mode == .noStore {
      return false
    }
    if resources[emission.request.resource].vary.contains("*") { return false }
    guard isShared else { return true }
    if policy.isPrivate { return false }
    return emission.fields["authorization"] == nil || policy.isPublic || policy.isMustRevalidate
      || policy.sMaxAge != nil
  }

  /// RFC 9110 9.3.3. RFC 9111 3.3 has parts of responses to GET alone.
  private func isStorablePost(_ emission: HistoryEmission) -> Bool {
    let policy = policy(of: emission)
    let isExplicit = policy.maxAge != nil || policy.expires != nil || (isShared && policy.sMaxAge != nil)
    return emission.request.method == "POST" && emission.kind == .content && !emission.isCut && isExplicit
      && resources[emission.request.resource].isNamed(by: emission.location)
  }

  /// Whether a response may be used for a request: of the same partition always, and with the same values of the
  /// fields in Vary (4.1), of sensitive ones alone where the origin was asked which response it is.
  private func fits(_ emission: HistoryEmission, _ request: HistoryRequest, isStrict: Bool) -> Bool {
    let resource = resources[request.resource]
    let hasAuthorization = emission.fields["authorization"] != nil
    let place = emission.request.user.place(hasAuthorization: hasAuthorization, isShared: isShared)
    let values = resource.nominated(in: emission.fields)
    return request.views(isShared: isShared).contains { view in
      guard view.place == place else { return false }
      return zip(resource.vary, zip(values, resource.nominated(in: view.fields))).allSatisfy { name, pair in
        pair.0 == pair.1 || (!isStrict && !HistoryResource.isSensitive(name))
      }
    }
  }

  /// Section 4.4: what was sent before a change is not used by requests that begin when the change is known.
  private func isKnown(_ emission: HistoryEmission, at began: Int) -> Bool {
    !changes.contains {
      $0.resource == emission.request.resource && emission.sequence < $0.made && $0.known < began
    }
  }

  /// Section 4.2.3, from below.
  private func age(_ emission: HistoryEmission, at time: Double) -> Int {
    let resource = resources[emission.request.resource]
    return Int(time - emission.time) + max(resource.delay, resource.age ?? 0)
  }

  /// Section 4.2.1 and 4.2.2.
  private func lifetime(_ emission: HistoryEmission) -> Int {
    let (policy, resource) = (policy(of: emission), resources[emission.request.resource])
    if isShared, let lifetime = policy.sMaxAge { return lifetime }
    if let lifetime = policy.maxAge ?? policy.expires { return max(0, lifetime) }
    guard resource.hasDates else { return 0 }
    let date = emission.time - Double(resource.delay)
    return Int(min((date - HistoryOrigin.change(of: emission.mark)) / 10, 86400))
  }

  /// Whether an answer of the origin allows to use the response that it was about without another question.
  private func allows(_ emission: HistoryEmission, _ delivery: HistoryDelivery, hasFailed: Bool) -> Bool {
    let (policy, demands) = (policy(of: emission), delivery.request.demands)
    let mode = delivery.request.mode
    let age = age(emission, at: delivery.time)
    let lifetime = lifetime(emission)
    // Age never tells less than the truth.
    if let told = delivery.fields["age"].flatMap({ Int($0) }), told < age { return false }
    if mode == .forceCache || mode == .onlyIfCached { return true }
    if policy.isNoCache || demands.isNoCache { return false }
    let isFresh = lifetime > age
    if mode == .noCache, !(isFresh && policy.isImmutable) { return false }
    let maySoften = !policy.forbidsStale(isShared: isShared)
    if hasFailed, maySoften || isFresh,
      let limit = [policy.staleIfError, demands.staleIfError].compactMap(\.self).max(),
      age - lifetime <= limit
    {
      return true
    }
    if let maxAge = demands.maxAge, maxAge == 0 ? !(isFresh && policy.isImmutable) : age > maxAge {
      return false
    }
    if let minFresh = demands.minFresh, lifetime - age < minFresh { return false }
    if isFresh { return true }
    guard maySoften else { return false }
    return [demands.maxStale, policy.staleWhileRevalidate].contains {
      $0.map { age - lifetime <= $0 } ?? false
    }
  }
}
