#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Decodes a `Decodable` value from JSON (RFC 8259).
///
/// An empty body, or one of a single space, is nil where the type is optional and an error elsewhere.
public struct JSONResponseSerializer<Output: Decodable & Sendable>: ResponseSerializer {
  /// What it can read: `application/json`, any type with the suffix `+json`, and the older names.
  public var accepts: Acceptance

  private let makeDecoder: @Sendable () -> JSONDecoder

  /// A serializer.
  ///
  /// - Parameters:
  ///   - type: What to decode.
  ///   - accepts: What it can read.
  ///   - makeDecoder: Makes the decoder for each response.
  public init(
    _ type: Output.Type = Output.self,
    accepting accepts: Acceptance = .json,
    makeDecoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) {
    self.accepts = accepts
    self.makeDecoder = makeDecoder
  }

  /// Collects the body within the request's body limit and decodes it.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` that says where in the document it failed.
  public func serialize(_ response: Response) async throws -> Output {
    let bytes = try await response.collectBody()
    if bytes.isBlank {
      if let type = Output.self as? any ExpressibleByNilLiteral.Type,
        let none = type.init(nilLiteral: ()) as? Output
      {
        return none
      }
      throw ExchangeError.emptyBody(of: response, wanted: "JSON")
    }
    do {
      return try bytes.withUnsafeBytes { buffer in
        let data = Data(
          // The buffer is only read, and outlives the decoding: it is not kept.
          bytesNoCopy: UnsafeMutableRawPointer(mutating: buffer.baseAddress!),
          count: buffer.count,
          deallocator: .none
        )
        return try makeDecoder().decode(Output.self, from: data)
      }
    } catch let error as DecodingError {
      throw ExchangeError.decoding(error, as: "\(Output.self)", body: bytes)
    }
  }
}

/// Reads JSON into an untyped value that keeps order, duplicates and the digits of numbers.
public struct JSONValueResponseSerializer: ResponseSerializer {
  /// What it can read; see ``JSONResponseSerializer/accepts``.
  public var accepts: Acceptance
  /// Whether members and elements that are null are left out, at any depth.
  public var removesNulls: Bool

  /// A serializer.
  public init(accepting accepts: Acceptance = .json, removingNulls removesNulls: Bool = false) {
    self.accepts = accepts
    self.removesNulls = removesNulls
  }

  /// Collects the body within the request's body limit and reads it strictly.
  ///
  /// An empty body, or one of a single space, is null.
  ///
  /// - Throws: ``JSONSyntaxError`` with line and column.
  public func serialize(_ response: Response) async throws -> JSONValue {
    let bytes = try await response.collectBody()
    if bytes.isBlank { return .null }
    do {
      let value = try bytes.withUnsafeBytes { try JSONValue(parsing: $0) }
      return removesNulls ? value.removingNulls() : value
    } catch let error as JSONSyntaxError {
      var failure = ExchangeError(.serialization, "the body is not JSON: \(error)", underlying: error)
      failure.bodyPrefix = bytes
      throw failure
    }
  }
}

extension Acceptance {
  /// JSON under its registered name, the suffix `+json` (RFC 6839) and the older names in use.
  public static let json = Acceptance(
    mediaTypes: [.json, .anyJSONSuffix, MediaRange(.textJSON), MediaRange(.javaScript)]
  )
}

extension ResponseSerializer {
  /// A value decoded from JSON.
  public static func json<Value>(_ type: Value.Type = Value.self) -> Self
  where Self == JSONResponseSerializer<Value> {
    JSONResponseSerializer(type)
  }
}

extension ResponseSerializer where Self == JSONValueResponseSerializer {
  /// An untyped JSON value.
  public static var jsonValue: JSONValueResponseSerializer { JSONValueResponseSerializer() }
}

extension Bytes {
  /// Whether there is nothing, or the single space that some servers send for nothing.
  var isBlank: Bool {
    count == 0 || count == 1 && withUnsafeBytes { $0[0] == 0x20 }
  }
}
