public import StagecoachCore

/// A serializer that collects the body as bytes, whatever its type.
public struct DataResponseSerializer: ResponseSerializer {
  /// The accepted content; any by default.
  public var accepts: Acceptance

  /// Creates a serializer.
  public init(accepting accepts: Acceptance = .any) {
    self.accepts = accepts
  }

  /// Collects the body, up to the request's body limit.
  public func serialize(_ response: Response) async throws -> Bytes {
    try await response.collectBody()
  }
}

extension ResponseSerializer where Self == DataResponseSerializer {
  /// A serializer for the body as bytes.
  public static var data: DataResponseSerializer { DataResponseSerializer() }
}
