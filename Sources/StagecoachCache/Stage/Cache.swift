import HTTPTypes
public import StagecoachCore
import StagecoachStages
import Synchronization

/// A stage that answers requests with stored responses as far as RFC 9111 allows.
///
/// ```swift
/// import Stagecoach
/// import StagecoachCache
///
/// let client = try Client(over: transport, base: "https://api.example.com/", cache: Cache())
/// let first = try await client.send(.get("news"))
/// _ = try await first.body.collect(upTo: 1 << 20)
/// let second = try await client.send(.get("news"))
/// print(second.source)  // cache, if the response allows it
/// ```
///
/// The cache is private unless it is made a shared one: the responses to different credentials are kept apart
/// (`options.cachePartition`). Its place is below `Cookies` and `ContentDecoding`, so that it sees the
/// request as it is sent and keeps content as it came. `CacheHook` decides on what is kept.
///
/// Content passes through: the caller reads while it is stored. Equal requests at the same time are sent once, and all
/// read what is being stored, each at its own pace. A store that fails or is slow fails no request.
///
/// Each response carries `Cache-Status` (RFC 9211), a stored one its `Age`, and tells in `response.source` where it
/// came from. Decisions are reported as ``CacheEvent``.
public final class Cache: Middleware {
  /// Returns the URL of a request as the key of its response, to let URLs share responses or to keep them apart; `nil`
  /// not to use the cache.
  public typealias KeyFunction = @Sendable (_ request: Request, _ url: String) -> String?

  let rules: CacheRules
  let store: StoreGuard
  let flights = CacheFlights()
  let keyFunction: KeyFunction?
  let revalidations = Revalidations()
  let lostInvalidations = LostInvalidations()
  private let salt = Mutex<Bytes?>(nil)

  /// Whether the cache serves several users (RFC 9111 1): responses that are for one user are not stored.
  public var isShared: Bool { rules.isShared }

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - store: Keeps the responses; several caches may use one. In memory by default.
  ///   - isShared: Whether the cache serves several users, as that of a proxy does.
  ///   - key: Changes the URL that a response is kept under; it is the request's own by default.
  public init(_ store: any CacheStore = MemoryCacheStore(), isShared: Bool = false, key: KeyFunction? = nil) {
    rules = CacheRules(isShared: isShared)
    self.store = StoreGuard(store)
    keyFunction = key
  }

