import HTTPTypes
public import StagecoachCore
import Synchronization

/// A stage that limits the number of requests in flight, in total and for each origin; the others wait.
///
/// A request is in flight until the body of its response has ended: read, failed, cancelled or dropped. A response
/// that is kept without being read therefore keeps its slot.
///
/// ```swift
/// var pipeline = Pipeline.standard(over: transport)
/// pipeline.append(ConcurrencyLimit(perClient: 32, perOrigin: 4))
/// var request = Request.get("http://example.com/film")
/// request.options.priority = .high
/// request.options.poolTimeout = .seconds(5)
/// ```
///
/// Waiting requests are served round-robin across origins, first in first out within an origin. Requests with a higher
/// `options.priority` are served first; each second of waiting raises a request by one priority, so that no request
/// waits forever. A cancelled request leaves the queue immediately.
///
/// Place it next to the transport, below retry, so that no slot is held while a retry waits.
///
/// Each instance counts separately: share one between pipelines to limit them together.
public final class ConcurrencyLimit: Middleware {
  private struct Queue {
    var slots: SlotQueue
    var waiters: [SlotQueue.Ticket: Waiter<Void>] = [:]

    mutating func grant(at now: ContinuousClock.Instant) -> Waiter<Void>? {
      slots.grant(at: now).flatMap { waiters.removeValue(forKey: $0) }
    }
  }

  private let perClient: Int
  private let perMultiplexedOrigin: Int
  private let queueLimit: Int
  private let queue: Mutex<Queue>

  /// Creates a limit.
  ///
  /// - Parameters:
  ///   - perClient: The maximum number of requests in flight; 64 by default, at least 1.
  ///   - perOrigin: The maximum number for each origin; 6 by default, at least 1.
  ///   - perMultiplexedOrigin: The maximum number for an origin that has answered over HTTP/2 or HTTP/3, which share
  ///     one connection; 100 by default. It applies until nothing is in flight to the origin.
  ///   - queueLimit: The maximum number of waiting requests, 1024 by default; more are refused with kind
  ///     `limit(.queue)`.
  public init(
    perClient: Int = 64,
    perOrigin: Int = 6,
    perMultiplexedOrigin: Int = 100,
    queueLimit: Int = 1024
  ) {
    self.perClient = max(1, perClient)
    self.perMultiplexedOrigin = max(1, perMultiplexedOrigin)
    self.queueLimit = max(0, queueLimit)
    let slots = SlotQueue(perClient: perClient, perOrigin: perOrigin, queueLimit: queueLimit)
    queue = Mutex(Queue(slots: slots))
  }

  /// The number of requests in flight.
  public var inFlight: Int { queue.withLock { $0.slots.inFlight } }

  /// The number of waiting requests.
  public var waiting: Int { queue.withLock { $0.slots.waiting } }

  /// Passes the request on as soon as it has a slot.
  ///
  /// - Throws: `ExchangeError` of kind `timeout(.pool)` after `options.poolTimeout`, of kind `limit(.queue)` if too
  ///   many requests are waiting; `CancellationError`.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    let key = TargetURI.Origin(request.head)
    if !queue.withLock({ $0.slots.acquire(key) }) { try await wait(for: key, request) }
    do {
      var response = try await next(request)
      hold(key, until: &response, request)
      return response
    } catch {
      release(key, request)
      throw error
    }
  }

  // These functions are not inlined into `handle`: its frame lives as long as its request.

  @inline(never)
  private func hold(_ key: TargetURI.Origin?, until response: inout Response, _ request: Request) {
    if let version = response.version, version.major >= 2 { widen(key, request) }
    let time = request.exchange?.clock
    response.body.onEnd { _ in self.release(key, time) }
  }

  @inline(never)
  private func release(_ key: TargetURI.Origin?, _ request: Request) {
    release(key, request.exchange?.clock)
  }

  private func release(_ key: TargetURI.Origin?, _ time: (any TimeSource)?) {
    // One slot was released, so at most one waiting request can have it.
    let next = queue.withLock { queue in
      queue.slots.release(key)
      // The clock is read only if requests are waiting.
      return queue.slots.waiting > 0 ? queue.grant(at: time?.now ?? .now) : nil
    }
    next?.end()
  }

  @inline(never)
  private func widen(_ key: TargetURI.Origin?, _ request: Request) {
    let now = request.exchange?.clock.now ?? .now
    let granted = queue.withLock { queue in
      queue.slots.setLimit(perMultiplexedOrigin, of: key)
      var granted: [Waiter<Void>] = []
      while let next = queue.grant(at: now) { granted.append(next) }
      return granted
    }
    for waiter in granted { waiter.end() }
  }

  @inline(never)
  private func wait(for key: TargetURI.Origin?, _ request: Request) async throws {
    enum Outcome { case started, waits(SlotQueue.Ticket, position: Int), full }
    let time = request.clock
    let start = time.now
    let priority = request.options.priority
    let waiter = Waiter<Void>()
    // A slot may have come free meanwhile.
    let outcome = queue.withLock { queue -> Outcome in
      if queue.slots.acquire(key) { return .started }
      guard let ticket = queue.slots.enqueue(key, priority, at: start) else { return .full }
      queue.waiters[ticket] = waiter
      return .waits(ticket, position: queue.slots.waiting)
    }
    do {
      switch outcome {
      case .started: break
      case .full: throw full
      case .waits(let ticket, let position):
        request.emit(ConcurrencyEvent.queued(position: position, priority: priority))
        let timer = request.options.poolTimeout.map { limit in
          time.timer(at: start.advanced(by: limit)) {
            if waiter.end(with: .failure(self.expired(key, after: limit))) { self.leave(ticket, key, time) }
          }
        }
        defer { timer?.cancel() }
        try await waiter.value { leave(ticket, key, time) }
      }
    } catch {
      let kind = (error as? ExchangeError)?.kind
      request.emit(kind.map(ConcurrencyEvent.refused) ?? .abandoned)
      throw error
    }
    request.emit(ConcurrencyEvent.started(after: time.now - start))
  }

  /// Leaves the queue, or gives back the slot that the waiter got when it had left already.
  private func leave(_ ticket: SlotQueue.Ticket, _ key: TargetURI.Origin?, _ time: any TimeSource) {
    let wasWaiting = queue.withLock { queue in
      queue.waiters[ticket] = nil
      return queue.slots.remove(ticket)
    }
    if !wasWaiting { release(key, time) }
  }

  private func expired(_ key: TargetURI.Origin?, after limit: Duration) -> ExchangeError {
    let (use, inFlight) = queue.withLock { ($0.slots.use(of: key), $0.slots.inFlight) }
    var error = ExchangeError.timeout(.pool, after: limit)
    error.message =
      "no slot was available within \(Format.duration(limit)): \(use.inFlight) of \(use.limit) "
      + "requests in flight to \(key?.description ?? "no origin"), \(inFlight) of \(perClient) in total"
    error.advice =
      "read or cancel the bodies of earlier responses, raise options.poolTimeout, or raise the limit"
    error.requestMayHaveBeenSent = false
    return error
  }

  private var full: ExchangeError {
    var error = ExchangeError.limit(
      .queue,
      "too many requests are waiting for a slot (limit \(queueLimit))",
      advice: "send fewer requests at the same time, or raise the queueLimit of ConcurrencyLimit",
      limit: ("queueLimit", "\(queueLimit) requests")
    )
    error.requestMayHaveBeenSent = false
    return error
  }
}
