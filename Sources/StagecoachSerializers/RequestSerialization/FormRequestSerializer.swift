import HTTPTypes
public import StagecoachCore

/// A serializer that sends parameters as a form, `application/x-www-form-urlencoded`.
///
/// The body is in memory, so it is replayable.
public struct FormRequestSerializer: RequestSerializer {
  /// Determines how keys and values are written.
  public var encoder: QueryEncoder

  /// The charset of the text, which Content-Type then declares; `nil` for UTF-8, which is not declared.
  ///
  /// It must contain ASCII: UTF-16 and UTF-32 are not allowed.
  public var charset: Charset?

  /// Creates a serializer with an encoder, by default in AFNetworking's style, which every form parser supports.
  public init(encoder: QueryEncoder = QueryEncoder(), charset: Charset? = nil) {
    self.encoder = encoder
    self.charset = charset
  }

  /// Replaces the body, by an empty one if there are no parameters, and sets Content-Type unless the request has one.
  ///
  /// - Throws: ``ParameterError``, or any error of a custom style.
  public func serialize(_ parameters: Parameters, into request: inout Request) throws {
    let type = charset.map { MediaType.form.with(charset: $0) } ?? .form
    request.setContent(.bytes(try encoder.encode(parameters, in: charset)), as: type)
  }

  /// Returns a serializer that sends an `Encodable` value with keys in the same way.
  public func encoding<Value: Encodable & Sendable>(
    _ type: Value.Type = Value.self
  ) -> some RequestSerializer<Value> {
    EncodedParametersSerializer(base: self, encoder: encoder)
  }
}

extension RequestContent {
  /// Returns content that sends parameters as a form.
  public static func form(
    _ parameters: Parameters,
    encoder: QueryEncoder = QueryEncoder(),
    charset: Charset? = nil
  ) -> RequestContent {
    RequestContent(parameters, FormRequestSerializer(encoder: encoder, charset: charset))
  }

  /// Returns content that sends an `Encodable` value with keys as a form.
  public static func form(
    encoding value: some Encodable & Sendable,
    encoder: QueryEncoder = QueryEncoder(),
    charset: Charset? = nil
  ) -> RequestContent {
    RequestContent(value, FormRequestSerializer(encoder: encoder, charset: charset).encoding())
  }
}
