import HTTPTypes
import StagecoachCore
import StagecoachStages

extension HTTPField.Name {
  /// RFC 9211.
  static let cacheStatus = Self("Cache-Status")!
}

extension Response {
  /// Tells how the cache handled the request, after what caches below have told.
  mutating func note(_ status: CacheStatus) {
    fields.append(HTTPField(name: .cacheStatus, value: status.description))
  }
}

extension CacheStatus {
  /// The answer where the origin must not or cannot be asked.
  static func gatewayTimeout(detail: String) -> Response {
    let status = CacheStatus(detail: detail)
    return Response(
      head: HTTPResponse(status: .gatewayTimeout, headerFields: [.cacheStatus: status.description]),
      source: .cache
    )
  }
}

/// One GET or HEAD request on its way through the cache.
struct CacheRun: Sendable {
  let cache: Cache
  let request: Request
  let next: Next
  let key: CacheKey
  let conceal: Concealment

  init(_ cache: Cache, _ request: Request, _ next: Next, _ key: CacheKey, _ conceal: Concealment) {
    self.cache = cache
    self.request = request
    self.next = next
    self.key = key
    self.conceal = conceal
  }

  var rules: CacheRules { cache.rules }
  private var mode: CacheMode { request.options.cacheMode }

  func run() async throws -> Response {
    var mayWait = true
    // Of all waits together, whatever becomes of those that are waited for.
    var waitEnd: ContinuousClock.Instant?
    while true {
      let endedCount = cache.flights.endedCount
      let lookup = await lookUp()
      let step = await decide(lookup)
      switch step {
      case .answer(let response): return response
      case .send(var sending):
        guard mayWait, isCollapsible, let generation = sending.generation else {
          return try await send(sending)
        }
        let names = Set(sending.entries.flatMap { $0.response.vary.map(\.name) }).sorted()
        let boarding = cache.flights.board(
          key,
          names: names,
          generation: generation,
          since: endedCount,
          at: request.clock.now,
          values: nominated
        )
        switch boarding {
        case .again: continue
        case .alone: return try await send(sending)
        case .lead(let flight):
          sending.flight = flight
          return try await send(sending)
        case .wait(let flight):
          let end = waitEnd ?? request.clock.now.advanced(by: SharedBody.patience)
          waitEnd = end
          switch try await wait(for: flight, until: end) {
          case .response(let entry, let reader):
            if let response = joined(entry, reader, until: end) { return response }
          case .again: await Task.yield()
          case .alone: mayWait = false
          case .late:
            mayWait = false
            // Later requests need not wait for it.
            cache.flights.abandon(flight, key)
            request.emit(CacheEvent.miss(reason: "an equal request got no response in time"))
          }
        }
      }
    }
  }

  /// The state of a request that is sent.
  struct Sending {
    /// The fields that are sent.
    var fields: HTTPFields
    /// The stored responses that the origin is asked about.
    var candidates: [CacheEntry] = []
    /// A stored beginning, of which the rest is asked for.
    var beginning: CacheEntry?
    var reason: ForwardReason
    /// The generation of the look-up; `nil` if it failed, so that nothing is stored.
    let generation: UInt64?
    /// All stored responses of the key.
    let entries: [CacheEntry]
    /// The flight that others wait for.
    var flight: CacheFlight?
    /// Whether nobody reads the response, so that it is only of use if it is stored.
    var isInBackground = false

    /// Asks for the whole response, without our conditions.
    mutating func ask(for fields: HTTPFields) {
      self.fields = fields
      candidates = []
      beginning = nil
    }
  }

  private enum Step {
    case answer(Response)
    case send(Sending)
  }

  // MARK: Deciding

  /// Finds what is stored; `nil` if the store does not answer.
  func lookUp() async -> CacheLookup? {
    await cache.store.call({ request.emit($0) }) { [key, lost = cache.lostInvalidations] store in
      let loss = lost.loss(of: key.url)
      if let number = loss.number {
        try await store.invalidate(url: key.url)
        lost.remove(key.url, number)
      }
      var lookup = try await store.lookUp(key)
      if let floor = loss.floor { lookup.entries.removeAll { $0.response.responseTime <= floor } }
      return lookup
    }
  }

  private func decide(_ lookup: CacheLookup?) async -> Step {
    var entries = lookup?.entries ?? []
    var mode = mode
    if request.attempt > 1, mode == .default {
      // The failure that the attempt before has stored would only be returned again.
      entries.removeAll { $0.response.head.status.code >= 400 }
    }
    while true {
      let verdict = rules.verdict(
        for: request.head,
        among: entries,
        mode: mode,
        at: request.clock.date,
        conceal: conceal.callAsFunction
      )
      func sending(_ fields: HTTPFields, _ reason: ForwardReason) -> Sending {
        Sending(fields: fields, reason: reason, generation: lookup?.generation, entries: entries)
      }
      switch verdict {
      case .serve(let entry, let serving):
        if serving.revalidates, !startRevalidation(of: entries, lookup?.generation) {
          // Nobody could validate it later.
          mode = .noCache
          continue
        }
        if let response = await answer(entry, serving, source: serving.isStale ? .stale : .cache) {
          tell(serving)
          return .answer(response)
        }
        entries.removeAll { $0.id == entry.id }
      case .unavailable:
        request.emit(CacheEvent.miss(reason: "only a stored response was wanted"))
        return .answer(CacheStatus.gatewayTimeout(detail: "only-if-cached"))
      case .forward(let fields, let reason):
        request.emit(CacheEvent.miss(reason: reason.text))
        return .send(sending(fields, reason))
      case .validate(let fields, let candidates, let reason):
        request.emit(CacheEvent.validating(reason: reason.text))
        var sending = sending(fields, reason)
        sending.candidates = candidates
        return .send(sending)
      case .complete(let fields, let beginning):
        request.emit(CacheEvent.validating(reason: "a part is stored"))
        var sending = sending(fields, .partial)
        sending.beginning = beginning
        return .send(sending)
      }
    }
  }

