public import StagecoachCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A serializer that decodes a `Decodable` value from JSON (RFC 8259).
///
/// An empty body, or one of a single space, is `nil` if the type is optional, otherwise an error. The size of the text
/// is limited by ``RequestOptions/bodyLimit``.
public struct JSONResponseSerializer<Output: Decodable & Sendable>: ResponseSerializer {
  /// The accepted content: `application/json`, `application/*+json`, and the older names `text/json` and
  /// `text/javascript`; with ``Acceptance/jsonOfAnyType`` any media type.
  public var accepts: Acceptance
  /// The accepted encodings.
  public var encodings: JSONEncodings
  /// Whether to remove null members and elements, at any depth, before decoding. The text is then parsed strictly and
  /// a second time, and only one of several members with the same name is kept.
  public var removesNulls: Bool
  /// The limits for the text, which is then parsed strictly and a second time. If `nil`, only the decoder parses it,
  /// with at most 512 levels.
  public var limits: JSONValue.Limits?

  private let decoder: JSONDecoder?

  /// Creates a serializer.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - accepts: The accepted content.
  ///   - encodings: The accepted encodings.
  ///   - removesNulls: Whether to remove nulls before decoding.
  ///   - limits: The limits for the text.
  ///   - decoder: The decoder; `nil` for the decoder of the request's ``JSONCoders``.
  public init(
    _ type: Output.Type = Output.self,
    accepting accepts: Acceptance = .json,
    encodings: JSONEncodings = .unicode,
    removingNulls removesNulls: Bool = false,
    limits: JSONValue.Limits? = nil,
    decoder: JSONDecoder? = nil
  ) {
    self.accepts = accepts
    self.encodings = encodings
    self.removesNulls = removesNulls
    self.limits = limits
    self.decoder = decoder
  }

  /// Collects the body, up to the request's body limit, and decodes it.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` with the place in the document that failed, or with an
  ///   underlying ``JSONSyntaxError``, which has line and column; of kind `limit(.structure)` if it exceeds ``limits``.
  public func serialize(_ response: Response) async throws -> Output {
    let bytes = try await response.collectBody()
    if bytes.isBlank { return try response.nothing(as: Output.self, insteadOf: "JSON") }
    var text = try bytes.asJSON { try encodings.utf8(bytes) }
    if removesNulls || limits != nil {
      let value = try bytes.asJSON { try JSONValue(parsing: text, limits: limits) }
      if removesNulls { text = Bytes(value.removingNulls().serialized()) }
    }
    let decoder = decoder ?? response.jsonDecoder
    do {
      return try text.withUnsafeBytes { try decoder.decode(Output.self, from: $0) }
    } catch let error as DecodingError {
      // Foundation reports malformed JSON as corrupted data of the whole, without its position.
      if case .dataCorrupted(let context) = error, context.codingPath.isEmpty, !decoder.allowsJSON5,
        let syntax = text.syntaxError
      {
        throw bytes.failure(syntax)
      }
      throw ExchangeError.decoding(error, as: Output.self, body: bytes)
    }
  }
}

/// A serializer that reads JSON into an untyped value, with order, duplicates and the digits of numbers.
///
/// The size of the text is limited by ``RequestOptions/bodyLimit``.
public struct JSONValueResponseSerializer: ResponseSerializer {
  /// The accepted content; see ``JSONResponseSerializer/accepts``.
  public var accepts: Acceptance
  /// The accepted encodings.
  public var encodings: JSONEncodings
  /// Whether to remove null members and elements, at any depth.
  public var removesNulls: Bool
  /// The limits for the text.
  public var limits: JSONValue.Limits

  /// Creates a serializer.
  public init(
    accepting accepts: Acceptance = .json,
    encodings: JSONEncodings = .unicode,
    removingNulls removesNulls: Bool = false,
    limits: JSONValue.Limits = JSONValue.Limits()
  ) {
    self.accepts = accepts
    self.encodings = encodings
    self.removesNulls = removesNulls
    self.limits = limits
  }

