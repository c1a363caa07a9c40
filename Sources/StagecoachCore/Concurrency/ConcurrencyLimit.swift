import HTTPTypes
import Synchronization

/// The stage that bounds how many requests are in flight, in all and to each origin; the others wait.
///
/// A request is in flight until the body of its response has ended: read, failed, cancelled or dropped. A
/// response that is held and not read therefore keeps its slot.
///
/// ```swift
/// var pipeline = Pipeline.standard(over: transport)
/// pipeline.append(ConcurrencyLimit(perClient: 32, perOrigin: 4))
/// var request = Request.get("http://example.com/film")
/// request.options.priority = .high
/// request.options.poolTimeout = .seconds(5)
/// ```
///
/// Who waits is served fairly: origins take turns, and within an origin the first to come is the first to go. A
/// higher ``RequestOptions/priority`` goes first; each second of waiting raises a request by one priority, so
/// that nobody waits for ever. Whoever is cancelled leaves the queue at once.
///
/// Its place is next to the transport, below retry, so that no slot is held while a retry waits.
///
/// One instance has one count: share it between pipelines to bound them together.
public final class ConcurrencyLimit: Middleware {
  private typealias Queue = SlotQueue<CheckedContinuation<Void, any Error>>

  private let perClient: Int
  private let perMultiplexedOrigin: Int
  private let queueLimit: Int
  private let queue: Mutex<Queue>

  /// A limit.
  ///
  /// - Parameters:
  ///   - perClient: How many requests are in flight at most; 64 by default, at least 1.
  ///   - perOrigin: How many of them to one origin; 6 by default, at least 1.
  ///   - perMultiplexedOrigin: How many to an origin that has answered over HTTP/2 or HTTP/3, which carry
  ///     them on one connection; 100 by default. It holds until nothing is in flight to the origin.
  ///   - queueLimit: How many wait at most, 1024 by default; more are refused with kind `limit(.queue)`.
  public init(
    perClient: Int = 64,
    perOrigin: Int = 6,
    perMultiplexedOrigin: Int = 100,
    queueLimit: Int = 1024
  ) {
    self.perClient = max(1, perClient)
    self.perMultiplexedOrigin = max(1, perMultiplexedOrigin)
    self.queueLimit = max(0, queueLimit)
    queue = Mutex(Queue(perClient: perClient, perOrigin: perOrigin, queueLimit: queueLimit))
  }

  /// How many requests are in flight.
  public var inFlight: Int { queue.withLock { $0.inFlight } }

  /// How many requests wait.
  public var waiting: Int { queue.withLock { $0.waiting } }

