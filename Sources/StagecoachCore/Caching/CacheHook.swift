public import HTTPTypes

/// The stage that is asked before a cache below it stores a response: it can forbid that, or change what is stored.
///
/// ```swift
/// var pipeline = Pipeline.standard(over: transport)
/// try pipeline.insert(
///   CacheHook { response, request in
///     guard response.headerFields[.setCookie] == nil else { return nil }
///     var response = response
///     response.headerFields[.cacheControl] = "private, max-age=60"
///     return response
///   },
///   before: Cookies.self
/// )
/// ```
///
/// It decides on what is kept, not on what the caller gets. It stores nothing itself: a stage that does asks
/// ``Request/headToStore(_:)``, and forgets the response if the answer is nil. A hook below the cache is never asked.
/// Of several hooks the one next to the cache comes first, and each gets what the one before returned.
public struct CacheHook: Middleware {
  /// Decides on a response.
  ///
  /// It is called for what may be stored, before the body has come; it ought to return soon.
  ///
  /// - Parameters:
  ///   - response: The head that is about to be stored.
  ///   - request: The request that the cache answers with it from now on.
  /// - Returns: The head to store; nil to store nothing.
  public typealias Decision = @Sendable (_ response: HTTPResponse, _ request: Request) -> HTTPResponse?

  private let decide: Decision

  /// A stage that asks a closure.
  public init(_ decide: @escaping Decision) {
    self.decide = decide
  }

  /// Passes the request on, so that a cache below asks the closure.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    try await next(hooked(request))
  }

  @inline(never)
  private func hooked(_ request: Request) -> Request {
    var request = request
    request.options[RequestOptions.cacheHooks].append(decide)
    return request
  }
}

extension Request {
  /// What the hooks above allow a cache to store of a response to this request.
  ///
  /// A stage that stores responses calls this once for each that its own rules let it store, before it opens an entry.
  ///
  /// - Parameter response: The head of the response.
  /// - Returns: The head to store; nil if the response must not be stored.
  public func headToStore(_ response: HTTPResponse) -> HTTPResponse? {
    var response = response
    for decide in options[RequestOptions.cacheHooks].reversed() {
      guard let changed = decide(response, self) else { return nil }
      response = changed
    }
    return response
  }
}

extension RequestOptions {
  /// The hooks that a request has passed, the first first.
  fileprivate static let cacheHooks = RequestOption<[CacheHook.Decision]>("cacheHooks", default: [])
}
