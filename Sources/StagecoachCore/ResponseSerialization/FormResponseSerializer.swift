/// Decodes a `Decodable` value from `application/x-www-form-urlencoded`.
///
/// The charset is the one of the request's ``RequestOptions/textCharset`` option, else the one Content-Type declares,
/// if this system has a decoder for it, else that of the decoder.
public struct FormResponseSerializer<Output: Decodable & Sendable>: ResponseSerializer {
  /// What it can read: forms.
  public var accepts: Acceptance
  /// How keys and values were written.
  public var decoder: QueryDecoder

  /// A serializer over a decoder, by default one for ``QueryEncoder/Escaping/form``.
  public init(
    _ type: Output.Type = Output.self,
    accepting accepts: Acceptance = .form,
    decoder: QueryDecoder = .form
  ) {
    self.accepts = accepts
    self.decoder = decoder
  }

  /// Collects the body within the request's body limit and decodes it; an empty one is nil where the type is
  /// optional.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` that says which value failed.
  public func serialize(_ response: Response) async throws -> Output {
    let bytes = try await response.collectBody()
    // Empty parameters are a form too, for which a type may have nothing but optional members.
    if bytes.isEmpty, let none = try? response.nothing(as: Output.self, insteadOf: "a form") { return none }
    do {
      return try decoder.withCharset(of: response).decode(Output.self, from: bytes)
    } catch let error as DecodingError {
      throw ExchangeError.decoding(error, as: Output.self, body: bytes)
    } catch let error as QueryDecodingError {
      throw ExchangeError.form(error, body: bytes)
    }
  }
}

/// Reads `application/x-www-form-urlencoded` into untyped parameters that keep order and duplicates.
///
/// The charset is found as in ``FormResponseSerializer``.
public struct ParametersResponseSerializer: ResponseSerializer {
  /// What it can read: forms.
  public var accepts: Acceptance
  /// How keys and values were written.
  public var decoder: QueryDecoder

  /// A serializer over a decoder, by default one for ``QueryEncoder/Escaping/form``.
  public init(accepting accepts: Acceptance = .form, decoder: QueryDecoder = .form) {
    self.accepts = accepts
    self.decoder = decoder
  }

  /// Collects the body within the request's body limit and reads it.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` over a ``QueryDecodingError``.
  public func serialize(_ response: Response) async throws -> Parameters {
    let bytes = try await response.collectBody()
    do {
      return try decoder.withCharset(of: response).parameters(from: bytes)
    } catch let error as QueryDecodingError {
      throw ExchangeError.form(error, body: bytes)
    }
  }
}

extension QueryDecoder {
  /// A decoder for forms as browsers write them, where "+" is a space; otherwise with the defaults.
  public static var form: QueryDecoder {
    var decoder = QueryDecoder()
    decoder.escaping = .form
    return decoder
  }

  fileprivate func withCharset(of response: Response) -> QueryDecoder {
    var decoder = self
    let declared = response.mediaType?.charset.flatMap { $0.isSupported ? $0 : nil }
    decoder.charset = response.request?.options.textCharset ?? declared ?? charset
    return decoder
  }
}

extension ExchangeError {
  fileprivate static func form(_ error: QueryDecodingError, body: Bytes) -> ExchangeError {
    var failure = ExchangeError(.serialization, "the body is not a form: \(error)", underlying: error)
    failure.bodyPrefix = body
    return failure
  }
}

extension Acceptance {
  /// `application/x-www-form-urlencoded`.
  public static let form = Acceptance(mediaTypes: [MediaRange(.form)])
}

extension ResponseSerializer {
  /// A value decoded from a form.
  public static func form<Value>(_ type: Value.Type = Value.self) -> Self
  where Self == FormResponseSerializer<Value> {
    FormResponseSerializer(type)
  }
}

extension ResponseSerializer where Self == ParametersResponseSerializer {
  /// Untyped parameters from a form.
  public static var parameters: ParametersResponseSerializer { ParametersResponseSerializer() }
}
