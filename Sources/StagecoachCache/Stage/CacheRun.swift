import HTTPTypes
import StagecoachCore
import StagecoachStages

extension HTTPField.Name {
  /// RFC 9211.
  static let cacheStatus = Self("Cache-Status")!
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
    while true {
      let lookup = await cache.store.call(failed) { [key] in try await $0.lookUp(key) }
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
          at: request.clock.now,
          values: nominated
        )
        switch boarding {
        case .alone: return try await send(sending)
        case .lead(let flight):
          sending.flight = flight
          return try await send(sending)
        case .wait(let flight):
          switch try await wait(for: flight) {
          case .response(let entry, let reader):
            if let response = joined(entry, reader) { return response }
          case .again: await Task.yield()
          case .alone: mayWait = false
          }
        }
      }
    }
  }

  /// What is known of a request that is sent.
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

  func failed(_ reason: String) { request.emit(CacheEvent.storeFailed(reason: reason)) }

  private func decide(_ lookup: CacheLookup?) async -> Step {
    var entries = lookup?.entries ?? []
    var mode = mode
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
        request.emit(CacheEvent.miss(reason: reason.rawValue))
        return .send(sending(fields, reason))
      case .validate(let fields, let candidates, let reason):
        request.emit(CacheEvent.validating(reason: reason.rawValue))
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
    response.fields.append(HTTPField(name: .cacheStatus, value: (status ?? hit).description))
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
    let found = await cache.store.call(failed) { store -> (any CacheContent, Bytes?)? in
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

  func nominated(_ names: [String]) -> [CachedResponse.Nominated] {
    names.map { name in
      guard case .value(let value) = NominatedValue(of: name, in: request.fields) else {
        return CachedResponse.Nominated(name: name, value: nil)
      }
      return CachedResponse.Nominated(name: name, value: conceal(name, value) ?? value)
    }
  }

  private func wait(for flight: CacheFlight) async throws -> CacheLanding {
    func join(_ entry: SharedEntry) -> CacheLanding {
      guard nominated(entry.response.vary.map(\.name)) == entry.response.vary else { return .again }
      // It may have become stale while it arrives.
      guard isFresh(entry.response) else { return .alone }
      return entry.shared.body?.join().map { .response(entry, reader: $0) } ?? .again
    }
    if let landed = flight.landed { return join(landed) }
    if let landing = try await flight.waiting.join({ request.emit(CacheEvent.joined) }) { return landing }
    return flight.landed.map(join) ?? .again
  }

  /// The response that another request is receiving; `nil` if it is not for this one.
  private func joined(_ entry: SharedEntry, _ reader: Int) -> Response? {
    guard nominated(entry.response.vary.map(\.name)) == entry.response.vary else {
      entry.shared.body?.leave(reader)
      return nil
    }
    let now = request.clock.date
    let (age, lifetime) = (rules.age(of: entry.response, at: now), rules.lifetime(of: entry.response))
    var response = entry.shared.response(for: request, reader: reader, next: next, isFirst: false) { bytes in
      request.emit(CacheEvent.cutLoose(after: bytes))
    }
    let serving = Serving(age: age, lifetime: lifetime, isStale: false, revalidates: false, content: .whole)
    response.head = rules.head(of: entry.response, serving)
    response.source = .cache
    response.history = []
    let status = CacheStatus(isHit: false, forward: .miss, ttl: lifetime - age, isCollapsed: true)
    response.fields.append(HTTPField(name: .cacheStatus, value: status.description))
    return response
  }

  // MARK: Validating in the background

  /// Starts to validate a stale response that is used.
  ///
  /// - Returns: `false` if there is no client that the validation could belong to.
  private func startRevalidation(of entries: [CacheEntry], _ generation: UInt64?) -> Bool {
    guard let background = request.exchange?.background else { return false }
    guard cache.revalidations.begin(key) else { return true }
    let verdict = rules.verdict(
      for: request.head,
      among: entries,
      mode: .noCache,
      at: request.clock.date,
      conceal: conceal.callAsFunction
    )
    guard case .validate(let fields, let candidates, let reason) = verdict else {
      cache.revalidations.end(key)
      return false
    }
    let sending = Sending(
      fields: fields,
      candidates: candidates,
      reason: reason,
      generation: generation,
      entries: entries
    )
    let isRunning = background.run {
      defer { cache.revalidations.end(key) }
      // A failure leaves the entry as it is.
      guard let response = try? await send(sending) else { return }
      do { for try await _ in response.body {} } catch {}
    }
    if !isRunning { cache.revalidations.end(key) }
    return isRunning
  }
}
