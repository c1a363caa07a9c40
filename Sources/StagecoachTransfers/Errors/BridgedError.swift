/// The domains and keys of the errors that `NSError(bridging:)` creates, with the values that AFNetworking used.
public enum BridgedError {
  /// The domain of responses with an unexpected status (-1011) or content type (-1016).
  public static let responseDomain = "com.alamofire.error.serialization.response"
  /// The domain of requests whose parameters (-1016) or files (-1000) cannot be sent.
  public static let requestDomain = "com.alamofire.error.serialization.request"
  /// The key of the response, an `HTTPResponse` without secrets. (AFNetworking's value was an `HTTPURLResponse`, whose
  /// module links libcurl on Linux.)
  public static let responseKey = "com.alamofire.serialization.response.error.response"
  /// The key of the first bytes of the response body, a `Data` of at most `options.errorBodyLimit` bytes.
  public static let dataKey = "com.alamofire.serialization.response.error.data"
}
