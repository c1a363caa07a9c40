import HTTPTypes
import Synchronization

/// An HTTP client: a pipeline plus the base URL, fields, options and observers that its requests inherit.
///
/// A client is cheap, safe to share between tasks, and releases its resources when the last reference goes away. Its
/// calls leave the caller's actor: nothing is sent or decoded on the main thread.
///
/// ```swift
/// let client = try Client(over: transport, base: "https://api.example.com/v1/")
/// let user: User = try await client.get("users/7")
/// let page = try await client.value(for: .get("about"), as: .text)
/// ```
public final class Client: Sendable {
  private struct State {
    var defaults: Defaults
    var isShutDown = false
  }

  /// The chain that requests pass through.
  public let pipeline: Pipeline

  /// The base URL that relative references are resolved against, with a slash at the end of its path; `nil` if
  /// references must be absolute (RFC 3986 5.2).
  public let base: TargetURI?

  private let monitors: [any EventMonitor]
  package let time: any TimeSource
  package let random: any RandomSource
  private let ownsTransport: Bool
  private let background = BackgroundScope()
  private let watchdog: Watchdog
  private let state: Mutex<State>

  /// Creates a client over a pipeline.
  ///
  /// - Parameters:
  ///   - pipeline: The stages and the transport. ``shutdown()`` does not shut the transport down, because several
  ///     clients may share it; it frees its connections when the last reference to it goes away.
  ///   - base: The base URL for relative references.
  ///   - configuration: The defaults that requests inherit, and the observers. Its connections and trust must not be
  ///     set: they are for a transport that the client creates itself.
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the base is not an absolute http or https URL, if it is http
  ///   and the default options pin its host, or if the configuration sets connections or trust.
  public convenience init(
    _ pipeline: Pipeline,
    base: String? = nil,
    configuration: Configuration = Configuration()
  ) throws {
    // A pin or a proxy that is silently ignored would be worse than an error.
    guard configuration.connections == ConnectionOptions(), configuration.trust == Trust() else {
      throw ExchangeError(
        .invalidRequest,
        "the configuration of the client sets connections or trust, but its transport already exists",
        advice: "pass connections and trust to the initializer of the transport"
      )
    }
    try self.init(pipeline, base: base, configuration: configuration, ownsTransport: false)
  }

  /// Creates a client over a pipeline whose transport was created with the connections and the trust of the
  /// configuration, for this client only. ``shutdown()`` also shuts the transport down.
  package convenience init(
    owning pipeline: Pipeline,
    base: String? = nil,
    configuration: Configuration = Configuration()
  ) throws {
    try self.init(pipeline, base: base, configuration: configuration, ownsTransport: true)
  }

  private init(_ pipeline: Pipeline, base: String?, configuration: Configuration, ownsTransport: Bool) throws
  {
    self.pipeline = pipeline
    do {
      self.base = try base.map { try TargetURI(parsing: $0).asBase }
    } catch {
      throw ExchangeError(.invalidRequest, "invalid base URL: \(error)", underlying: error)
    }
    try configuration.checkPins(for: self.base)
    monitors = configuration.monitors
    self.ownsTransport = ownsTransport
    time = configuration.clock
    random = configuration.randomNumberGenerator
    watchdog = Watchdog(clock: time)
    state = Mutex(State(defaults: configuration.defaults))
  }

  deinit {
    background.cancel()
  }

  /// The current defaults that requests inherit.
  public var defaults: Defaults { state.withLock { $0.defaults } }

  /// Changes the defaults of later requests. Safe to call from any task while requests are in progress.
  ///
  /// - Parameter change: Changes the defaults. It runs under a lock and must not use the client.
  public func updateDefaults(_ change: (inout Defaults) -> Void) {
    state.withLock { change(&$0.defaults) }
  }

  /// Refuses new requests and cancels background work. If the client created its transport, also shuts the transport
  /// down, and requests in progress fail with kind `shutdown`.
  ///
  /// Calling this is optional: a client frees its connections once it is no longer referenced and the bodies still
  /// being read have ended.
  ///
  /// To shut down a transport that was passed to the client, call `client.pipeline.shutdown()`.
  public func shutdown() async {
    state.withLock { $0.isShutDown = true }
    await background.close()
    if ownsTransport { await pipeline.shutdown() }
  }

  /// Sends a request and returns the response as soon as its head has arrived.
  ///
  /// - Throws: ``ExchangeError``; `CancellationError` if the task is cancelled.
  @concurrent
  public func send(_ request: Request) async throws -> Response {
    var request = request
    let (end, fields) = begin(&request)
    let response = try await perform(&request, nil, fields, end)
    end?.callEnded(nil)
    return response
  }

  /// Sends a request and decodes the response.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - content: The content of the request.
  ///   - serializer: Decodes the response. Its declaration sets Accept and the media types that validation accepts,
  ///     unless the request or the defaults of the client set them.
  /// - Throws: ``ExchangeError``; `CancellationError` if the task is cancelled.
  @concurrent
  public func value<Serializer: ResponseSerializer>(
    for request: Request,
    sending content: RequestContent? = nil,
    as serializer: Serializer
  ) async throws -> Serializer.Output {
    try await exchange(request, content, serializer).value
  }

  /// Sends a request and decodes the response, and returns the value with the response's head, history and timings.
  ///
  /// Parameters and errors are the same as for ``value(for:sending:as:)``.
  @concurrent
  public func response<Serializer: ResponseSerializer>(
    for request: Request,
    sending content: RequestContent? = nil,
    as serializer: Serializer
  ) async throws -> DecodedResponse<Serializer.Output> {
    let (value, response) = try await exchange(request, content, serializer)
    return DecodedResponse(value: value, response: response)
  }

