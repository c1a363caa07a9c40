import HTTPTypes
import StagecoachCore
import StagecoachStages

extension CacheRun {
  /// Stores a response while it is read, as far as the rules allow.
  ///
  /// - Returns: Whether it is being stored.
  func keep(_ response: inout Response, _ sending: Sending, _ times: Times) async -> Bool {
    let flight = sending.flight
    guard var (stored, writer) = await storable(response, sending, times) else {
      if flight != nil { cache.flights.sendAlone(key, from: request.clock.now) }
      leave(sending, .alone)
      return false
    }
    request.emit(CacheEvent.storing)
    let length = stored.declaredLength
    var isCombined = false
    if let length, let combining = await combining(stored, writer, sending, length) {
      writer = combining
      stored = combining.response
      isCombined = true
    }
    let tape = EntryTape(
      writer,
      cache.store,
      rules,
      stored,
      expected: length,
      // Parts are those of responses to GET (RFC 9111 3.3).
      keepsBeginnings: !isCombined && request.method == .get,
      request
    ) { [cache, key] in
      guard let flight else { return }
      cache.flights.end(flight, key)
      // The entry holds the tape, which holds the flight.
      flight.landed = nil
    }
    let shared = SharedResponse(response, limit: 1 << 20, tape: tape)
    guard let body = shared.body, let first = body.join() else {
      await tape.finish()
      leave(sending, isFresh(stored) && tape.isKept ? .again : .alone)
      return true
    }
    share(SharedEntry(response: stored, shared: shared), flight)
    let request = request
    response.body =
      shared.response(for: request, reader: first, next: next, isFirst: true) { bytes in
        request.emit(CacheEvent.cutLoose(after: bytes))
      }.body
    return true
  }

  /// Returns a writer that puts a part together with a stored one; `nil` if there is none that it belongs to.
  private func combining(
    _ part: CachedResponse,
    _ writer: any CacheWriter,
    _ sending: Sending,
    _ length: Int64
  ) async -> CombiningWriter? {
    guard part.part != nil else { return nil }
    for entry in rules.matching(sending.entries, request.head, conceal: conceal.callAsFunction) {
      guard let combination = rules.combined(entry, with: part, length: length),
        let content = await cache.store.call({ request.emit($0) }, { try await $0.content(of: entry) }) ?? nil
      else { continue }
      return CombiningWriter(writer, combination, content)
    }
    return nil
  }

  /// Gives the response to those who wait, if they need not ask themselves.
  private func share(_ entry: SharedEntry, _ flight: CacheFlight?) {
    guard let flight else { return }
    guard isFresh(entry.response) else {
      cache.flights.sendAlone(key, from: request.clock.now)
      cache.flights.end(flight, key)
      for waiter in flight.waiting.land() { waiter.end(with: .success(.alone)) }
      return
    }
    cache.flights.note(entry.response, of: flight, key)
    flight.landed = entry
    let waiters = flight.waiting.land()
    // All have their places before the first one reads.
    let readers = waiters.map { ($0, entry.shared.body?.join()) }
    for (waiter, reader) in readers {
      let landing = reader.map { CacheLanding.response(entry, reader: $0) } ?? .again
      // One that was cancelled meanwhile does not read.
      if !waiter.end(with: .success(landing)), let reader { entry.shared.body?.leave(reader) }
    }
    if !waiters.isEmpty { request.emit(CacheEvent.shared(with: waiters.count)) }
  }

  /// Whether a response can be used without a question to the origin.
  func isFresh(_ response: CachedResponse) -> Bool {
    let policy = rules.policy(of: response.head.headerFields)
    return !policy.control.isNoCache
      && rules.lifetime(of: response, policy) > rules.age(of: response, at: request.clock.date)
  }

  /// Returns the head as it may be stored.
  ///
  /// - Parameter beginning: The stored part of which the rest was asked for.
  func judge(
    _ head: HTTPResponse,
    _ times: Times,
    asking beginning: CacheEntry? = nil
  ) -> Result<CachedResponse, StorageRefusal> {
    var asked = request.head
    if let beginning { asked.headerFields[.range] = "bytes=\(beginning.length)-" }
    return rules.storable(
      head,
      to: asked,
      sentAt: times.sentAt,
      receivedAt: times.receivedAt,
      conceal: conceal.callAsFunction
    )
  }

  /// The head to store, and what writes it; `nil` if the response is not stored.
  private func storable(
    _ response: Response,
    _ sending: Sending,
    _ times: Times
  ) async -> (CachedResponse, any CacheWriter)? {
    guard let generation = sending.generation else { return nil }
    let stored: CachedResponse
    switch judge(response.head, times) {
    case .failure(let reason):
      request.emit(CacheEvent.notStored(reason: reason.rawValue))
      return nil
    case .success(let plain):
      guard let head = request.headToStore(response.head) else {
        request.emit(CacheEvent.notStored(reason: "a hook refused"))
        return nil
      }
      if head == response.head {
        stored = plain
      } else {
        guard case .success(let changed) = judge(head, times) else {
          request.emit(CacheEvent.notStored(reason: "the head that a hook has made may not be stored"))
          return nil
        }
        stored = changed
      }
    }
    if stored.part != nil, let tag = stored.strongTag,
      sending.entries.contains(where: { entry in
        entry.response.part == nil && entry.response.vary == stored.vary
          && entry.response.strongTag?.isStronglyEqual(to: tag) == true
      })
    {
      request.emit(CacheEvent.notStored(reason: "all of it is stored"))
      return nil
    }
    let writer = await cache.store.call({ request.emit($0) }) { [key] in
      try await $0.makeWriter(for: key, stored, generation: generation)
    }
    return writer.map { (stored, $0) }
  }
}
