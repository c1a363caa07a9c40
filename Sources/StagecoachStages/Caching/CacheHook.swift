public import HTTPTypes
public import StagecoachCore

/// A stage that controls what a cache below it stores: it can prevent storing a response, or change what is stored.
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
/// It affects what is stored, not what the caller receives. It stores nothing itself: a stage that stores responses
/// calls ``Request/headToStore(_:)``, and does not store the response if the result is `nil`. A hook below the cache
/// is never called. Several hooks are called in order, starting next to the cache, each with the result of the
/// previous one.
public struct CacheHook: Middleware {
  /// Decides whether and how to store a response.
  ///
  /// Called for a response that may be stored, before its body has arrived. It should return quickly.
  ///
  /// - Parameters:
  ///   - response: The head that would be stored.
  ///   - request: The request that the response answers.
  /// - Returns: The head to store; `nil` to store nothing.
  public typealias Decision = @Sendable (_ response: HTTPResponse, _ request: Request) -> HTTPResponse?

  private let decide: Decision

  /// Creates a stage that calls a closure.
  public init(_ decide: @escaping Decision) {
    self.decide = decide
  }

  /// Passes the request on, so that a cache below calls the closure.
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
  /// Returns the head that the hooks above allow a cache to store.
  ///
  /// A stage that stores responses calls this once for each response that its own rules allow, before it creates an
  /// entry.
  ///
  /// - Parameter response: The head of the response.
  /// - Returns: The head to store; `nil` if the response must not be stored.
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