  private func exchange<Serializer: ResponseSerializer>(
    _ request: Request,
    _ content: RequestContent?,
    _ serializer: Serializer
  ) async throws -> (value: Serializer.Output, response: Response) {
    var request = request
    let (end, fields) = begin(&request)
    declare(serializer.accepts, in: &request, unless: fields)
    let response = try await perform(&request, content, fields, end)
    do {
      // The request is copied only if there are observers.
      if end != nil { tell(response, of: .serializationStarted(serializer.name)) }
      let value = try await serializer.serialize(response)
      if end != nil { tell(response, of: .serializationFinished(serializer.name)) }
      end?.callEnded(nil)
      return (value, response)
    } catch {
      let failure = failed(serializer, error, response, request)
      end?.callEnded(failure)
      throw failure
    }
  }

  // These functions are not inlined into `exchange`: its frame lives as long as its request.

  @inline(never)
  private func declare(_ accepts: Acceptance, in request: inout Request, unless defaults: HTTPFields?) {
    if !request.fields.contains(.accept), defaults?.contains(.accept) != true {
      // Reserves space for the defaults too, so that the list grows only once.
      request.fields.reserveCapacity(request.fields.count + 1 + (defaults?.count ?? 0))
      request.head.headerFields.append(HTTPField(name: .accept, value: accepts.acceptField))
    }
    if !request.options.isSetAnywhere(RequestOptions.expectedContent) {
      request.options.expectedContent = accepts
    }
  }

  @inline(never)
  private func tell(_ response: Response, of kind: Event.Kind) {
    response.request?.emit(kind)
  }

  @inline(never)
  private func failed(
    _ serializer: some ResponseSerializer,
    _ error: any Error,
    _ response: Response,
    _ request: Request
  ) -> any Error {
    let wrapped = ExchangeError.wrapping(
      error,
      as: .serialization,
      stage: serializer.name,
      request: response.request ?? request,
      response: response.head
    )
    request.emit(.serializationFailed(serializer.name, wrapped))
    response.body.cancel()
    return wrapped
  }

  /// Attaches the exchange and the inherited options to the request.
  ///
  /// - Returns: The reporter of the end, if there are observers; and the inherited fields, `nil` if the client is shut
  ///   down.
  private func begin(_ request: inout Request) -> (end: ExchangeEnd?, fields: HTTPFields?) {
    let (defaults, isShutDown) = state.withLock { ($0.defaults, $0.isShutDown) }
    request.options = request.options.inheriting(defaults.options)
    let own = request.options.monitors
    let exchange = Exchange(
      clock: time,
      randomNumberGenerator: random,
      monitors: own.isEmpty ? monitors : monitors + own,
      options: request.options,
      background: background
    )
    request.exchange = exchange
    return (exchange.isObserved ? ExchangeEnd(request) : nil, isShutDown ? nil : defaults.fields)
  }

  private func perform(
    _ request: inout Request,
    _ content: RequestContent?,
    _ fields: HTTPFields?,
    _ end: ExchangeEnd?
  ) async throws -> Response {
    do {
      do {
        defer { request.emit(.exchangeStarted(Redaction.head(of: request))) }
        try Task.checkCancellation()
        try complete(&request, content, fields)
      }
      var response = try await transmit(request)
      if let end { response.body.onEnd { end.bodyEnded($0) } }
      return response
    } catch {
      var error = error
      // A stage waited for background work, which the shutdown cancelled; the call itself was not cancelled.
      if error is CancellationError, !Task.isCancelled, state.withLock({ $0.isShutDown }) {
        error = Self.wasShutDown
      }
      let wrapped = ExchangeError.wrapping(error, stage: "Client", request: request)
      end?.callEnded(wrapped)
      throw wrapped
    }
  }

  private static var wasShutDown: ExchangeError {
    ExchangeError(.shutdown, "the client was shut down", advice: "make a new client")
  }

  private func complete(
    _ request: inout Request,
    _ content: RequestContent?,
    _ fields: HTTPFields?
  ) throws {
    guard let fields else { throw Self.wasShutDown }
    try content?.apply(to: &request)
    try request.resolve(against: base)
    let own = request.head.headerFields.startIndex..<request.head.headerFields.endIndex
    for index in fields.startIndex..<fields.endIndex {
      let field = fields[index]
      // A default field may repeat its name, so it is skipped only if the request itself has that field.
      if own.contains(where: { request.head.headerFields[$0].name == field.name }) { continue }
      request.head.headerFields.append(field)
    }
  }

  private func transmit(_ request: Request) async throws -> Response {
    if let total = request.options.totalTimeout { return try await transmit(request, within: total) }
    return try await pipeline.send(request)
  }

  @inline(never)
  private func transmit(_ request: Request, within total: Duration) async throws -> Response {
    request.emit(.deadlineSet(total))
    let deadline = time.now.advanced(by: total)
    var response = try await withDeadline(deadline, on: time) {
      try await self.pipeline.send(request)
    } orThrow: {
      ExchangeError.totalTimeout(after: total, in: request.exchange)
    }
    guard case .stream(let stream) = response.body.storage else { return response }
    // The body outlives this call, and so does its deadline.
    let watch = watchdog.watch(for: deadline - time.now) { [weak stream] in
      stream?.cancel(.totalTimeout(total))
    }
    response.body.onEnd { [watchdog] _ in watchdog.remove(watch) }
    return response
  }
}

extension Client: CustomReflectable {
  /// The defaults without secrets.
  public var customMirror: Mirror { Mirror(self, children: ["defaults": defaults]) }
}