  /// Answers with a stored response, or passes the request on and stores its response.
  ///
  /// - Throws: The error of the request that is passed on; `CancellationError`.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    guard let origin = TargetURI.Origin(request.head) else { return try await next(request) }
    guard request.method == .get || request.method == .head else {
      return try await passOn(request, origin, next)
    }
    if let reason = bypassReason(request, origin, next, allowsContent: false) {
      return try await bypass(request, next, reason: reason)
    }
    guard let salt = await salt(for: request) else {
      return try await bypass(request, next, reason: "the store cannot be used")
    }
    guard let key = key(of: request, origin, next, salt) else {
      return try await bypass(request, next, reason: "the key function returned nil")
    }
    return try await CacheRun(self, request, next, key, Concealment(request, salt)).run()
  }

  /// Passes a request on, unless only a stored response was wanted.
  private func bypass(_ request: Request, _ next: Next, reason: String) async throws -> Response {
    request.emit(CacheEvent.bypassed(reason: reason))
    guard request.options.cacheMode != .onlyIfCached else {
      return CacheStatus.gatewayTimeout(detail: "only-if-cached")
    }
    var response = try await next(request)
    response.note(CacheStatus(forward: .bypass, forwardStatus: response.status.code, detail: reason))
    return response
  }

  private func bypassReason(
    _ request: Request,
    _ origin: TargetURI.Origin,
    _ next: Next,
    allowsContent: Bool
  ) -> String? {
    if request.options.cacheMode == .noStore { return "the mode is noStore" }
    if store.store.isSharedOnly, !isShared { return "this store requires a shared cache" }
    if !allowsContent, !request.body.isEmpty { return "the request has content" }
    if !request.options.isVerified(for: origin.host, over: next.peer) {
      return "certificates are not verified"
    }
    return nil
  }

  /// The salt of the store, once it was read.
  private func salt(for request: Request) async -> Bytes? {
    if let known = salt.withLock({ $0 }) { return known }
    let found = await store.call({ request.emit($0) }) { try await $0.salt() }
    guard let found else { return nil }
    let isFirst = salt.withLock { salt in
      defer { salt = found }
      return salt == nil
    }
    if isFirst, let repair = store.repair { request.emit(CacheEvent.storeRepaired(repair)) }
    return found
  }

  private func url(of request: Request, _ origin: TargetURI.Origin) -> String {
    let path = request.head.path ?? ""
    return "\(origin)\(path.isEmpty ? "/" : path)"
  }

  private func key(
    of request: Request,
    _ origin: TargetURI.Origin,
    _ next: Next,
    _ salt: Bytes
  ) -> CacheKey? {
    let url = url(of: request, origin)
    var chosen = url
    if let keyFunction {
      guard let own = keyFunction(request, url) else { return nil }
      chosen = own
    }
    return CacheKey(
      url: chosen,
      partition: CachePartition.of(request, origin, over: next.peer, isShared: isShared, salt)
    )
  }

  // MARK: Other methods

  /// Passes a request on that no stored response answers, and removes what it may have changed.
  private func passOn(_ request: Request, _ origin: TargetURI.Origin, _ next: Next) async throws -> Response {
    request.emit(CacheEvent.bypassed(reason: "the method is \(request.method)"))
    guard request.options.cacheMode != .onlyIfCached else {
      return CacheStatus.gatewayTimeout(detail: "only-if-cached")
    }
    let run = await runOfPost(request, origin, next)
    let lookup = await run?.lookUp()
    let sentAt = request.clock.date
    var response = try await next(request)
    var status = CacheStatus(forward: .method, forwardStatus: response.status.code)
    if response.source == .network {
      let times = CacheRun.Times(sentAt: sentAt, receivedAt: request.clock.date)
      let urls = rules.invalidated(by: response.head, to: request.head, url: url(of: request, origin))
      let generation = await invalidate(urls, request, run?.key.url, since: lookup?.generation)
      if let run, let generation, case .success = run.judge(response.head, times) {
        let sending = CacheRun.Sending(
          fields: request.fields,
          reason: .method,
          generation: generation,
          entries: []
        )
        status.isStored = await run.keep(&response, sending, times)
      }
    }
    response.note(status)
    return response
  }

  /// A run that stores the response to a POST if its fields say that it equals the response to GET (RFC 9110 9.3.3).
  private func runOfPost(_ request: Request, _ origin: TargetURI.Origin, _ next: Next) async -> CacheRun? {
    guard request.method == .post, bypassReason(request, origin, next, allowsContent: true) == nil,
      let salt = await salt(for: request), let key = key(of: request, origin, next, salt)
    else { return nil }
    return CacheRun(self, request, next, key, Concealment(request, salt))
  }

  /// - Parameters:
  ///   - target: The URL whose generation is asked for.
  ///   - generation: That of a look-up which preceded the change.
  /// - Returns: The new generation; `nil` if something else has invalidated the URL since.
  private func invalidate(
    _ urls: [String],
    _ request: Request,
    _ target: String?,
    since generation: UInt64?
  ) async -> UInt64? {
    guard !urls.isEmpty else { return nil }
    var new: UInt64?
    for url in urls {
      guard let url = keyFunction.map({ $0(request, url) }) ?? url else { continue }
      flights.close(url: url)
      let found = await store.call(isNeeded: true, { request.emit($0) }) {
        store -> UInt64? in
        if let generation, url == target { return try await store.invalidate(url: url, since: generation) }
        try await store.invalidate(url: url)
        return nil
      }
      if let found { new = found ?? new } else { lostInvalidations.add(url, at: request.clock.date) }
      flights.close(url: url)
    }
    request.emit(CacheEvent.invalidated(urls: urls.map { Redaction.url($0) }))
    return new
  }
}
