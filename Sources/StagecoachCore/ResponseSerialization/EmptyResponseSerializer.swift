/// Expects no content, as of a 204, and refuses any.
public struct EmptyResponseSerializer: ResponseSerializer {
  /// What it can read: any success, whatever type it declares for nothing.
  public var accepts: Acceptance

  /// A serializer.
  public init(accepting accepts: Acceptance = .any) {
    self.accepts = accepts
  }

  /// Makes sure that the body ends before it has begun. The single space that some servers send for nothing
  /// is nothing.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` with the start of the content, whose transfer is
  ///   cancelled.
  public func serialize(_ response: Response) async throws {
    var first = Bytes()
    for try await chunk in response.body {
      guard first.isEmpty, chunk.isBlank else {
        response.body.cancel()
        throw Self.unexpected(first.isEmpty ? chunk : Bytes(first.array + chunk.prefix(256).array))
      }
      first = chunk
    }
  }

  private static func unexpected(_ content: Bytes) -> ExchangeError {
    var failure = ExchangeError(
      .serialization,
      "the response has content, none was expected",
      advice: "read it with a serializer that makes a value of it, or ignore it with .ignored"
    )
    failure.bodyPrefix = content
    return failure
  }
}

extension ResponseSerializer where Self == EmptyResponseSerializer {
  /// No content.
  public static var empty: EmptyResponseSerializer { EmptyResponseSerializer() }
}
