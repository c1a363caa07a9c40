public import HTTPTypes
public import StagecoachCore

/// A stage that refuses responses with an unexpected status or content.
///
/// It checks status and media type against the declaration of the response serializer, or the override of the request
/// (``RequestOptions/expectedContent``); then it calls the predicates. The error contains the head, the start of the
/// body as far as it arrives within ten seconds, and, if the request has an ``ErrorModel``, the decoded body.
///
/// If no serializer is used, a redirect that the caller's policy declines is accepted, and so is 304 to a conditional
/// request (RFC 9110 13.1).
///
/// A wrong media type without content is not an error, because nothing could be misread.
///
/// ```swift
/// struct NoServer: Error {}
/// let validation = Validation { head in
///   guard head.headerFields[.server] != nil else { throw NoServer() }
/// }
/// ```
public struct Validation: Middleware {
  /// Checks the head of a response; throws to refuse it.
  public typealias Predicate = @Sendable (HTTPResponse) throws -> Void

  private let predicates: [Predicate]

  /// Creates a stage that checks status and media type.
  public init() {
    predicates = []
  }

  /// Creates a stage that checks status and media type, then calls predicates.
  public init(_ predicates: Predicate...) {
    self.predicates = predicates
  }

  /// Checks the response of the stages below.
  ///
  /// - Throws: ``ExchangeError`` of kind `status`, `mediaType` or `validation`.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    let response = try await next(request)
    guard let refusal = try judge(response, to: request) else { return response }
    return try await refuse(response, refusal, to: request)
  }

  // Errors are large, and the frame of `handle` lives as long as its request, so they are created outside of it.

  private final class Refusal {
    let error: ExchangeError

    init(_ error: ExchangeError) {
      self.error = error
    }
  }

  @inline(never)
  private func judge(_ response: Response, to request: Request) throws -> Refusal? {
    if let error = try refusal(of: response, to: request) { return Refusal(error) }
    request.emit(.validationPassed)
    return nil
  }

  @inline(never)
  private func refuse(_ response: Response, _ refusal: Refusal, to request: Request) async throws -> Response
  {
    var (response, refusal) = (response, refusal)
    let reader = refusal.error.kind == .status ? request.options.refusedBodyReader : nil
    let (prefix, isComplete) = try await start(of: response, for: request, passingTo: reader)
    if refusal.error.kind == .mediaType, isComplete, prefix.isEmpty {
      // Only the end of the body shows that there is no content.
      response.body = .empty
      guard let other = try judge(response, to: request) else { return response }
      refusal = other
    }
    request.emit(.validationFailed(refusal.error.kind))
    throw await complete(refusal.error, with: response, prefix, isComplete, for: request)
  }

  private func refusal(of response: Response, to request: Request) throws -> ExchangeError? {
    let expected = request.options.expectedContent ?? .any
    let wrongType = wrongMediaType(response, to: request, expected)
    guard expected.accepts(status: response.status.code) || isWanted(response, by: request) else {
      let accepted = expected.statuses.map { range in
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound - 1)"
      }
      return ExchangeError(
        .status,
        "unexpected status \(Format.status(response.status)) (expected \(accepted.joined(separator: ", ")))",
        advice: advice(for: response),
        underlying: wrongType
      )
    }
    if let wrongType { return wrongType }
    return try failure(of: predicates, on: response) ?? failure(of: request.options.validation, on: response)
  }

  private func advice(for response: Response) -> String {
    if let remark = response.remark { return remark }
    if response.source == .cache, response.status == .gatewayTimeout {
      return
        "nothing in the cache may answer without the origin; see its CacheEvent, or change options.cacheMode"
    }
    let why = response.body.length == 0 ? "" : "the body may say why; "
    return why + "accept the status with options.expectedContent.statuses"
  }

  private func failure(of predicates: [Predicate], on response: Response) throws -> ExchangeError? {
    for predicate in predicates {
      do {
        try predicate(response.head)
      } catch let error as CancellationError {
        throw error
      } catch let error as ExchangeError {
        return error
      } catch {
        return ExchangeError(.validation, Format.describe(error), underlying: error)
      }
    }
    return nil
  }

  /// Returns whether a response with another status than success is what the request asked for, if no serializer is
  /// used: a declined redirect, or 304 to a conditional request.
  private func isWanted(_ response: Response, by request: Request) -> Bool {
    guard case nil = request.options.expectedContent else { return false }
    if response.status == .notModified {
      return request.fields.contains(.ifNoneMatch) || request.fields.contains(.ifModifiedSince)
    }
    return response[note: Redirects.isRefused]
  }

  private func wrongMediaType(
    _ response: Response,
    to request: Request,
    _ expected: Acceptance
  ) -> ExchangeError? {
    guard !expected.mediaTypes.isEmpty, request.method != .head, !response.hasNoContent,
      response.body.length != 0
    else { return nil }
    let declared = response.fields.first(of: .contentType)
    guard !expected.accepts(declared.flatMap { MediaType($0) }) else { return nil }
    return ExchangeError(
      .mediaType,
      "unexpected content type \(declared.flatMap { $0.isEmpty ? nil : Format.oneLine($0) } ?? "(none)") "
        + "(expected \(expected.mediaTypes.map(\.description).joined(separator: ", ")))",
      advice: "if the server mislabels its content, accept the type with options.expectedContent"
    )
  }

  /// The maximum time to wait for a refused body.
  private static let patience = Duration.seconds(10)

  /// The start of a refused body, as far as an error keeps it, and whether that is all of it. Neither a failure
  /// of the body nor its slowness must hide the refusal.
  ///
  /// - Parameter reader: Gets all of the body, at its own pace; what it throws is thrown instead of the refusal.
  private func start(
    of response: Response,
    for request: Request,
    passingTo reader: RefusedBodyReader?
  ) async throws -> (Bytes, isComplete: Bool) {
    let limit = request.options.errorBodyLimit
    let time: any TimeSource = request.clock
    let timer =
      reader == nil
      ? time.timer(at: time.now.advanced(by: Self.patience)) { response.body.cancel() } : nil
    defer {
      timer?.cancel()
      response.body.cancel()
    }
    var prefix: [UInt8] = []
    var isComplete = true
    var body = response.body.makeAsyncIterator()
    while true {
      let chunk: Bytes?
      do {
        chunk = try await body.next()
      } catch let error as CancellationError {
        throw error
      } catch {
        return (Bytes(prefix), false)
      }
      try await reader?(chunk)
      guard let chunk else { return (Bytes(prefix), isComplete) }
      let room = limit - prefix.count
      chunk.prefix(room).withUnsafeBytes { prefix.append(contentsOf: $0) }
      guard chunk.count > room else { continue }
      isComplete = false
      if reader == nil { return (Bytes(prefix), false) }
    }
  }

  /// An error of the error model, without the body and the advice that the outer error has already.
  private static func cause(_ error: any Error) -> any Error {
    guard var error = error as? ExchangeError else { return error }
    (error.bodyPrefix, error.advice) = (Bytes(), nil)
    return error
  }

  /// Adds what is known of the response.
  private func complete(
    _ refusal: ExchangeError,
    with response: Response,
    _ prefix: Bytes,
    _ isComplete: Bool,
    for request: Request
  ) async -> ExchangeError {
    var refusal = refusal
    refusal.response = response.head
    refusal.bodyPrefix = prefix
    if isComplete, let model = request.options.errorModel {
      var copy = response
      copy.body = .bytes(prefix)
      do {
        refusal.decodedBody = try await model.decode(copy)
      } catch {
        if refusal.underlying == nil, !prefix.isEmpty { refusal.underlying = Self.cause(error) }
      }
    }
    return refusal
  }
}