  /// Passes the request on as soon as it has a slot.
  ///
  /// - Throws: ``ExchangeError`` of kind `timeout(.pool)` after ``RequestOptions/poolTimeout``, of kind
  ///   `limit(.queue)` if too many wait; `CancellationError`.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    let key = OriginKey(request.head)
    if !queue.withLock({ $0.acquire(key) }) { try await wait(for: key, request) }
    do {
      var response = try await next(request)
      hold(key, until: &response, request)
      return response
    } catch {
      release(key, request)
      throw error
    }
  }

  // What follows stays out of `handle`: every request in flight holds its frame.

  @inline(never)
  private func hold(_ key: OriginKey, until response: inout Response, _ request: Request) {
    if let version = response.version, version.major >= 2 { widen(key, request) }
    let time = request.exchange?.time
    response.body.onEnd { _ in self.release(key, time) }
  }

  @inline(never)
  private func release(_ key: OriginKey, _ request: Request) {
    release(key, request.exchange?.time)
  }

  private func release(_ key: OriginKey, _ time: (any TimeSource)?) {
    // One slot came free, so at most one of those who wait can have it.
    let next = queue.withLock { queue in
      queue.release(key)
      // The clock is read only where somebody waits.
      return queue.waiting > 0 ? queue.grant(at: time?.now ?? .now) : nil
    }
    next?.resume()
  }

  @inline(never)
  private func widen(_ key: OriginKey, _ request: Request) {
    let now = request.exchange?.time.now ?? .now
    let granted = queue.withLock { queue in
      queue.setLimit(perMultiplexedOrigin, of: key)
      var granted: [CheckedContinuation<Void, any Error>] = []
      while let next = queue.grant(at: now) { granted.append(next) }
      return granted
    }
    for continuation in granted { continuation.resume() }
  }

  /// A place in the queue, from the moment there is one.
  private final class Place: Sendable {
    let ticket = Mutex<Queue.Ticket?>(nil)
  }

  @inline(never)
  private func wait(for key: OriginKey, _ request: Request) async throws {
    let place = Place()
    let time = request.time
    let start = time.now
    do {
      try await withTaskCancellationHandler {
        var timer: Task<Void, Never>?
        defer { timer?.cancel() }
        try await withCheckedThrowingContinuation { continuation in
          timer = enter(key, request, place, continuation, time)
        }
      } onCancel: {
        remove(place)?.resume(throwing: CancellationError())
      }
    } catch {
      let kind = (error as? ExchangeError)?.kind
      request.emit(.concurrency(kind.map(ConcurrencyEvent.refused) ?? .abandoned))
      throw error
    }
    request.emit(.concurrency(.started(after: time.now - start)))
  }

  /// Joins the queue, or takes a slot that has come free meanwhile.
  ///
  /// - Returns: What ends the wait when it has lasted too long.
  private func enter(
    _ key: OriginKey,
    _ request: Request,
    _ place: Place,
    _ continuation: CheckedContinuation<Void, any Error>,
    _ time: any TimeSource
  ) -> Task<Void, Never>? {
    enum Outcome { case started, waits(Int), full }
    let priority = request.options.priority
    let now = time.now
    let outcome = queue.withLock { queue -> Outcome in
      if queue.acquire(key) { return .started }
      guard let ticket = queue.enqueue(continuation, key, priority, at: now) else { return .full }
      place.ticket.withLock { $0 = ticket }
      return .waits(queue.waiting)
    }
    switch outcome {
    case .started: continuation.resume()
    case .full: continuation.resume(throwing: full)
    case .waits(let position):
      request.emit(.concurrency(.queued(position: position, priority: priority)))
      // A task that was cancelled before it had a place has looked for one in vain.
      if Task.isCancelled { remove(place)?.resume(throwing: CancellationError()) }
      guard let limit = request.options.poolTimeout else { return nil }
      return Task {
        guard (try? await time.sleep(until: now.advanced(by: limit))) != nil else { return }
        self.expire(place, key, after: limit)
      }
    }
    return nil
  }

  /// Takes a place out of the queue; nil for who has a slot by now. Exactly one of this and `grant` has the
  /// continuation, and with it the right to say how the wait ended.
  private func remove(_ place: Place) -> CheckedContinuation<Void, any Error>? {
    queue.withLock { queue in
      place.ticket.withLock { $0 }.flatMap { queue.remove($0) }
    }
  }

  private func expire(_ place: Place, _ key: OriginKey, after limit: Duration) {
    guard let continuation = remove(place) else { return }
    let (use, inFlight) = queue.withLock { ($0.use(of: key), $0.inFlight) }
    var error = ExchangeError.timeout(.pool, after: limit)
    error.message =
      "no slot became free within \(Format.duration(limit)): \(use.inFlight) of \(use.limit) "
      + "requests in flight to \(key), \(inFlight) of \(perClient) in all"
    error.advice =
      "read or cancel the bodies of earlier responses, raise options.poolTimeout, or raise the limit"
    error.requestMayHaveBeenSent = false
    continuation.resume(throwing: error)
  }

  private var full: ExchangeError {
    var error = ExchangeError(
      .limit(.queue),
      "\(queueLimit) requests wait for a slot already",
      advice: "send fewer requests at a time, or raise the queueLimit of ConcurrencyLimit",
      limit: ExchangeError.Limit(option: "queueLimit", value: "\(queueLimit) requests")
    )
    error.requestMayHaveBeenSent = false
    return error
  }
}
