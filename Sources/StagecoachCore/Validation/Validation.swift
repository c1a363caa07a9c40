public import HTTPTypes

/// The stage that refuses a response which is not what the caller asked for.
///
/// Status and media type are checked against what the response serializer declares, or what the
/// request overrides (``RequestOptions/expectedContent``); then predicates are asked. The error carries the head, the
/// start of the body, as far as it comes within ten seconds, and, where the request has an ``ErrorModel``, the
/// decoded body.
///
/// Where nothing is to be made of the content, a redirect that the caller's policy refuses is a response like any
/// other, and so is 304 to a request with a condition of its own (RFC 9110 13.1).
///
/// A wrong media type without content is no failure: there is nothing that could be misread.
///
/// ```swift
/// Validation { response in
///   guard response.fields[.server] != nil else { throw Missing.server }
/// }
/// ```
public struct Validation: Middleware {
  /// Judges a response by its head; throws to refuse it.
  public typealias Predicate = @Sendable (HTTPResponse) throws -> Void

  private let predicates: [Predicate]

  /// Checks status and media type.
  public init() {
    predicates = []
  }

  /// Checks status and media type, then asks predicates.
  public init(_ predicates: Predicate...) {
    self.predicates = predicates
  }

  /// Judges the response of the stages below.
  ///
  /// - Throws: ``ExchangeError`` of kind `status`, `mediaType` or `validation`.
  public func handle(_ request: Request, next: Next) async throws -> Response {
    let response = try await next(request)
    guard let refusal = try judge(response, to: request) else { return response }
    return try await refuse(response, refusal, to: request)
  }

  // Errors are large, and every request in flight holds a frame of `handle`: they stay out of it.

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
    let (prefix, isComplete) = try await start(of: response, for: request)
    if refusal.error.kind == .mediaType, isComplete, prefix.isEmpty {
      // Only its end has told that there is no content.
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
        "the status is \(Format.status(response.status)), acceptable is \(accepted.joined(separator: ", "))",
        advice: "the body may say why; accept the status with options.expectedContent",
        underlying: wrongType
      )
    }
    if let wrongType { return wrongType }
    return try failure(of: predicates, on: response) ?? failure(of: request.options.validation, on: response)
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

  /// Whether a response without a value to make of it is what the request asked for, though its status is none of
  /// success: a redirect that is not to be followed, or that what the caller has is still fresh.
  private func isWanted(_ response: Response, by request: Request) -> Bool {
    guard case nil = request.options.expectedContent else { return false }
    if response.status == .notModified {
      return request.fields.contains(.ifNoneMatch) || request.fields.contains(.ifModifiedSince)
    }
    return response.isRefusedRedirect
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
      "the content is \(declared.flatMap { $0.isEmpty ? nil : Format.oneLine($0) } ?? "of no declared type"), "
        + "acceptable is \(expected.mediaTypes.map(\.description).joined(separator: ", "))",
      advice: "if the server mislabels its content, accept the type with options.expectedContent"
    )
  }

  /// How long a refused body is waited for.
  private static let patience = Duration.seconds(10)

  /// The start of a refused body, as far as an error keeps it, and whether that is all of it. Neither a failure
  /// of the body nor its slowness must hide the refusal.
  private func start(of response: Response, for request: Request) async throws -> (Bytes, isComplete: Bool) {
    let limit = request.options.errorBodyLimit
    let time: any TimeSource = request.time
    let timer = Task {
      try await time.sleep(until: time.now.advanced(by: Self.patience))
      response.body.cancel()
    }
    defer { timer.cancel() }
    var prefix: [UInt8] = []
    var isComplete = true
    do {
      for try await chunk in response.body {
        let room = limit - prefix.count
        chunk.prefix(room).withUnsafeBytes { prefix.append(contentsOf: $0) }
        guard chunk.count <= room else {
          isComplete = false
          break
        }
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      isComplete = false
    }
    response.body.cancel()
    return (Bytes(prefix), isComplete)
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
      refusal.decodedBody = await model.decode(copy)
    }
    return refusal
  }
}

/// How to decode the body of a response that validation refused.
public struct ErrorModel: Sendable {
  fileprivate let decode: @Sendable (Response) async -> (any Sendable)?

  /// Decodes with a serializer, if that accepts the media type; what it cannot decode stays bytes.
  public init(_ serializer: some ResponseSerializer) {
    decode = { response in
      guard serializer.accepts.accepts(response.mediaType) else { return nil }
      return try? await serializer.serialize(response)
    }
  }
}

extension RequestOptions {
  static let errorModel = RequestOption<ErrorModel?>("errorModel", default: nil)

  /// The model that errors decode a refused body with; none by default.
  public var errorModel: ErrorModel? {
    get { self[Self.errorModel] }
    set { self[Self.errorModel] = newValue }
  }

  static let validation = RequestOption<[Validation.Predicate]>("validation", default: [])

  /// Further predicates of the caller; none by default.
  public var validation: [Validation.Predicate] {
    get { self[Self.validation] }
    set { self[Self.validation] = newValue }
  }
}
