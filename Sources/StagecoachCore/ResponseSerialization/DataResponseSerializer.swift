/// Collects the body as bytes, whatever its type.
public struct DataResponseSerializer: ResponseSerializer {
  /// What it can read: anything by default.
  public var accepts: Acceptance

  /// A serializer.
  public init(accepting accepts: Acceptance = .any) {
    self.accepts = accepts
  }

  /// Collects the body within the request's body limit.
  public func serialize(_ response: Response) async throws -> Bytes {
    try await response.collectBody()
  }
}

extension ResponseSerializer where Self == DataResponseSerializer {
  /// The body as bytes.
  public static var data: DataResponseSerializer { DataResponseSerializer() }
}
