import HTTPTypes
import StagecoachCore
import StagecoachStages
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CacheRun {
  /// Sends the request, and answers with what comes: the response, or a stored one that it confirms or stands in for.
  func send(_ sending: Sending) async throws -> Response {
    var sending = sending
    while true {
      var outgoing = request
      outgoing.fields = sending.fields
      let sentAt = request.clock.date
      var response: Response
      do {
        response = try await next(outgoing)
      } catch {
        return try await answer(to: error, sending)
      }
      let times = Times(sentAt: sentAt, receivedAt: request.clock.date)
      // What another cache below has answered is not ours to judge.
      guard response.source == .network else {
        leave(sending, .alone)
        return response
      }
      let status = response.status
      switch status.code {
      case 304 where !sending.candidates.isEmpty:
        switch await validated(by: response, sending, times) {
        case .answer(let stored): return stored
        case .pass:
          leave(sending, .alone)
          return marked(response, sending, status, isStored: false)
        case .again:
          request.emit(CacheEvent.miss(reason: "the 304 does not name a stored response"))
          sending.ask(for: request.fields)
          continue
        }
      case 206, 416:
        guard let beginning = sending.beginning else { break }
        guard await completes(&response, beginning, times) else {
          // The caller has not asked for a part.
          response.body.cancel()
          sending.ask(for: request.fields)
          continue
        }
      case 500, 502, 503, 504:
        if case .serve(let entry, let serving) = staleAnswer(sending, after: .status(response.status)),
          let stale = await stale(entry, serving, sending, instead: "status \(response.status.code)")
        {
          await response.body.discard()
          return stale
        }
      default: break
      }
      if request.method == .head {
        await freshen(by: response, sending, times)
        leave(sending, .alone)
        return marked(response, sending, status, isStored: false)
      }
      let isStored = await keep(&response, sending, times)
      if sending.isInBackground, !isStored { response.body.cancel() }
      return marked(response, sending, status, isStored: isStored)
    }
  }

  /// When a request was sent, and when the head of its response came.
  struct Times {
    let sentAt: Date
    let receivedAt: Date
  }

  /// Ends a flight whose response is not for those who wait.
  func leave(_ sending: Sending, _ landing: CacheLanding) {
    guard let flight = sending.flight else { return }
    cache.flights.end(flight, key)
    for waiter in flight.waiting.land() { waiter.end(with: .success(landing)) }
  }

  /// - Parameter status: The status that came, which is 206 where a stored beginning was completed.
  private func marked(
    _ response: Response,
    _ sending: Sending,
    _ status: HTTPResponse.Status,
    isStored: Bool
  ) -> Response {
    var response = response
    response.note(CacheStatus(forward: sending.reason, forwardStatus: status.code, isStored: isStored))
    return response
  }

  // MARK: Failures

  private func answer(to error: any Error, _ sending: Sending) async throws -> Response {
    if error is CancellationError || Task.isCancelled {
      leave(sending, .again)
      throw error
    }
    guard let failure = error as? ExchangeError, failure.isOfNetwork else {
      leave(sending, .alone)
      throw error
    }
    switch staleAnswer(sending, after: .unreachable) {
    case .serve(let entry, let serving):
      if let stale = await stale(entry, serving, sending, instead: "\(failure.kind)") { return stale }
    case .gatewayTimeout where rules.isShared:
      leave(sending, .alone)
      return CacheStatus.gatewayTimeout(detail: "\(failure.kind)")
    // The caller of a private cache gets the error itself, which says more than a 504, and which `Retry` repeats.
    case .gatewayTimeout, .pass: break
    }
    leave(sending, .alone)
    throw error
  }

  private func staleAnswer(_ sending: Sending, after failure: OriginFailure) -> StaleAnswer {
    rules.staleAnswer(
      among: sending.entries,
      for: request.head,
      after: failure,
      mode: request.options.cacheMode,
      at: request.clock.date,
      conceal: conceal.callAsFunction
    )
  }

  private func stale(
    _ entry: CacheEntry,
    _ serving: Serving,
    _ sending: Sending,
    instead failure: String
  ) async -> Response? {
    let status = CacheStatus(isHit: true, ttl: serving.lifetime - serving.age, detail: failure)
    guard let response = await answer(entry, serving, source: .stale, status: status) else { return nil }
    leave(sending, .alone)
    request.emit(CacheEvent.stale(age: serving.age, lifetime: serving.lifetime, instead: failure))
    return response
  }

  // MARK: Validation

  private enum Validated {
    case answer(Response)
    /// The 304 is the answer to the caller's own conditions.
    case pass
    /// The 304 is about nothing that is stored.
    case again
  }

  private func validated(by response: Response, _ sending: Sending, _ times: Times) async -> Validated {
    let freshening = rules.freshen(
      sending.candidates,
      by: response.head,
      request: request.head,
      sentAt: times.sentAt,
      receivedAt: times.receivedAt,
      conceal: conceal.callAsFunction
    )
    // Opened before it may be removed.
    var stored: Response?
    if case .serve(let entry, let serving) = freshening.answer {
      let status = CacheStatus(
        isHit: false,
        forward: sending.reason,
        forwardStatus: 304,
        ttl: serving.lifetime - serving.age,
        isStored: freshening.removals.isEmpty
      )
      stored = await answer(entry, serving, source: .validated, status: status)
    }
    let isUpdated = await apply(freshening)
    switch (freshening.answer, stored) {
    case (.pass, _): return .pass
    case (_, var stored?):
      setCookies(of: response.fields, in: &stored)
      stored.connection = response.connection
      stored.version = response.version
      stored.history = response.history
      request.emit(CacheEvent.validated)
      if case .serve(let entry, _) = freshening.answer {
        // Others can use it as it is now, unless each has to ask, or it is stored for other fields.
        leave(sending, isFresh(entry.response) && isUpdated ? .again : .alone)
      }
      return .answer(stored)
    default: return .again
    }
  }

  /// Sets the cookies of an answer about a stored response, whose own were set long ago; a shared cache stores none.
  private func setCookies(of fields: HTTPFields, in stored: inout Response) {
    let cookies: [HTTPField] = fields.filter { $0.name == .setCookie }
    stored[note: Cookies.newCookies] = cookies
    if rules.isShared { for field in cookies { stored.fields.append(field) } }
  }

  private func freshen(by response: Response, _ sending: Sending, _ times: Times) async {
    guard !sending.entries.isEmpty else { return }
    _ = await apply(
      rules.freshen(
        sending.entries,
        byHead: response.head,
        request: request.head,
        sentAt: times.sentAt,
        receivedAt: times.receivedAt,
        conceal: conceal.callAsFunction
      )
    )
  }

  /// - Returns: Whether there are updates, and the store has all of them.
  private func apply(_ freshening: Freshening) async -> Bool {
    var isUpdated = !freshening.updates.isEmpty
    for (entry, head) in freshening.updates {
      let updated: Void? = await cache.store.call({ request.emit($0) }) { [key] in
        try await $0.update(entry, of: key, to: head)
      }
      if updated == nil { isUpdated = false }
    }
    for entry in freshening.removals {
      _ = await cache.store.call({ request.emit($0) }) { [key] in try await $0.remove(entry, of: key) }
    }
    return isUpdated
  }

  /// Puts a stored beginning in front of the rest that came.
  ///
  /// - Returns: `false` if they do not belong together.
  private func completes(_ response: inout Response, _ beginning: CacheEntry, _ times: Times) async -> Bool {
    guard case .success(let part) = judge(response.head, times, asking: beginning),
      let whole = beginning.response.part,
      let combination = rules.combined(beginning, with: part, length: whole.total - beginning.length),
      combination.pieces == [.stored(0..<beginning.length), .new(0..<(whole.total - beginning.length))],
      let content = await cache.store.call({ request.emit($0) }, { try await $0.content(of: beginning) })
        ?? nil
    else { return false }
    let fields = response.fields
    response.head = combination.response.head
    setCookies(of: fields, in: &response)
    let source = JoinedBody(
      EntryBody(content, 0..<beginning.length),
      BodyReader(response.body),
      length: whole.total - beginning.length
    )
    response.body = Response.Body(transforming: source, length: beginning.response.part?.total)
    return true
  }
}

