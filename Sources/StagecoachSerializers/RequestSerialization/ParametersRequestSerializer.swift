public import HTTPTypes
public import StagecoachCore

/// A serializer that sends parameters according to the method: in the query of GET, HEAD and DELETE, in the body of
/// all other methods.
///
/// ```swift
/// let found: [User] = try await client.get("users", .parameters(["name": "jack"]))
/// let made: User = try await client.post("users", .parameters(["name": "jack"], in: .json))
/// ```
public struct ParametersRequestSerializer: RequestSerializer {
  /// The format of a body.
  @nonexhaustive
  public enum BodyFormat: Sendable, Hashable {
    /// `application/x-www-form-urlencoded`.
    case form
    /// `application/json`, in the order of the parameters, with all that share a key.
    case json
    /// `application/x-plist`, in which keys have no order.
    ///
    /// Property lists have no null and no duplicate keys: parameters with either are refused. Nulls are omitted if
    /// ``QueryEncoder/nullStyle`` is `drop`.
    case propertyList(PropertyListFormat)
  }

  /// Determines how keys and values are written. JSON uses its styles of dates, data and coding keys; a property list
  /// uses nothing, because it has its own types for dates and data.
  public var encoder: QueryEncoder

  /// The charset of the text of a form, which Content-Type then declares; `nil` for UTF-8, which is not declared.
  public var charset: Charset?

  /// The format of a body.
  public var format: BodyFormat

  /// The methods whose parameters are sent in the query.
  public var queryMethods: Set<HTTPRequest.Method>

  /// Creates a serializer.
  ///
  /// - Parameters:
  ///   - format: The format of a body.
  ///   - encoder: Determines how keys and values are written, by default in AFNetworking's style.
  ///   - charset: The charset of the text of a form; `nil` for UTF-8.
  ///   - queryMethods: The methods whose parameters are sent in the query.
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

  /// Changes the query or the body. Without parameters, JSON and property lists leave the request unchanged.
  ///
  /// - Throws: ``ParameterError``, or any error of a custom style.
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

  /// Returns a serializer that sends an `Encodable` value in the same way: a value with keys in a query and a form,
  /// any value in JSON and a property list, which `JSONEncoder` and `PropertyListEncoder` encode.
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
  /// Returns content that sends parameters in the query of GET, HEAD and DELETE, in the body of all other methods.
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

  /// Returns content that sends an `Encodable` value in the query of GET, HEAD and DELETE, in the body of all other
  /// methods; see ``ParametersRequestSerializer/encoding(_:)``.
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
