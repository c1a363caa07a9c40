public import HTTPTypes
public import StagecoachCore
import StagecoachStages
import Synchronization

/// A stage that lets simultaneous identical requests share one exchange.
///
/// A request that is identical to one in flight is not sent: it waits for the same response, and both read its body,
/// each at its own pace. A thousand views that show the same picture load it once.
///
/// ```swift
/// var pipeline = Pipeline.standard(over: transport)
/// pipeline.append(Coalescing())
/// let client = try Client(pipeline)
/// async let first = client.value(for: .get("http://example.com/logo"), as: .data)
/// async let second = client.value(for: .get("http://example.com/logo"), as: .data)
/// print(try await (first.count, second.count))  // sent once
/// ```
///
/// - Requests are identical if they have method GET or HEAD, no content and no Range, and equal URLs and fields,
///   except for the ignored fields. Credentials and cookies are fields, so requests that differ in them do not share.
///   Options that affect how a request is sent, such as trust, must be equal as well.
/// - A request can join until the head of the response arrives. A request that may change something (such as POST and
///   PUT) ends joining for its whole origin, so that later requests never get an older response.
/// - A slow reader delays the others only up to the replay limit; then it is detached, and gets the rest with its own
///   request, if a strong ETag, or a Last-Modified older than the response, proves that the content is the same.
///   Without such a proof the requests that have joined get the body when it is complete; they are sent themselves if
///   its length is unknown, as of a stream of events, if it exceeds the replay limit, or takes more than ten seconds.
/// - If the request that was sent is cancelled, another takes its place; once its body arrives, it continues as long
///   as it has readers. Other failures are reported to all waiting requests.
///
/// It is not part of the standard pipeline.
public final class Coalescing: Middleware {
  /// The fields that are ignored in comparisons: `User-Agent`, and those of tracing.
  public static let ignoredFields: Set<HTTPField.Name> = [.userAgent, .traceparent, .tracestate, .baggage]

  private struct Key: Hashable {
    let method: HTTPRequest.Method
    let origin: TargetURI.Origin?
    let path: String?
    let fields: [HTTPField]
  }

  /// The outcome for a waiting request.
  private enum Landing: Sendable {
    /// The response is there; the number is that of the reader.
    case response(SharedResponse, reader: Int)
    /// The request that was sent was cancelled; this request is sent instead.
    case takeOver
    /// The response cannot be shared; this request is sent as well.
    case alone
  }

  /// A flight with the options of the request that was sent.
  private struct Leg: Sendable {
    let flight = Flight<Landing>()
    let options: RequestOptions
  }

  private let ignored: Set<HTTPField.Name>
  private let replayLimit: Int
  private let flights = Mutex<[Key: Leg]>([:])

  /// Creates a stage.
  ///
  /// - Parameters:
  ///   - ignored: The fields that are ignored in comparisons.
  ///   - replayLimit: The number of bytes of a body kept for slower readers, plus up to a chunk; 1 MiB by default.
  public init(ignoring ignored: Set<HTTPField.Name> = ignoredFields, replayLimit: Int = 1 << 20) {
    self.ignored = ignored
    self.replayLimit = max(1, replayLimit)
  }

  /// Joins an identical request in flight, or passes the request on.
  ///
  /// - Throws: The error of the request that was joined; `CancellationError`.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    guard let key = key(of: request) else {
      let isSafe = request.method.isSafe
      if !isSafe { closeFlights(to: request) }
      defer { if !isSafe { closeFlights(to: request) } }
      return try await next(request)
    }
    while true {
      let (leg, leads) = board(key, request)
      let flight = leg.flight
      if leads { return try await lead(flight, key, request, next) }
      guard leg.options.agrees(with: request.options) else {
        return try await next(request)
      }
      switch try await flight.join({ request.emit(ConcurrencyEvent.joined) }) {
      case .response(let shared, let reader):
        return answer(request, shared, reader, next, isFirst: false)
      case .takeOver:
        request.emit(ConcurrencyEvent.tookOver)
        return try await lead(flight, key, request, next)
      case .alone: return try await next(request)
      case nil: remove(flight, key)
      }
    }
  }

  private func answer(
    _ request: Request,
    _ shared: SharedResponse,
    _ reader: Int,
    _ next: Next,
    isFirst: Bool
  ) -> Response {
    shared.response(for: request, reader: reader, next: next, isFirst: isFirst) { bytes in
      request.emit(ConcurrencyEvent.cutLoose(after: bytes))
    }
  }

  private func lead(
    _ flight: Flight<Landing>,
    _ key: Key,
    _ request: Request,
    _ next: Next
  ) async throws -> Response {
    do {
      return land(flight, key, try await next(request), request, next)
    } catch {
      if error is CancellationError || Task.isCancelled, flight.handOver(.takeOver) { throw error }
      remove(flight, key)
      flight.land(with: .failure(error))
      throw error
    }
  }

  private func land(
    _ flight: Flight<Landing>,
    _ key: Key,
    _ response: Response,
    _ request: Request,
    _ next: Next
  ) -> Response {
    remove(flight, key)
    let waiters = flight.land()
    guard !waiters.isEmpty else { return response }
    guard SharedResponse.canShare(response, limit: replayLimit) else {
      for waiter in waiters { waiter.end(with: .success(.alone)) }
      return response
    }
    let shared = SharedResponse(response, limit: replayLimit)
    let first = shared.body?.join() ?? 0
    // All have their places before the first one reads.
    let readers = waiters.map { ($0, shared.body?.join() ?? 0) }
    for (waiter, reader) in readers where !waiter.end(with: .success(.response(shared, reader: reader))) {
      // It was cancelled meanwhile.
      shared.body?.leave(reader)
    }
    request.emit(ConcurrencyEvent.shared(with: waiters.count))
    return answer(request, shared, first, next, isFirst: true)
  }

  // MARK: Flights

  private func board(_ key: Key, _ request: Request) -> (Leg, leads: Bool) {
    flights.withLock { flights in
      if let leg = flights[key] { return (leg, false) }
      let leg = Leg(options: request.options)
      flights[key] = leg
      return (leg, true)
    }
  }

  private func remove(_ flight: Flight<Landing>, _ key: Key) {
    flights.withLock { flights in
      if flights[key]?.flight === flight { flights[key] = nil }
    }
  }

  /// Makes later requests start a new exchange; waiting requests continue.
  private func closeFlights(to request: Request) {
    flights.withLock { flights in
      guard !flights.isEmpty else { return }
      let origin = TargetURI.Origin(request.head)
      flights = flights.filter { $0.key.origin != origin }
    }
  }

  // MARK: What is identical

  private func key(of request: Request) -> Key? {
    guard request.method == .get || request.method == .head, request.body.isEmpty, request.options.coalesces
    else {
      return nil
    }
    let fields = request.fields.filter { !ignored.contains($0.name) }
    guard !fields.contains(where: { $0.name == .range || $0.name == .upgrade }) else { return nil }
    return Key(
      method: request.method,
      origin: TargetURI.Origin(request.head),
      path: request.head.path,
      fields: Array(fields)
    )
  }
}