extension ExchangeError {
  /// Whether the origin could not be reached: a stale response may stand in for it (RFC 5861 4). What was refused for
  /// safety is not among it.
  fileprivate var isOfNetwork: Bool {
    switch kind {
    case .nameResolution, .connectionRefused, .connectionFailed, .proxyRefused, .connectionReset, .timeout:
      true
    default: false
    }
  }
}

/// A stored beginning, and the rest of it.
private final class JoinedBody: BodySource {
  private let first: EntryBody
  private let second: BodyReader
  /// The number of bytes of the rest that are yet to come.
  private let missing: Atomic<Int64>

  init(_ first: EntryBody, _ second: BodyReader, length: Int64) {
    self.first = first
    self.second = second
    missing = Atomic(length)
  }

  func next() async throws -> Bytes? {
    if let chunk = try await first.next() { return chunk }
    let chunk = try await second.next()
    let rest = missing.subtract(Int64(chunk?.count ?? 0), ordering: .relaxed).newValue
    // Chunks may have another length than Content-Range says.
    guard chunk == nil ? rest == 0 : rest >= 0 else {
      throw ExchangeError(.incompleteBody, "the part is not as long as its Content-Range says")
    }
    return chunk
  }

  func cancel() {
    first.cancel()
    second.cancel()
  }
}