  /// Collects the body, up to the request's body limit, and parses it strictly.
  ///
  /// An empty body, or one of a single space, is null.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` with an underlying ``JSONSyntaxError``, which has line and
  ///   column, or ``CharsetError``; of kind `limit(.structure)` if it exceeds ``limits``.
  public func serialize(_ response: Response) async throws -> JSONValue {
    let bytes = try await response.collectBody()
    if bytes.isBlank { return .null }
    let value = try bytes.asJSON { try JSONValue(parsing: encodings.utf8(bytes), limits: limits) }
    return removesNulls ? value.removingNulls() : value
  }
}

extension Acceptance {
  /// JSON of any declared media type, for servers that mislabel it. It is preferred under the names of ``json``.
  public static let jsonOfAnyType = Acceptance(
    mediaTypes: json.mediaTypes + [.any],
    signatures: json.signatures
  )

  /// JSON under its registered name, as `application/*+json`, and under older names (RFC 6839).
  public static let json = Acceptance(
    mediaTypes: [.json, .anyJSONSuffix, MediaRange(.textJSON), MediaRange(.javaScript)],
    signatures: [.jsonObject, .jsonArray]
  )
}

extension ResponseSerializer {
  /// A serializer that decodes a value from JSON.
  public static func json<Value>(
    _ type: Value.Type = Value.self,
    accepting accepts: Acceptance = .json,
    encodings: JSONEncodings = .unicode,
    removingNulls: Bool = false,
    limits: JSONValue.Limits? = nil,
    decoder: JSONDecoder? = nil
  ) -> Self where Self == JSONResponseSerializer<Value> {
    JSONResponseSerializer(
      type,
      accepting: accepts,
      encodings: encodings,
      removingNulls: removingNulls,
      limits: limits,
      decoder: decoder
    )
  }
}

extension ResponseSerializer where Self == JSONValueResponseSerializer {
  /// A serializer that reads an untyped JSON value.
  public static var jsonValue: JSONValueResponseSerializer { JSONValueResponseSerializer() }
}

extension JSONDecoder {
  /// Decodes bytes where they are.
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: UnsafeRawBufferPointer) throws -> Value {
    guard let start = bytes.baseAddress else { return try decode(type, from: Data()) }
    // The memory is only read, and outlives the decoding: it is not kept.
    let data = Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: start),
      count: bytes.count,
      deallocator: .none
    )
    return try decode(type, from: data)
  }
}

extension JSONValue {
  fileprivate init(parsing bytes: Bytes, limits: Limits?) throws {
    self = try bytes.withUnsafeBytes { try JSONValue(parsing: $0, limits: limits ?? Limits()) }
  }
}

extension Bytes {
  /// Whether there is nothing, or the single space that some servers send for nothing.
  var isBlank: Bool {
    count == 0 || count == 1 && withUnsafeBytes { $0[0] == 0x20 }
  }

  /// Makes something of these bytes as a body of JSON, and an error of theirs one of the exchange.
  fileprivate func asJSON<Result>(_ read: () throws -> Result) throws -> Result {
    do {
      return try read()
    } catch {
      throw failure(error)
    }
  }

  /// The error for these bytes as a body of JSON.
  fileprivate func failure(_ error: any Error) -> ExchangeError {
    let what = error is CharsetError ? "the body is not valid text" : "the body is not valid JSON"
    let exceedsLimit = (error as? JSONSyntaxError)?.isOfLimit == true
    var failure = ExchangeError(
      exceedsLimit ? .limit(.structure) : .serialization,
      exceedsLimit ? "the body exceeds a limit for JSON: \(error)" : "\(what): \(error)",
      advice: exceedsLimit ? "raise the limits of the serializer" : nil,
      underlying: error
    )
    failure.bodyPrefix = self
    return failure
  }

  /// The error of the bytes as JSON; `nil` if they are valid, or exceed a default limit.
  fileprivate var syntaxError: JSONSyntaxError? {
    do throws(JSONSyntaxError) {
      _ = try withUnsafeBytes { bytes throws(JSONSyntaxError) in try JSONValue(parsing: bytes) }
      return nil
    } catch {
      return error.isOfLimit ? nil : error
    }
  }
}
