public import HTTPTypes

/// Puts parameters where the method of the request has room for them: into the query of GET, HEAD and DELETE,
/// into the body of every other.
///
/// ```swift
/// let found: [User] = try await client.get("users", .parameters(["name": "jack"]))
/// let made: User = try await client.post("users", .parameters(["name": "jack"], in: .json))
/// ```
public struct ParametersRequestSerializer: RequestSerializer {
  /// What a body is written as.
  @nonexhaustive
  public enum BodyFormat: Sendable, Hashable {
    /// `application/x-www-form-urlencoded`.
    case form
    /// `application/json`, in the order of the parameters.
    case json
  }

  /// How keys and values are written; JSON takes the styles of dates and data from it.
  public var encoder: QueryEncoder

  /// What a body is written as.
  public var format: BodyFormat

  /// The methods whose requests carry parameters in the query.
  public var queryMethods: Set<HTTPRequest.Method>

  /// A serializer.
  ///
  /// - Parameters:
  ///   - format: What a body is written as.
  ///   - encoder: How keys and values are written, by default in AFNetworking's style.
  ///   - queryMethods: The methods whose requests carry parameters in the query.
  public init(
    in format: BodyFormat = .form,
    encoder: QueryEncoder = QueryEncoder(),
    queryMethods: Set<HTTPRequest.Method> = [.get, .head, .delete]
  ) {
    self.format = format
    self.encoder = encoder
    self.queryMethods = queryMethods
  }

  /// Changes the query or the body; without parameters, JSON leaves the request alone.
  ///
  /// - Throws: ``ParameterEncodingError``, or what a custom style throws.
  public func serialize(_ parameters: Parameters, into request: inout Request) throws {
    if queryMethods.contains(request.method) {
      return try QueryRequestSerializer(encoder: encoder).serialize(parameters, into: &request)
    }
    switch format {
    case .form:
      try FormRequestSerializer(encoder: encoder).serialize(parameters, into: &request)
    case .json:
      guard !parameters.members.isEmpty else { return }
      try JSONValueRequestSerializer().serialize(parameters.json(in: encoder), into: &request)
    }
  }

  /// The same for an `Encodable` value with keys.
  public func encoding<Value: Encodable & Sendable>(
    _ type: Value.Type = Value.self
  ) -> some RequestSerializer<Value> {
    EncodedParametersSerializer(base: self, encoder: encoder)
  }
}

extension RequestContent {
  /// Parameters for the query of GET, HEAD and DELETE, for the body of every other method.
  public static func parameters(
    _ parameters: Parameters,
    in format: ParametersRequestSerializer.BodyFormat = .form,
    encoder: QueryEncoder = QueryEncoder(),
    queryMethods: Set<HTTPRequest.Method> = [.get, .head, .delete]
  ) -> RequestContent {
    RequestContent(
      parameters,
      ParametersRequestSerializer(in: format, encoder: encoder, queryMethods: queryMethods)
    )
  }

  /// An `Encodable` value with keys for the query of GET, HEAD and DELETE, for the body of every other method.
  public static func parameters(
    encoding value: some Encodable & Sendable,
    in format: ParametersRequestSerializer.BodyFormat = .form,
    encoder: QueryEncoder = QueryEncoder(),
    queryMethods: Set<HTTPRequest.Method> = [.get, .head, .delete]
  ) -> RequestContent {
    RequestContent(
      value,
      ParametersRequestSerializer(in: format, encoder: encoder, queryMethods: queryMethods).encoding()
    )
  }
}
