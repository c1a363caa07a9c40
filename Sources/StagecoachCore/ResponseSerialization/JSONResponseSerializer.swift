#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Decodes a `Decodable` value from JSON (RFC 8259).
///
/// An empty body, or one of a single space, is nil where the type is optional and an error elsewhere. The size of the
/// text is bounded by ``RequestOptions/bodyLimit``.
public struct JSONResponseSerializer<Output: Decodable & Sendable>: ResponseSerializer {
  /// What it can read: `application/json`, `application/*+json`, and the older names `text/json` and
  /// `text/javascript`.
  public var accepts: Acceptance
  /// The encodings that it reads.
  public var encodings: JSONEncodings
  /// Whether members and elements that are null are left out, at any depth, before the decoder sees them. The
  /// text is then read strictly and a second time, and of members with one name each is kept.
  public var removesNulls: Bool
  /// What a text may hold, which is then read strictly and a second time. If nil, the decoder has the only word,
  /// which reads up to 512 levels.
  public var limits: JSONValue.Limits?

  private let decoder: JSONDecoder?

  /// A serializer.
  ///
  /// - Parameters:
  ///   - type: What to decode.
  ///   - accepts: What it can read.
  ///   - encodings: The encodings that it reads.
  ///   - removesNulls: Whether nulls are left out before the decoder sees them.
  ///   - limits: What a text may hold.
  ///   - decoder: Decodes the value; nil for that of the request's ``JSONCoders``.
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

  /// Collects the body within the request's body limit and decodes it.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` that says where in the document it failed, of kind
  ///   `limit(.structure)` if it exceeds ``limits``.
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
      throw ExchangeError.decoding(error, as: Output.self, body: bytes)
    }
  }
}

/// Reads JSON into an untyped value that keeps order, duplicates and the digits of numbers.
///
/// The size of the text is bounded by ``RequestOptions/bodyLimit``.
public struct JSONValueResponseSerializer: ResponseSerializer {
  /// What it can read; see ``JSONResponseSerializer/accepts``.
  public var accepts: Acceptance
  /// The encodings that it reads.
  public var encodings: JSONEncodings
  /// Whether members and elements that are null are left out, at any depth.
  public var removesNulls: Bool
  /// What a text may hold.
  public var limits: JSONValue.Limits

  /// A serializer.
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

  /// Collects the body within the request's body limit and reads it strictly.
  ///
  /// An empty body, or one of a single space, is null.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` with a ``JSONSyntaxError``, which has line and column,
  ///   or a ``CharsetError`` underneath, of kind `limit(.structure)` if it exceeds ``limits``.
  public func serialize(_ response: Response) async throws -> JSONValue {
    let bytes = try await response.collectBody()
    if bytes.isBlank { return .null }
    let value = try bytes.asJSON { try JSONValue(parsing: encodings.utf8(bytes), limits: limits) }
    return removesNulls ? value.removingNulls() : value
  }
}

extension Acceptance {
  /// JSON under its registered name, `application/*+json` (RFC 6839) and the older names in use.
  public static let json = Acceptance(
    mediaTypes: [.json, .anyJSONSuffix, MediaRange(.textJSON), MediaRange(.javaScript)],
    signatures: [.jsonObject, .jsonArray]
  )
}

extension ResponseSerializer {
  /// A value decoded from JSON.
  public static func json<Value>(
    _ type: Value.Type = Value.self,
    encodings: JSONEncodings = .unicode,
    removingNulls: Bool = false,
    limits: JSONValue.Limits? = nil,
    decoder: JSONDecoder? = nil
  ) -> Self where Self == JSONResponseSerializer<Value> {
    JSONResponseSerializer(
      type,
      encodings: encodings,
      removingNulls: removingNulls,
      limits: limits,
      decoder: decoder
    )
  }
}

extension ResponseSerializer where Self == JSONValueResponseSerializer {
  /// An untyped JSON value.
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
      let what = error is CharsetError ? "the body is not text" : "the body is not JSON"
      let exceedsLimit = (error as? JSONSyntaxError)?.isOfLimit == true
      var failure = ExchangeError(
        exceedsLimit ? .limit(.structure) : .serialization,
        exceedsLimit ? "the body exceeds a limit for JSON: \(error)" : "\(what): \(error)",
        advice: exceedsLimit ? "raise the limits of the serializer" : nil,
        underlying: error
      )
      failure.bodyPrefix = self
      throw failure
    }
  }
}
