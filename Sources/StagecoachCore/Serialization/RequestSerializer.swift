/// Encodes a typed input into a request: its query, its body, its fields.
///
/// ```swift
/// struct Tagged: RequestSerializer {
///   func serialize(_ input: String, into request: inout Request) throws {
///     request.body = .bytes(Bytes("<tag>\(input)</tag>"))
///     if !request.fields.contains(.contentType) { request.fields[.contentType] = "text/x-tag" }
///   }
/// }
/// let answer = try await client.value(for: .post("tags"), sending: RequestContent("a", Tagged()), as: .text)
/// ```
public protocol RequestSerializer<Input>: Sendable {
  /// The type of the input.
  associatedtype Input: Sendable

  /// The name in errors; the name of the type by default.
  var name: String { get }

  /// Changes a request so that it contains the input.
  ///
  /// A field that the request already has was set by the caller and must be kept.
  func serialize(_ input: Input, into request: inout Request) throws
}

extension RequestSerializer {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }
}

/// An input together with the serializer that encodes it.
///
/// ```swift
/// try await client.post("users", .json(user), as: .json(User.self))
/// try await client.get("search", .query(["q": "coach"]), as: .text)
/// try await client.post("users", .query(["notify": true]).and(.json(user)))
/// ```
public struct RequestContent: Sendable {
  private let change: @Sendable (inout Request) throws -> Void

  /// Creates content from an input and its serializer.
  public init<Serializer: RequestSerializer>(_ input: Serializer.Input, _ serializer: Serializer) {
    change = { request in
      do {
        try serializer.serialize(input, into: &request)
      } catch {
        throw ExchangeError.wrapping(
          error,
          as: .requestSerialization,
          stage: serializer.name,
          request: request
        )
      }
    }
  }

  private init(change: @escaping @Sendable (inout Request) throws -> Void) {
    self.change = change
  }

  /// Returns this content followed by another, for example a query and a body.
  public func and(_ other: RequestContent) -> RequestContent {
    RequestContent { [change] request in
      try change(&request)
      try other.change(&request)
    }
  }

  /// Encodes the input into a request.
  ///
  /// - Throws: ``ExchangeError`` of kind `requestSerialization` that names the serializer.
  public func apply(to request: inout Request) throws {
    try change(&request)
  }
}
