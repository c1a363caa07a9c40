import HTTPTypes

/// Puts parameters into the query of a request, in the style of its encoder.
public struct QueryRequestSerializer: RequestSerializer {
  /// How keys and values are written.
  public var encoder: QueryEncoder

  /// A serializer over an encoder, by default in AFNetworking's style.
  public init(encoder: QueryEncoder = QueryEncoder()) {
    self.encoder = encoder
  }

  /// Appends the parameters to the target; without parameters nothing changes, not even a `?`.
  ///
  /// - Throws: ``ParameterEncodingError``, or what a custom style throws.
  public func serialize(_ parameters: Parameters, into request: inout Request) throws {
    let query = try encoder.encode(parameters)
    if let reference = request.reference {
      request.reference = QueryEncoder.appending(query: query, to: reference)
    } else {
      request.head.path = QueryEncoder.appending(query: query, to: request.head.path ?? "/")
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
  /// Parameters for the query.
  public static func query(
    _ parameters: Parameters,
    encoder: QueryEncoder = QueryEncoder()
  ) -> RequestContent {
    RequestContent(parameters, QueryRequestSerializer(encoder: encoder))
  }

  /// An `Encodable` value with keys for the query.
  public static func query(
    encoding value: some Encodable & Sendable,
    encoder: QueryEncoder = QueryEncoder()
  ) -> RequestContent {
    RequestContent(value, QueryRequestSerializer(encoder: encoder).encoding())
  }
}
