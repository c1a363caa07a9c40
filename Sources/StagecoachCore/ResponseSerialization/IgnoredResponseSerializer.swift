/// Reads the body to its end and forgets it, chunk by chunk: that the whole response came is all that matters.
public struct IgnoredResponseSerializer: ResponseSerializer {
  /// What it can read: anything by default.
  public var accepts: Acceptance

  /// A serializer.
  public init(accepting accepts: Acceptance = .any) {
    self.accepts = accepts
  }

  /// Reads the body to its end, within the request's body limit.
  ///
  /// - Throws: ``ExchangeError`` if the body fails or exceeds the limit, which bounds the time that nobody needs.
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
  /// Nothing, whatever the content.
  public static var ignored: IgnoredResponseSerializer { IgnoredResponseSerializer() }
}
