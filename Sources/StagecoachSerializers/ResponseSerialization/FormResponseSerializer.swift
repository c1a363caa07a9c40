public import StagecoachCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A serializer for `application/x-www-form-urlencoded`: a `Decodable` value, or the pairs in order and with
/// duplicates.
///
/// The charset is that of the request's ``RequestOptions/textCharset`` option, otherwise the declared one if this
/// system has a decoder for it and it contains ASCII, otherwise that of the decoder.
public struct FormResponseSerializer<Output: Sendable>: ResponseSerializer {
  /// The accepted content: forms.
  public var accepts: Acceptance
  /// Determines how keys and values are read.
  public var decoder: QueryDecoder
  private let read: @Sendable (QueryDecoder, Bytes) throws -> Output

  /// Creates a serializer of a value with a decoder, by default one for ``QueryEncoder/Escaping/form``.
  public init(
    _ type: Output.Type = Output.self,
    accepting accepts: Acceptance = .form,
    decoder: QueryDecoder = .form
  ) where Output: Decodable {
    self.accepts = accepts
    self.decoder = decoder
    read = { try $0.decode(Output.self, from: $1) }
  }

  /// Creates a serializer of the pairs with a decoder, by default one for ``QueryEncoder/Escaping/form``.
  public init(accepting accepts: Acceptance = .form, decoder: QueryDecoder = .form)
  where Output == [URLQueryItem] {
    self.accepts = accepts
    self.decoder = decoder
    read = { try $0.queryItems(from: $1) }
  }

  /// Collects the body, up to the request's body limit, and decodes it; an empty body is `nil` if the type is
  /// optional.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` that names the value that failed, or with an underlying
  ///   ``ParameterError``.
  public func serialize(_ response: Response) async throws -> Output {
    let bytes = try await response.collectBody()
    // An empty form is a form too, for which a type may have nothing but optional members.
    if bytes.isEmpty, let none = try? response.nothing(as: Output.self, insteadOf: "a form") { return none }
    var decoder = decoder
    let declared = response.mediaType?.charset.flatMap { $0.isSupported && $0.keepsASCII ? $0 : nil }
    decoder.charset = response.request?.options.textCharset ?? declared ?? decoder.charset
    guard decoder.charset.keepsASCII else {
      throw ExchangeError(
        .serialization,
        "a form cannot be in \(decoder.charset.name)",
        advice: "set options.textCharset to a supported charset that contains ASCII",
        underlying: decoder.charset.isSupported ? nil : CharsetError.unknown(decoder.charset.name)
      )
    }
    do {
      return try read(decoder, bytes)
    } catch let error as DecodingError {
      throw ExchangeError.decoding(error, as: Output.self, body: bytes)
    } catch let error as ParameterError {
      var failure = ExchangeError(.serialization, "the body is not a form: \(error)", underlying: error)
      failure.bodyPrefix = bytes
      throw failure
    }
  }
}

extension Acceptance {
  /// `application/x-www-form-urlencoded`.
  public static let form = Acceptance(mediaTypes: [MediaRange(.form)])
}

extension ResponseSerializer {
  /// A serializer that decodes a value from a form.
  public static func form<Value: Decodable>(_ type: Value.Type = Value.self) -> Self
  where Self == FormResponseSerializer<Value> {
    FormResponseSerializer(type)
  }
}

extension ResponseSerializer where Self == FormResponseSerializer<[URLQueryItem]> {
  /// A serializer for the pairs of a form, in order and with duplicates.
  public static var formItems: FormResponseSerializer<[URLQueryItem]> { FormResponseSerializer() }
}