  private func tell(_ serving: Serving) {
    let event: CacheEvent =
      serving.revalidates
      ? .revalidating(age: serving.age, lifetime: serving.lifetime)
      : .hit(age: serving.age, lifetime: serving.lifetime)
    request.emit(event)
  }

  // MARK: Answering

  /// Returns a stored response; `nil` if its content is gone.
  func answer(
    _ entry: CacheEntry,
    _ serving: Serving,
    source: Response.Source,
    status: CacheStatus? = nil
  ) async -> Response? {
    guard let body = await body(of: entry, serving) else { return nil }
    var response = Response(head: rules.head(of: entry.response, serving), body: body, source: source)
    let hit = CacheStatus(isHit: true, ttl: serving.lifetime - serving.age)
    response.note(status ?? hit)
    return response
  }

  private func body(of entry: CacheEntry, _ serving: Serving) async -> Response.Body? {
    let start = entry.response.part?.start ?? 0
    let range: Range<Int64>
    switch serving.content {
    case .whole: range = 0..<entry.length
    case .part(let part, _):
      guard part.lowerBound >= start, part.upperBound <= start + entry.length else { return nil }
      range = (part.lowerBound - start)..<(part.upperBound - start)
    case .notModified, .unsatisfiable: return .empty
    }
    guard request.method != .head, !range.isEmpty else { return .empty }
    let found = await cache.store.call({ request.emit($0) }) { store -> (any CacheContent, Bytes?)? in
      guard let content = try await store.content(of: entry) else { return nil }
      guard range.count <= EntryBody.chunk else { return (content, nil) }
      // Small content is read now, so that it is known to be there.
      let bytes = try await content.read(at: range.lowerBound, upTo: range.count)
      return (content, bytes.count == range.count ? bytes : nil)
    }
    guard let (content, bytes) = found ?? nil else { return nil }
    if let bytes { return .bytes(bytes) }
    return Response.Body(source: EntryBody(content, range), length: Int64(range.count))
  }

  // MARK: Waiting for another request

  private var isCollapsible: Bool {
    guard request.method == .get, mode == .default, request.options.coalesces else { return false }
    for field in request.fields {
      switch field.name {
      case .range, .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange, .cacheControl,
        .pragma:
        return false
      default: break
      }
    }
    return true
  }

  private func nominated(_ names: [String]) -> [CachedResponse.Nominated]? {
    rules.nominated(names, request.head, conceal: conceal.callAsFunction)
  }

  private func wait(
    for flight: CacheFlight,
    until end: ContinuousClock.Instant
  ) async throws -> CacheLanding {
    func join(_ entry: SharedEntry) -> CacheLanding {
      guard nominated(entry.response.vary.map(\.name)) == entry.response.vary else { return .again }
      // It may have become stale while it arrives.
      guard isFresh(entry.response) else { return .alone }
      return entry.shared.body?.join().map { .response(entry, reader: $0) } ?? .again
    }
    if let landed = flight.landed {
      let landing = join(landed)
      if case .response = landing { request.emit(CacheEvent.joined) }
      return landing
    }
    let patience = Flight<CacheLanding>.Patience(until: end, on: request.clock, then: .late)
    if let landing = try await flight.waiting.join(within: patience, { request.emit(CacheEvent.joined) }) {
      return landing
    }
    return flight.landed.map(join) ?? .again
  }

  /// The response that another request is receiving; `nil` if it is not for this one.
  ///
  /// - Parameter end: How long this one waits for all of the body, where it must.
  private func joined(
    _ entry: SharedEntry,
    _ reader: Int,
    until end: ContinuousClock.Instant
  ) -> Response? {
    guard nominated(entry.response.vary.map(\.name)) == entry.response.vary else {
      entry.shared.body?.leave(reader)
      return nil
    }
    let now = request.clock.date
    let (age, lifetime) = (rules.age(of: entry.response, at: now), rules.lifetime(of: entry.response))
    let (cache, key) = (cache, key)
    var response = entry.shared.response(
      for: request,
      reader: reader,
      next: next,
      isFirst: false,
      waitEnd: end
    ) { bytes in
      request.emit(CacheEvent.cutLoose(after: bytes))
      // Later ones would be cut loose as well.
      if bytes == 0 { cache.flights.sendAlone(key, from: request.clock.now) }
    }
    let serving = Serving(age: age, lifetime: lifetime, isStale: false, revalidates: false, content: .whole)
    response.head = rules.head(of: entry.response, serving)
    response.source = .cache
    response.history = []
    response.note(CacheStatus(forward: .miss, ttl: lifetime - age, isCollapsed: true))
    return response
  }
}
