import HTTPTypes

/// Decodes a response into a typed value.
///
/// Its declaration in ``accepts`` determines three things: the Accept field of the request, the checks of the
/// validation stage, and the choice of the compound serializer.
///
/// ```swift
/// struct LineCount: ResponseSerializer {
///   let accepts = Acceptance(.plainText)
///   func serialize(_ response: Response) async throws -> Int {
///     var lines = 0
///     for try await chunk in response.body {
///       lines += chunk.withUnsafeBytes { $0.count { $0 == UInt8(ascii: "\n") } }
///     }
///     return lines
///   }
/// }
/// let lines = try await client.value(for: .get("log"), as: LineCount())
/// ```
public protocol ResponseSerializer<Output>: Sendable {
  /// The type of the value.
  associatedtype Output: Sendable

  /// The name in errors and events; the name of the type by default.
  var name: String { get }

  /// The content that the serializer can read.
  var accepts: Acceptance { get }

  /// Reads the body and returns the value.
  ///
  /// Runs on no actor and on no event loop. The options of the request are available as `response.request?.options`.
  ///
  /// - Throws: An ``ExchangeError``, or any other error, which becomes the underlying error of an ``ExchangeError`` of
  ///   kind `serialization` that names the serializer.
  func serialize(_ response: Response) async throws -> Output
}

extension ResponseSerializer {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }

  /// Returns a serializer that passes its output through a closure.
  public func map<New: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> New
  ) -> MappedResponseSerializer<Self, New> {
    MappedResponseSerializer(base: self, transform: transform)
  }
}

/// A serializer that passes the output of another serializer through a closure.
public struct MappedResponseSerializer<Base: ResponseSerializer, Output: Sendable>: ResponseSerializer {
  package let base: Base
  package let transform: @Sendable (Base.Output) throws -> Output

  /// The name of the underlying serializer.
  public var name: String { base.name }
  /// The content that the underlying serializer accepts.
  public var accepts: Acceptance { base.accepts }

  /// Decodes the response with the underlying serializer and transforms the value.
  public func serialize(_ response: Response) async throws -> Output {
    try transform(await base.serialize(response))
  }
}

extension Response {
  /// Collects the body, up to the limit of the request (``RequestOptions/bodyLimit``).
  public func collectBody() async throws -> Bytes {
    try await body.collect(upTo: request?.options.bodyLimit ?? RequestOptions.bodyLimit.defaultValue)
  }

  /// Whether the response has no content, whatever its fields say: an answer to HEAD, or status 1xx, 204, 205 or 304
  /// (RFC 9110 6.4.1).
  public var hasNoContent: Bool {
    if request?.method == .head { return true }
    return switch status.code {
    case 100..<200, 204, 205, 304: true
    default: false
    }
  }
}
