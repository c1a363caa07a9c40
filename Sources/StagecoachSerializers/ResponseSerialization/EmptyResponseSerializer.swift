public import StagecoachCore

/// A serializer that expects no content, such as for a 204, and refuses any content.
public struct EmptyResponseSerializer: ResponseSerializer {
  /// The accepted content: any success, whatever type it declares.
  public var accepts: Acceptance

  /// Creates a serializer.
  public init(accepting accepts: Acceptance = .any) {
    self.accepts = accepts
  }

  /// Checks that the body is empty. A single space, which some servers send, counts as empty.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` with the start of the content; the transfer is cancelled.
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
      "unexpected content: the response should be empty",
      advice: "use a serializer for the content, or .ignored to discard it"
    )
    failure.bodyPrefix = content
    return failure
  }
}

extension ResponseSerializer where Self == EmptyResponseSerializer {
  /// A serializer that expects no content.
  public static var empty: EmptyResponseSerializer { EmptyResponseSerializer() }
}
