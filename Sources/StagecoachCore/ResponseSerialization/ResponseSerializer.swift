import HTTPTypes

/// Makes a typed value of a response.
///
/// What it declares in ``accepts`` drives three things: the Accept field of the request, the check of
/// the validation stage, and the choice of the compound serializer.
///
/// ```swift
/// struct LineCount: ResponseSerializer {
///   let accepts = Acceptance(mediaTypes: [.plainText])
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
  /// What it makes.
  associatedtype Output: Sendable

  /// The name that errors and events show; the name of the type by default.
  var name: String { get }

  /// What it can read.
  var accepts: Acceptance { get }

  /// Reads the body and makes the value.
  ///
  /// It runs on no actor and on no event loop. The options of the request are in
  /// `response.request?.options`.
  func serialize(_ response: Response) async throws -> Output
}

extension ResponseSerializer {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }

  /// The same serializer with its output passed through a closure.
  public func map<New: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> New
  ) -> MappedResponseSerializer<Self, New> {
    MappedResponseSerializer(base: self, transform: transform)
  }
}

/// A serializer whose output passes through a closure; see ``ResponseSerializer/map(_:)``.
public struct MappedResponseSerializer<Base: ResponseSerializer, Output: Sendable>: ResponseSerializer {
  let base: Base
  let transform: @Sendable (Base.Output) throws -> Output

  /// The name of the serializer underneath.
  public var name: String { base.name }
  /// What the serializer underneath accepts.
  public var accepts: Acceptance { base.accepts }

  /// Makes the value underneath and transforms it.
  public func serialize(_ response: Response) async throws -> Output {
    try transform(await base.serialize(response))
  }
}

extension Response {
  /// Collects the body within the limit that the request sets (``RequestOptions/bodyLimit``).
  public func collectBody() async throws -> Bytes {
    try await body.collect(upTo: request?.options.bodyLimit ?? RequestOptions.bodyLimit.defaultValue)
  }

  /// Whether this response has no content whatever its fields say (RFC 9110 6.4.1): an answer to HEAD,
  /// 1xx, 204, 205 or 304.
  public var hasNoContent: Bool {
    if request?.method == .head { return true }
    return switch status.code {
    case 100..<200, 204, 205, 304: true
    default: false
    }
  }
}
