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
    /// `application/json`, in the order of the parameters, with all that share a key.
    case json
    /// `application/x-plist`, where keys have no order.
    ///
    /// Property lists have no null and no two members with one key: parameters with either are refused. Nulls
    /// are left out where ``QueryEncoder/nullStyle`` is `drop`.
    case propertyList(PropertyListFormat)
  }

  /// How keys and values are written. JSON takes the styles of dates, data and coding keys from it, a property
  /// list nothing: dates and data are values of its own.
  public var encoder: QueryEncoder

  /// The charset of the text of a form, which the Content-Type then names; nil for UTF-8, which is not named.
  public var charset: Charset?

  /// What a body is written as.
  public var format: BodyFormat

  /// The methods whose requests carry parameters in the query.
  public var queryMethods: Set<HTTPRequest.Method>

  /// A serializer.
  ///
  /// - Parameters:
  ///   - format: What a body is written as.
  ///   - encoder: How keys and values are written, by default in AFNetworking's style.
  ///   - charset: The charset of the text of a form; nil for UTF-8.
  ///   - queryMethods: The methods whose requests carry parameters in the query.
  public init(
    in format: BodyFormat = .form,
    encoder: QueryEncoder = QueryEncoder(),
    charset: Charset? = nil,
    queryMethods: Set<HTTPRequest.Method> = [.get, .head, .delete]
  ) {
    self.format = format
    self.encoder = encoder
    self.charset = charset
    self.queryMethods = queryMethods
  }

  /// Changes the query or the body; without parameters, JSON and property lists leave the request alone.
  ///
  /// - Throws: ``ParameterEncodingError``, or what a custom style throws.
  public func serialize(_ parameters: Parameters, into request: inout Request) throws {
    if queryMethods.contains(request.method) {
      return try QueryRequestSerializer(encoder: encoder).serialize(parameters, into: &request)
    }
    switch format {
    case .form:
      try FormRequestSerializer(encoder: encoder, charset: charset).serialize(parameters, into: &request)
    case .json:
      guard !parameters.members.isEmpty else { return }
      try JSONValueRequestSerializer().serialize(parameters.json(in: encoder), into: &request)
    case .propertyList(let format):
      guard !parameters.members.isEmpty else { return }
      try PropertyListRequestSerializer(format: format)
        .serialize(PropertyListParameters(parameters, style: encoder), into: &request)
    }
  }

  /// The same for an `Encodable` value: with keys in a query and a form, of any kind in JSON and a property
  /// list, which are what `JSONEncoder` and `PropertyListEncoder` make of it.
  public func encoding<Value: Encodable & Sendable>(
    _ type: Value.Type = Value.self
  ) -> some RequestSerializer<Value> {
    ValueParametersSerializer(base: self)
  }
}

/// Puts an `Encodable` value where parameters would go.
private struct ValueParametersSerializer<Value: Encodable & Sendable>: RequestSerializer {
  let base: ParametersRequestSerializer

  var name: String { base.name }

  func serialize(_ value: Value, into request: inout Request) throws {
    let encoder = base.encoder
    switch base.queryMethods.contains(request.method) ? .form : base.format {
    case .form: try base.serialize(encoder.parameters(encoding: value), into: &request)
    case .json: try JSONRequestSerializer(encoder: encoder.jsonEncoder).serialize(value, into: &request)
    case .propertyList(let format):
      try PropertyListRequestSerializer(format: format).serialize(value, into: &request)
    }
  }
}

extension RequestContent {
  /// Parameters for the query of GET, HEAD and DELETE, for the body of every other method.
  public static func parameters(
    _ parameters: Parameters,
    in format: ParametersRequestSerializer.BodyFormat = .form,
    encoder: QueryEncoder = QueryEncoder(),
    charset: Charset? = nil,
    queryMethods: Set<HTTPRequest.Method> = [.get, .head, .delete]
  ) -> RequestContent {
    let serializer = ParametersRequestSerializer(
      in: format,
      encoder: encoder,
      charset: charset,
      queryMethods: queryMethods
    )
    return RequestContent(parameters, serializer)
  }

  /// An `Encodable` value for the query of GET, HEAD and DELETE, for the body of every other method; see
  /// ``ParametersRequestSerializer/encoding(_:)``.
  public static func parameters(
    encoding value: some Encodable & Sendable,
    in format: ParametersRequestSerializer.BodyFormat = .form,
    encoder: QueryEncoder = QueryEncoder(),
    charset: Charset? = nil,
    queryMethods: Set<HTTPRequest.Method> = [.get, .head, .delete]
  ) -> RequestContent {
    let serializer = ParametersRequestSerializer(
      in: format,
      encoder: encoder,
      charset: charset,
      queryMethods: queryMethods
    )
    return RequestContent(value, serializer.encoding())
  }
}
