public import HTTPTypes
import Synchronization

/// The stage that lets identical requests which are made at the same time share one exchange.
///
/// A request that asks for the same as one in flight is not sent: it waits for that one's response, and both read
/// its body, each at its own pace. A thousand views that show the same picture load it once.
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
/// - Identical are requests with method GET or HEAD, without content and Range, whose URL and fields are equal, save
///   the fields that are ignored. Credentials and cookies are fields: who sends others gets a response of its own.
///   Options that say how a request is sent, such as trust, must be the same as well.
/// - A request joins until the head of the response is there. One that changes something (POST, PUT and the like)
///   ends the joining for all of its origin, so that who asks after it never gets what was before it.
/// - Whoever reads slowly holds the others up for no longer than the replay limit lasts; then it is cut loose, and
///   gets the rest by a request of its own, if a strong ETag, or a Last-Modified older than the
///   response, proves that it is the same.
/// - If the request that was sent is cancelled, another takes its place; once its body comes, that goes on for as long
///   as anybody reads it. Other failures are those of all who waited.
///
/// It is no part of the standard chain.
public final class Coalescing: Middleware {
  /// The fields in which identical requests may differ: `User-Agent`, and those of tracing.
  public static let ignoredFields: Set<HTTPField.Name> = [.userAgent, .traceparent, .tracestate, .baggage]

  private struct Key: Hashable {
    let method: HTTPRequest.Method
    let origin: OriginKey
    let path: String?
    let fields: [HTTPField]
  }

  private let ignored: Set<HTTPField.Name>
  private let replayLimit: Int
  private let flights = Mutex<[Key: Flight]>([:])

  /// A stage where nothing is in flight.
  ///
  /// - Parameters:
  ///   - ignored: The fields in which identical requests may differ.
  ///   - replayLimit: How many bytes of a body are kept for slower readers, up to a chunk more; 1 MiB by default.
  public init(ignoring ignored: Set<HTTPField.Name> = ignoredFields, replayLimit: Int = 1 << 20) {
    self.ignored = ignored
    self.replayLimit = max(1, replayLimit)
  }

  /// Joins a request like this one, or passes it on.
  ///
  /// - Throws: What the request that was joined threw; `CancellationError`.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    guard let key = key(of: request) else {
      let isSafe = request.method.isSafe
      if !isSafe { closeFlights(to: request) }
      defer { if !isSafe { closeFlights(to: request) } }
      return try await next(request)
    }
    while true {
      let (flight, leads) = board(key, request)
      if leads { return try await lead(flight, key, request, next) }
      guard flight.options.agrees(with: request.options, except: Self.ignoredOptions) else {
        return try await next(request)
      }
      switch try await flight.join({ request.emit(.concurrency(.joined)) }) {
      case .response(let shared, let reader):
        return shared.response(for: request, reader: reader, next: next, isFirst: false)
      case .takeOver:
        request.emit(.concurrency(.tookOver))
        return try await lead(flight, key, request, next)
      case .gone: remove(flight, key)
      }
    }
  }

  private func lead(_ flight: Flight, _ key: Key, _ request: Request, _ next: Next) async throws -> Response {
    do {
      return land(flight, key, try await next(request), request, next)
    } catch {
      if error is CancellationError || Task.isCancelled, flight.handOver() { throw error }
      remove(flight, key)
      flight.fail(error)
      throw error
    }
  }

  private func land(_ flight: Flight, _ key: Key, _ response: Response, _ request: Request, _ next: Next)
    -> Response
  {
    remove(flight, key)
    var first = 0
    let landing = flight.succeed {
      let shared = SharedResponse(response, replayLimit: replayLimit)
      first = shared.body?.join() ?? 0
      return shared
    }
    guard let (shared, others) = landing else { return response }
    request.emit(.concurrency(.shared(with: others)))
    return shared.response(for: request, reader: first, next: next, isFirst: true)
  }

  // MARK: What is in flight

  private func board(_ key: Key, _ request: Request) -> (Flight, leads: Bool) {
    flights.withLock { flights in
      if let flight = flights[key] { return (flight, false) }
      let flight = Flight(request.options)
      flights[key] = flight
      return (flight, true)
    }
  }

  private func remove(_ flight: Flight, _ key: Key) {
    flights.withLock { flights in
      if flights[key] === flight { flights[key] = nil }
    }
  }

  /// Whoever comes from now on asks anew; who waits already goes on.
  private func closeFlights(to request: Request) {
    flights.withLock { flights in
      guard !flights.isEmpty else { return }
      let origin = OriginKey(request.head)
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
      origin: OriginKey(request.head),
      path: request.head.path,
      fields: Array(fields)
    )
  }

  /// Options that change nothing of what is sent, or how.
  private static let ignoredOptions: Set<ObjectIdentifier> = [
    ObjectIdentifier(RequestOptions.totalTimeout), ObjectIdentifier(RequestOptions.bodyLimit),
    ObjectIdentifier(RequestOptions.errorBodyLimit), ObjectIdentifier(RequestOptions.fileBodyLimit),
    ObjectIdentifier(RequestOptions.elementLimit), ObjectIdentifier(RequestOptions.textCharset),
    ObjectIdentifier(RequestOptions.expectedContent), ObjectIdentifier(RequestOptions.errorModel),
    ObjectIdentifier(RequestOptions.validation), ObjectIdentifier(RequestOptions.priority),
    ObjectIdentifier(RequestOptions.usesCircuitBreaker), ObjectIdentifier(RequestOptions.coalesces),
    ObjectIdentifier(RequestOptions.jsonCoders), ObjectIdentifier(RequestOptions.monitors),
  ]
}

extension RequestOptions {
  static let coalesces = RequestOption<Bool>("coalesces", default: true)

  /// Whether a request may share an exchange with others, where there is a ``Coalescing`` stage; true by default.
  public var coalesces: Bool {
    get { self[Self.coalesces] }
    set { self[Self.coalesces] = newValue }
  }
}
