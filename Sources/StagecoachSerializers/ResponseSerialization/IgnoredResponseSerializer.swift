public import StagecoachCore

/// A serializer that reads the body to its end and discards it, to ensure that the whole response arrived.
public struct IgnoredResponseSerializer: ResponseSerializer {
  /// The accepted content; any by default.
  public var accepts: Acceptance

  /// Creates a serializer.
  public init(accepting accepts: Acceptance = .any) {
    self.accepts = accepts
  }

  /// Reads the body to its end, up to the request's body limit.
  ///
  /// - Throws: ``ExchangeError`` if the body fails or exceeds the limit, which bounds the time spent on discarded
  ///   content.
  public func serialize(_ response: Response) async throws {
    let limit = response.request?.options.bodyLimit ?? RequestOptions.bodyLimit.defaultValue
    var count = 0
    for try await chunk in response.body {
      count += chunk.count
      guard count <= limit else { throw ExchangeError.bodyLimit(limit, prefix: chunk) }
    }
  }
}

extension ResponseSerializer where Self == IgnoredResponseSerializer {
  /// A serializer that discards any content.
  public static var ignored: IgnoredResponseSerializer { IgnoredResponseSerializer() }
}
