import HTTPTypes

/// Puts parameters into the body as `application/x-www-form-urlencoded`, in the style of its encoder.
///
/// The body is in memory, so it can be sent again.
public struct FormRequestSerializer: RequestSerializer {
  /// How keys and values are written.
  public var encoder: QueryEncoder

  /// The charset of the text, which the Content-Type then names; nil for UTF-8, which is not named.
  ///
  /// It must contain ASCII: UTF-16 and UTF-32 do not.
  public var charset: Charset?

  /// A serializer over an encoder, by default in AFNetworking's style, which every form parser reads.
  public init(encoder: QueryEncoder = QueryEncoder(), charset: Charset? = nil) {
    self.encoder = encoder
    self.charset = charset
  }

  /// Replaces the body, with an empty one if there are no parameters, and declares its type unless the
  /// request declares one.
  ///
  /// - Throws: ``ParameterEncodingError``, or what a custom style throws.
  public func serialize(_ parameters: Parameters, into request: inout Request) throws {
    let type = charset.map { MediaType.form.with(charset: $0) } ?? .form
    request.setContent(.bytes(try encoder.encode(parameters, in: charset)), as: type)
  }

  /// The same for an `Encodable` value with keys.
  public func encoding<Value: Encodable & Sendable>(
    _ type: Value.Type = Value.self
  ) -> some RequestSerializer<Value> {
    EncodedParametersSerializer(base: self, encoder: encoder)
  }
}

extension RequestContent {
  /// Parameters for the body, as a form.
  public static func form(
    _ parameters: Parameters,
    encoder: QueryEncoder = QueryEncoder(),
    charset: Charset? = nil
  ) -> RequestContent {
    RequestContent(parameters, FormRequestSerializer(encoder: encoder, charset: charset))
  }

  /// An `Encodable` value with keys for the body, as a form.
  public static func form(
    encoding value: some Encodable & Sendable,
    encoder: QueryEncoder = QueryEncoder(),
    charset: Charset? = nil
  ) -> RequestContent {
    RequestContent(value, FormRequestSerializer(encoder: encoder, charset: charset).encoding())
  }
}