/// The model for decoding the body of a refused response.
public struct ErrorModel: Sendable {
  fileprivate let decode: @Sendable (Response) async throws -> (any Sendable)?

  /// Creates a model that decodes with a serializer, if it accepts the media type; otherwise the error only has the
  /// bytes. If the serializer fails, its error is the ``ExchangeError/underlying`` one, unless there is another.
  public init(_ serializer: some ResponseSerializer) {
    decode = { response in
      guard serializer.accepts.accepts(response.mediaType) else { return nil }
      return try await serializer.serialize(response)
    }
  }
}

extension RequestOptions {
  static let errorModel = RequestOption<ErrorModel?>("errorModel", default: nil, distinguishes: false)

  /// The model for decoding the body of a refused response in errors; `nil` by default.
  public var errorModel: ErrorModel? {
    get { self[Self.errorModel] }
    set { self[Self.errorModel] = newValue }
  }

  static let validation = RequestOption<[Validation.Predicate]>(
    "validation",
    default: [],
    distinguishes: false
  )

  /// Additional validation predicates; none by default.
  public var validation: [Validation.Predicate] {
    get { self[Self.validation] }
    set { self[Self.validation] = newValue }
  }
}

/// Takes the body of a response that is refused because of its status: each chunk, and `nil` once it has ended well.
package typealias RefusedBodyReader = @Sendable (Bytes?) async throws -> Void

extension RequestOptions {
  private static let refusedBodyReader = RequestOption<RefusedBodyReader?>(
    "refusedBodyReader",
    default: nil,
    distinguishes: false
  )

  /// Takes the whole body of a response with an unexpected status, before the error is thrown; `nil` by default.
  package var refusedBodyReader: RefusedBodyReader? {
    get { self[Self.refusedBodyReader] }
    set { self[Self.refusedBodyReader] = newValue }
  }
}
