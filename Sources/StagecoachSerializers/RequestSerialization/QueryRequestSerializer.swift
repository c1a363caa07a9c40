import HTTPTypes
public import StagecoachCore

/// A serializer that adds parameters to the query of a request.
public struct QueryRequestSerializer: RequestSerializer {
  /// Determines how keys and values are written.
  public var encoder: QueryEncoder

  /// Creates a serializer with an encoder, by default in AFNetworking's style.
  public init(encoder: QueryEncoder = QueryEncoder()) {
    self.encoder = encoder
  }

  /// Appends the parameters to the target; without parameters nothing changes, and no `?` is added.
  ///
  /// - Throws: ``ParameterError``, or any error of a custom style.
  public func serialize(_ parameters: Parameters, into request: inout Request) throws {
    let query = try encoder.encode(parameters)
    if let reference = request.reference {
      request.reference = QueryEncoder.appending(query: query, to: reference)
    } else {
      request.head.path = QueryEncoder.appending(query: query, to: request.head.path ?? "/")
    }
  }

  /// Returns a serializer that adds an `Encodable` value with keys in the same way.
  public func encoding<Value: Encodable & Sendable>(
    _ type: Value.Type = Value.self
  ) -> some RequestSerializer<Value> {
    EncodedParametersSerializer(base: self, encoder: encoder)
  }
}

extension RequestContent {
  /// Returns content that adds parameters to the query.
  public static func query(
    _ parameters: Parameters,
    encoder: QueryEncoder = QueryEncoder()
  ) -> RequestContent {
    RequestContent(parameters, QueryRequestSerializer(encoder: encoder))
  }

  /// Returns content that adds an `Encodable` value with keys to the query.
  public static func query(
    encoding value: some Encodable & Sendable,
    encoder: QueryEncoder = QueryEncoder()
  ) -> RequestContent {
    RequestContent(value, QueryRequestSerializer(encoder: encoder).encoding())
  }
}
