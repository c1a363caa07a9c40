public import StagecoachCore

/// A serializer that decodes a `Decodable` value from `application/x-www-form-urlencoded`.
///
/// The charset is that of the request's ``RequestOptions/textCharset`` option, otherwise the declared one if this
/// system has a decoder for it, otherwise that of the decoder.
public struct FormResponseSerializer<Output: Decodable & Sendable>: ResponseSerializer {
  /// The accepted content: forms.
  public var accepts: Acceptance
  /// Determines how keys and values are read.
  public var decoder: QueryDecoder

  /// Creates a serializer with a decoder, by default one for ``QueryEncoder/Escaping/form``.
  public init(
    _ type: Output.Type = Output.self,
    accepting accepts: Acceptance = .form,
    decoder: QueryDecoder = .form
  ) {
    self.accepts = accepts
    self.decoder = decoder
  }

  /// Collects the body, up to the request's body limit, and decodes it; an empty body is `nil` if the type is
  /// optional.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` that names the value that failed.
  public func serialize(_ response: Response) async throws -> Output {
    let bytes = try await response.collectBody()
    // Empty parameters are a form too, for which a type may have nothing but optional members.
    if bytes.isEmpty, let none = try? response.nothing(as: Output.self, insteadOf: "a form") { return none }
    do {
      return try decoder.withCharset(of: response).decode(Output.self, from: bytes)
    } catch let error as DecodingError {
      throw ExchangeError.decoding(error, as: Output.self, body: bytes)
    } catch let error as ParameterError {
      throw ExchangeError.form(error, body: bytes)
    }
  }
}

/// A serializer that reads `application/x-www-form-urlencoded` into untyped parameters, with their order and
/// duplicates.
///
/// The charset is determined as in ``FormResponseSerializer``.
public struct ParametersResponseSerializer: ResponseSerializer {
  /// The accepted content: forms.
  public var accepts: Acceptance
  /// Determines how keys and values are read.
  public var decoder: QueryDecoder

  /// Creates a serializer with a decoder, by default one for ``QueryEncoder/Escaping/form``.
  public init(accepting accepts: Acceptance = .form, decoder: QueryDecoder = .form) {
    self.accepts = accepts
    self.decoder = decoder
  }

  /// Collects the body, up to the request's body limit, and parses it.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` with an underlying ``ParameterError``.
  public func serialize(_ response: Response) async throws -> Parameters {
    let bytes = try await response.collectBody()
    do {
      return try decoder.withCharset(of: response).parameters(from: bytes)
    } catch let error as ParameterError {
      throw ExchangeError.form(error, body: bytes)
    }
  }
}

extension QueryDecoder {
  fileprivate func withCharset(of response: Response) -> QueryDecoder {
    var decoder = self
    let declared = response.mediaType?.charset.flatMap { $0.isSupported ? $0 : nil }
    decoder.charset = response.request?.options.textCharset ?? declared ?? charset
    return decoder
  }
}

extension ExchangeError {
  fileprivate static func form(_ error: ParameterError, body: Bytes) -> ExchangeError {
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
  /// A serializer that decodes a value from a form.
  public static func form<Value>(_ type: Value.Type = Value.self) -> Self
  where Self == FormResponseSerializer<Value> {
    FormResponseSerializer(type)
  }
}

extension ResponseSerializer where Self == ParametersResponseSerializer {
  /// A serializer that reads untyped parameters from a form.
  public static var parameters: ParametersResponseSerializer { ParametersResponseSerializer() }
}
